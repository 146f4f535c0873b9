"""Any scikit-learn classifier with weights can be swept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.metrics import f1_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from pseudolinear import FBeta, Grid, MeasureClassifier
from pseudolinear.learners import ClassesProblem, EstimatorLearner, LabelProblem

X, y = make_classification(400, weights=[0.85], n_informative=4, flip_y=0.05, random_state=0)
FAST = Grid(3)


def also(estimator):
    """Mark a classifier that takes costs and gives scores in a way that another one covers."""
    return pytest.param(estimator, marks=pytest.mark.slow)


class ByClassWeight(ClassifierMixin, BaseEstimator):
    """A classifier whose only way to take costs is `class_weight`."""

    def __init__(self, class_weight=None):
        self.class_weight = class_weight

    def fit(self, X, y):
        self.inner_ = LogisticRegression(class_weight=self.class_weight).fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X):
        return self.inner_.predict(X)

    def decision_function(self, X):
        return self.inner_.decision_function(X)


@pytest.mark.parametrize(
    "estimator",
    [
        RandomForestClassifier(10),
        GaussianNB(),
        SVC(),
        RidgeClassifier(),
        ByClassWeight(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        *map(
            also,
            [
                DecisionTreeClassifier(max_depth=4),
                ExtraTreesClassifier(20),
                GradientBoostingClassifier(n_estimators=10),
                HistGradientBoostingClassifier(max_iter=10),
                BernoulliNB(),
                SVC(kernel="poly"),
                LinearSVC(),
                SGDClassifier(),
            ],
        ),
    ],
    ids=lambda e: type(e).__name__,
)
def test_it_beats_the_plain_classifier_on_its_validation_rows(estimator):
    """Sweep and threshold include the plain classifier, so they cannot be worse there."""
    rows = np.random.RandomState(0).permutation(400)
    split = [(rows[:260], rows[260:])]
    shared = {"search": FAST, "cv": split, "random_state": 0}
    plain = MeasureClassifier(estimator, cost_sensitive=False, tune_threshold=False, **shared).fit(
        X, y
    )
    clf = MeasureClassifier(estimator, refit=False, **shared).fit(X, y)
    assert clf.best_score_ >= plain.best_score_
    test = split[0][1]
    assert_allclose(clf.best_score_, f1_score(y[test], clf.predict(X[test])))


@pytest.mark.parametrize("estimator", [GaussianNB(), RandomForestClassifier(20), SVC()])
def test_multiclass_learners(estimator):
    """Class weights reach learners that are multiclass by themselves."""
    X, y = make_classification(300, n_classes=3, n_informative=5, random_state=0)
    names = np.array(["O", "loc", "per"])[y]
    clf = MeasureClassifier(
        estimator, measure=FBeta(default_class="O"), search=FAST, random_state=0
    ).fit(X, names)
    assert set(clf.predict(X)) <= {"O", "loc", "per"}
    assert clf.score(X, names) > 0.5


def test_class_weight_equals_sample_weight():
    """Both ways to give costs train the same model."""
    problem = LabelProblem(0, (3.0, 1.0))
    targets = y[:, None]
    by_class, by_sample = (
        EstimatorLearner(e).fit_batch(X, targets, [problem])[0].scores(X)
        for e in (ByClassWeight(), LogisticRegression())
    )
    assert_allclose(by_class, by_sample, atol=1e-3)


def test_weights_cannot_be_lost():
    """A learner that takes costs by class cannot take sample weights, and says so."""
    with pytest.raises(TypeError, match="has a fit without sample_weight"):
        MeasureClassifier(ByClassWeight()).fit(X, y, sample_weight=np.ones(400))


def test_scores_are_log_odds_around_zero():
    """Whatever the learner, 0 is the natural threshold and the order is that of probabilities."""
    for estimator in (GaussianNB(), RandomForestClassifier(10, random_state=0)):
        model = EstimatorLearner(estimator).fit_batch(X, y[:, None], [LabelProblem(0, (1.0, 1.0))])[
            0
        ]
        scores, proba = model.scores(X), model.estimator.predict_proba(X)[:, 1]
        assert np.isfinite(scores).all()
        assert_array_equal(scores > 0, proba > 0.5)
        assert (np.diff(scores[np.argsort(proba, kind="stable")]) >= -1e-9).all()


def test_frames_keep_their_feature_names():
    """Columns of pandas and polars frames are known by name."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    names = [f"x{i}" for i in range(X.shape[1])]
    array = MeasureClassifier("linear", search=FAST, random_state=0).fit(X, y)
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        clf = MeasureClassifier("linear", search=FAST, random_state=0).fit(frame, y)
        assert clf.feature_names_in_.tolist() == names
        assert_array_equal(clf.predict(frame), array.predict(X))


def test_frames_with_categories_go_through_pipelines_untouched():
    """A pipeline sees the frame itself, with its text columns."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"colour": np.where(X[:, 0] > 0, "red", "blue"), "size": X[:, 1]})
    pipeline = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough"),
        LogisticRegression(),
    )
    clf = MeasureClassifier(
        pipeline, param_grid={"logisticregression__C": [0.1, 1.0]}, search=FAST, random_state=0
    ).fit(frame, y)
    encoded = np.column_stack([frame["colour"] == "blue", frame["colour"] == "red", X[:, 1]])
    by_hand = MeasureClassifier(
        LogisticRegression(), param_grid={"C": [0.1, 1.0]}, search=FAST, random_state=0
    ).fit(encoded, y)
    assert_array_equal(clf.predict(frame), by_hand.predict(encoded))
    assert clf.best_params_ == {"logisticregression__C": by_hand.best_params_["C"]}


def test_text_goes_through_pipelines_untouched():
    """A list of documents is as good as a matrix where the pipeline reads text."""
    words = [("win money " if k else "meet me ") + f"at {i % 7}" for i, k in enumerate(y)]
    clf = MeasureClassifier(
        make_pipeline(TfidfVectorizer(), LogisticRegression()), search=FAST, random_state=0
    ).fit(words, y)
    assert clf.score(words, y) == 1.0


def test_sparse_rows_of_any_format_go_through_pipelines():
    """COO matrices cannot be indexed, but they are what several readers give."""
    pipeline = make_pipeline(MaxAbsScaler(), LogisticRegression())
    dense, coo = (
        MeasureClassifier(pipeline, search=FAST, random_state=0).fit(rows, y)
        for rows in (X, sparse.coo_matrix(X))
    )
    assert_array_equal(coo.predict(X), dense.predict(X))


@pytest.mark.slow
def test_missing_values_reach_learners_that_take_them():
    """Histogram boosting takes NaN, so the sweep around it does."""
    holes = np.where(np.random.RandomState(0).random_sample(X.shape) < 0.1, np.nan, X)
    clf = MeasureClassifier(
        HistGradientBoostingClassifier(max_iter=5), search=FAST, random_state=0
    ).fit(holes, y)
    cost_fn, cost_fp = clf.costs_
    plain = HistGradientBoostingClassifier(max_iter=5, random_state=0)
    plain.fit(holes, y, sample_weight=np.where(y == 1, cost_fn, cost_fp))
    assert_array_equal(clf.predict(holes), plain.decision_function(holes) >= clf.threshold_)


def test_one_warning_counts_the_problems_that_did_not_converge():
    """A warning per fit, not one per problem."""
    from sklearn.exceptions import ConvergenceWarning

    with pytest.warns(ConvergenceWarning, match="3 of 3 problems stopped") as caught:
        MeasureClassifier(LogisticRegression(max_iter=1), search=FAST, random_state=0).fit(X, y)
    assert len(caught) == 1


class Sure(ClassifierMixin, BaseEstimator):
    """Gives the first feature as its probability."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        self.weighted_ = sample_weight is not None
        return self

    def predict_proba(self, X):
        return np.stack([1 - X[:, 0], X[:, 0]], axis=1)

    def predict(self, X):
        return (X[:, 0] > 0.5).astype(int)


def test_a_probability_of_zero_is_not_ranked_above_a_tiny_one():
    """The order of scores is that of the probabilities, down to zero."""
    learner, targets = EstimatorLearner(Sure()), np.array([[0], [1]])
    rows = np.array([[0.0], [1e-20], [1e-9], [0.5], [1.0]])
    (model,) = learner.fit_batch(np.array([[0.0], [1.0]]), targets, [LabelProblem(0, (1.0, 1.0))])
    scores = model.scores(rows)
    assert (np.diff(scores) >= 0).all()
    assert np.isfinite(scores).all()


def test_equal_costs_of_one_are_trained_without_weights():
    """Some classifiers are many times slower with weights, if they all are one."""
    learner, targets = EstimatorLearner(Sure()), np.array([[0], [1]])
    X = np.array([[0.0], [1.0]])
    for costs, weighted in (((1.0, 1.0), False), ((1.0, 2.0), True), ((2.0, 2.0), True)):
        (model,) = learner.fit_batch(X, targets, [LabelProblem(0, costs)])
        assert model.estimator.weighted_ is weighted


def test_a_class_without_weight_keeps_its_column():
    """The classifier knows the class, so it scores it, whatever its rows weigh."""
    X, y = make_classification(150, n_classes=3, n_informative=5, random_state=0)
    learner, problem = EstimatorLearner(LogisticRegression()), ClassesProblem(0, (1.0, 1.0, 1.0))
    models = learner.fit_batch(X, y[:, None], [problem], (y != 2).astype(float))
    assert learner.scores(models, X)[0].shape == (150, 3)
