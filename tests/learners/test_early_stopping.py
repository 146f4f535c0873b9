"""Boosters stop on rows of their own, never on those that choose the threshold."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import Grid, MeasureClassifier
from pseudolinear.learners import ClassesProblem, EarlyStoppingLearner, LabelProblem

X, y = make_classification(400, weights=[0.85], n_informative=4, flip_y=0.05, random_state=0)
X[:, 0] = np.arange(400) / 400  # by which rows are known


def numbers(*parts):
    """Return which rows these are."""
    return np.rint(np.concatenate([part[:, 0] for part in parts]) * 400).astype(int)


class Booster(LogisticRegression):
    """Keeps what its fit is given, as XGBoost's would be."""

    seen = []  # noqa: RUF012

    def fit(
        self, X, y, sample_weight=None, eval_set=None, sample_weight_eval_set=None, verbose=True
    ):
        ((X_eval, y_eval),) = eval_set
        self.given_ = (X, y, sample_weight, X_eval, y_eval, sample_weight_eval_set)
        self.seen.append(self.given_)
        return super().fit(X, y, sample_weight)


def given(learner, X=X, y=y, costs=(3.0, 0.5), **params):
    """Return what a booster is given to learn a label."""
    (model,) = learner.fit_batch(X, y[:, None], [LabelProblem(0, costs)], **params)
    estimator = model.estimator[-1] if hasattr(model.estimator, "steps") else model.estimator
    return estimator.given_


def test_rows_are_shared_between_training_and_stopping():
    """Every row is in one part, and every class in both, by its share."""
    X_fit, y_fit, _, X_eval, y_eval, _ = given(EarlyStoppingLearner(Booster(), 0, share=0.25))
    assert_array_equal(np.sort(numbers(X_fit, X_eval)), np.arange(400))
    assert_array_equal(y[numbers(X_eval)], y_eval)
    assert_allclose(np.bincount(y_eval), 0.25 * np.bincount(y), atol=1)
    assert_array_equal(np.bincount(y_fit) + np.bincount(y_eval), np.bincount(y))


def test_costs_weigh_both_parts():
    """What an error costs in training, it costs when the booster is to stop."""
    weight = np.random.RandomState(0).random_sample(400)
    learner = EarlyStoppingLearner(Booster(), 0)
    X_fit, y_fit, w_fit, X_eval, y_eval, (w_eval,) = given(learner, sample_weight=weight)
    for rows, target, found in ((X_fit, y_fit, w_fit), (X_eval, y_eval, w_eval)):
        cost = np.where(target == 1, 3.0, 0.5)
        assert_allclose(found, cost * weight[numbers(rows)])
    *_, weights = given(learner, costs=(1.0, 1.0))
    assert weights is None  # nothing to weigh


def test_the_draw_has_a_seed():
    """The classifier's random_state decides, and another one draws other rows."""
    rows = [numbers(given(EarlyStoppingLearner(Booster()).seeded(seed))[3]) for seed in (1, 1, 2)]
    assert_array_equal(rows[0], rows[1])
    assert not np.array_equal(rows[0], rows[2])


def test_the_rows_of_the_threshold_are_not_seen():
    """In each fold, what the booster gets are the training rows of the fold, all of them."""
    Booster.seen.clear()
    order = np.random.RandomState(0).permutation(400)
    split = (np.sort(order[:260]), np.sort(order[260:]))
    MeasureClassifier(EarlyStoppingLearner(Booster()), cv=[split], search=Grid(3)).fit(X, y)
    *folds, final = Booster.seen
    assert folds
    for X_fit, _, _, X_eval, _, _ in folds:
        assert_array_equal(np.sort(numbers(X_fit, X_eval)), split[0])
    assert_array_equal(np.sort(numbers(final[0], final[3])), np.arange(400))


def test_rare_rows_stay_in_training():
    """Of one positive row none is set aside, of two one."""
    for n_positive, n_aside in ((1, 0), (2, 1)):
        few = np.zeros(400, dtype=int)
        few[:n_positive] = 1
        _, y_fit, _, _, y_eval, _ = given(EarlyStoppingLearner(Booster(), 0), y=few)
        assert y_eval.sum() == n_aside
        assert y_fit.sum() == n_positive - n_aside


def test_a_class_that_a_fold_lacks_leaves_no_gap():
    """Boosters want classes from 0 on; the scores come back in the columns of the problem."""
    classes = np.where(np.arange(400) % 2, 2, 0)
    learner = EarlyStoppingLearner(Booster(), 0)
    problem = ClassesProblem(0, (1.0, 1.0, 5.0))
    (model,) = learner.fit_batch(X, classes[:, None], [problem])
    _, y_fit, weight, _, y_eval, _ = model.estimator.given_
    assert_array_equal(np.unique(y_fit), [0, 1])
    assert_array_equal(np.unique(y_eval), [0, 1])
    assert_array_equal(weight, np.where(y_fit == 1, 5.0, 1.0))
    scores = model.scores(X)
    assert scores.shape == (400, 3)
    assert (scores[:, 1] < scores[:, [0, 2]].min(axis=1)).all()


def test_pipelines_transform_both_parts():
    """The first steps learn from the rows that are trained on, and change those set aside alike."""
    scaled = EarlyStoppingLearner(make_pipeline(StandardScaler(), Booster()), 0)
    X_fit, _, _, X_eval, _, _ = given(EarlyStoppingLearner(Booster(), 0))
    found = given(scaled)
    scaler = StandardScaler().fit(X_fit)
    assert_allclose(found[0], scaler.transform(X_fit))
    assert_allclose(found[3], scaler.transform(X_eval))
    (model,) = scaled.fit_batch(X, y[:, None], [LabelProblem(0, (3.0, 0.5))])
    last = model.estimator[-1]
    assert_allclose(model.scores(X), last.decision_function(scaler.transform(X)))


def test_what_cannot_stop_this_way_says_so():
    """One sentence each."""
    problem = [LabelProblem(0, (1.0, 1.0))]
    with pytest.raises(TypeError, match="HistGradientBoostingClassifier takes no weighted eval_"):
        EarlyStoppingLearner(HistGradientBoostingClassifier()).fit_batch(X, y[:, None], problem)
    with pytest.raises(ValueError, match=r"share must be between 0 and 1, got 1\.5"):
        EarlyStoppingLearner(Booster(), share=1.5).fit_batch(X, y[:, None], problem)


@pytest.mark.slow
def test_scikit_learns_own_early_stopping_needs_no_help():
    """It sets rows of the fold's training part aside by itself."""
    booster = HistGradientBoostingClassifier(
        max_iter=300, early_stopping=True, n_iter_no_change=3, learning_rate=0.5, max_depth=2
    )
    clf = MeasureClassifier(booster, search=Grid(2), cv="holdout", random_state=0).fit(X, y)
    assert clf.models_[0].estimator.n_iter_ < 100


BOOSTERS = {
    "lightgbm.LGBMClassifier": {
        "early_stopping_round": 5, "learning_rate": 0.3, "n_jobs": 1, "verbose": -1,
    },
    "xgboost.XGBClassifier": {"early_stopping_rounds": 5, "n_jobs": 1},
    "catboost.CatBoostClassifier": {
        "early_stopping_rounds": 5, "learning_rate": 0.3, "thread_count": 1, "verbose": False,
        "allow_writing_files": False,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", BOOSTERS)
@pytest.mark.parametrize("kind", ["binary", "classes", "labels"])
def test_boosters_stop_early(name, kind):
    """Long before their number of trees."""
    package, classifier = name.split(".")
    booster = getattr(pytest.importorskip(package), classifier)(n_estimators=500, **BOOSTERS[name])
    rows, target, measure = X[:, 1:], y, "f1"
    if kind == "classes":
        rows, target = make_classification(300, n_classes=3, n_informative=5, random_state=0)
        measure = "f1_macro"
    if kind == "labels":
        rows, target = make_multilabel_classification(300, n_classes=2, random_state=0)
        measure = "f1_macro"
    clf = MeasureClassifier(
        EarlyStoppingLearner(booster), measure=measure, search=Grid(2), random_state=0
    ).fit(rows, target)
    for model in clf.models_:
        fitted = model.estimator
        own = "best_iteration" if package == "xgboost" else "best_iteration_"
        assert getattr(fitted, own) < 200
    assert clf.best_score_ > 0.4  # a third of that is chance
