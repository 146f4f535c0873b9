"""Portfolios: members that share the weight by what they reach on rows that did not train them."""

import time

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification, make_moons, make_multilabel_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from pseudolinear import Grid, LinearLearner, MeasureClassifier, RecallAtPrecision
from pseudolinear.features import describe
from pseudolinear.kinds import read_target
from pseudolinear.learners import JointLearner, LabelProblem
from pseudolinear.measures import get_measure
from pseudolinear.portfolio._auto import RECIPES, auto_members
from pseudolinear.portfolio._combination import LEAST
from pseudolinear.portfolio._scale import Scale


@pytest.fixture(scope="module")
def multilabel():
    return make_multilabel_classification(300, n_classes=4, n_labels=2, random_state=0)


def test_on_curved_data_the_trees_and_kernels_take_over():
    """A linear model cannot separate the moons; the portfolio must notice."""
    X, y = make_moons(500, noise=0.25, random_state=0)
    clf = MeasureClassifier(random_state=0).fit(X[:200], y[:200])
    linear = MeasureClassifier("linear", random_state=0).fit(X[:200], y[:200])
    assert clf.score(X[200:], y[200:]) > linear.score(X[200:], y[200:]) + 0.02
    used = {row["learner"] for row in clf.portfolio_ if row["labels"]}
    assert used
    assert used != {"linear"}


@pytest.mark.parametrize("measure", ["f1_macro", pytest.param("f1_micro", marks=pytest.mark.slow)])
def test_the_table_says_what_each_member_reaches_alone(multilabel, measure):
    """In the order in which they were given, with the seconds that they took."""
    X, Y = multilabel
    members = {
        "LogisticRegression-0": LogisticRegression(),
        "GaussianNB-1": GaussianNB(),
        "LinearLearner-2": LinearLearner("hinge"),
    }
    options = {"measure": measure, "search": Grid(3), "random_state": 0}
    clf = MeasureClassifier(list(members.values()), **options).fit(X, Y)
    assert [row["learner"] for row in clf.portfolio_] == list(members)
    assert all(row["seconds"] > 0 for row in clf.portfolio_)
    for row, member in zip(clf.portfolio_, members.values(), strict=True):
        alone = MeasureClassifier(member, **options).fit(X, Y)
        assert row["value"] == pytest.approx(alone.best_score_) or row["note"]


def test_the_value_is_that_of_the_blend_on_the_validation_rows():
    """Members trained fold by fold, mixed and cut as the classifier says, reach it."""
    X, y = make_classification(300, weights=[0.8], flip_y=0.1, random_state=0)
    rows = np.random.RandomState(0).permutation(300)
    splits = [(rows[100:], rows[:100]), (rows[:200], rows[200:])]
    members = [LogisticRegression(), GaussianNB()]
    clf = MeasureClassifier(members, cost_sensitive=False, cv=splits, random_state=0).fit(X, y)
    (blend,) = clf.models_
    assert len(blend.shares) == 2
    mixed = 0.0
    for share in blend.shares:
        fits = [clone(members[share.member]).fit(X[train], y[train]) for train, _ in splits]
        odds = [
            np.diff(f.predict_log_proba(X[t]))[:, 0] for f, (_, t) in zip(fits, splits, strict=True)
        ]
        mixed = mixed + share.weight * share.scale(np.concatenate(odds))
    held_out = np.concatenate([test for _, test in splits])
    predicted = blend.log_odds(mixed) > clf.threshold_
    assert clf.best_score_ == pytest.approx(f1_score(y[held_out], predicted))


def test_a_portfolio_of_equal_members_is_its_member():
    """Averaging a score with itself changes no prediction."""
    X, y = make_classification(300, weights=[0.8], random_state=0)
    one = MeasureClassifier(LogisticRegression(), search=Grid(5), random_state=0).fit(X, y)
    two = MeasureClassifier(
        [LogisticRegression(), LogisticRegression()], search=Grid(5), random_state=0
    ).fit(X, y)
    assert_array_equal(one.predict(X), two.predict(X))


class Column(ClassifierMixin, BaseEstimator):
    """Scores rows by one of their features."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y, sample_weight=None):
        """Learn nothing."""
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        """Return the feature."""
        return X[:, self.column]

    def predict(self, X):
        """Predict the sign."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


def noisy_copies(n_columns, random_state):
    """Return a rare class and features that are each the class and noise of its own."""
    rng = np.random.RandomState(random_state)
    y = (rng.rand(1500) < 0.2).astype(int)
    return 2 * y[:, None] + rng.randn(1500, n_columns), y


def test_of_two_members_the_useless_one_has_no_weight():
    """Its value is so many standard errors below the best that it cannot be chance."""
    X, y = noisy_copies(1, 0)
    X = np.column_stack([X, np.random.RandomState(1).randn(len(y))])
    clf = MeasureClassifier([Column(0), Column(1)], cost_sensitive=False, random_state=0).fit(X, y)
    assert [row["labels"] for row in clf.portfolio_] == [1, 0]
    assert np.corrcoef(clf.decision_function(X), X[:, 0])[0, 1] > 0.999


def test_members_of_equal_worth_all_count():
    """The mean of four independent copies is better than the best of them, and is found."""
    X, y = noisy_copies(4, 0)
    X_new, y_new = noisy_copies(4, 1)
    members = [Column(k) for k in range(4)]
    clf = MeasureClassifier(members, cost_sensitive=False, random_state=0).fit(X, y)
    assert [row["labels"] for row in clf.portfolio_] == [1, 1, 1, 1]
    scores = clf.decision_function(X_new)
    affine = np.column_stack([X_new, np.ones(len(X_new))])
    weights = np.linalg.lstsq(affine, scores, rcond=None)[0][:4]
    assert_allclose(weights, weights.mean(), rtol=0.35)
    one = MeasureClassifier(members[0], cost_sensitive=False).fit(X, y)
    assert clf.score(X_new, y_new) > one.score(X_new, y_new) + 0.1


def test_the_weights_of_a_combination_sum_to_one(multilabel):
    """They differ from label to label, and none is so small that it is not worth its time."""
    X, Y = multilabel
    members = [Column(k) for k in range(4)]
    clf = MeasureClassifier(members, measure="f1_macro", cost_sensitive=False, random_state=0)
    clf.fit(X, Y)
    weights = [[share.weight for share in blend.shares] for blend in clf.models_]
    assert_allclose([sum(own) for own in weights], 1.0)
    assert min(min(own) for own in weights) >= LEAST
    labels = [row["labels"] for row in clf.portfolio_]
    used = [share.member for blend in clf.models_ for share in blend.shares]
    assert labels == np.bincount(used, minlength=4).tolist()


def test_classes_can_be_combined():
    """Multiclass scores are blended too, and the measure is what scikit-learn says."""
    X, y = make_classification(250, n_classes=3, n_informative=5, random_state=0)
    clf = MeasureClassifier(
        [LogisticRegression(), DecisionTreeClassifier(max_depth=4)],
        measure="f1_macro",
        random_state=0,
    ).fit(X, y)
    assert_allclose(clf.score(X, y), f1_score(y, clf.predict(X), average="macro"))
    assert set(clf.predict(X)) <= {0, 1, 2}


@pytest.mark.filterwarnings("ignore:Label")
@pytest.mark.parametrize("value", [0, 1])
def test_labels_of_one_value_are_no_obstacle(value):
    """A micro average counts them as well."""
    X, Y = make_multilabel_classification(200, n_classes=2, random_state=0)
    Y = np.column_stack([Y, np.full(200, value)])
    clf = MeasureClassifier(effort="fast", measure="f1_micro", random_state=0).fit(X, Y)
    assert (clf.predict(X)[:, 2] == value).all()


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_result_depends_on_the_seed_alone(multilabel, n_jobs):
    """Not on the number of jobs."""
    X, Y = multilabel[0][:150], multilabel[1][:150, :2]
    estimators = [LogisticRegression(), ExtraTreesClassifier(5)]
    options = {"measure": "f1_macro", "search": Grid(3), "random_state": 0}
    first = MeasureClassifier(estimators, **options).fit(X, Y)
    again = MeasureClassifier(estimators, **options, n_jobs=n_jobs).fit(X, Y)
    assert_allclose(first.decision_function(X), again.decision_function(X), atol=1e-6)


class Slow(ClassifierMixin, BaseEstimator):
    """Takes its time."""

    def fit(self, X, y, sample_weight=None):
        """Wait, then learn nothing."""
        time.sleep(0.3)
        self.classes_ = np.unique(y)
        self.n_features_in_ = X.shape[1]
        return self

    def decision_function(self, X):
        """Score by the first feature."""
        return X[:, 0]

    def predict(self, X):
        """Predict the sign."""
        return self.classes_[(X[:, 0] > 0).astype(int)]


def test_a_time_budget_stops_in_good_order(multilabel):
    """What has been tried by then is used; what was not is said."""
    X, Y = multilabel
    clf = MeasureClassifier(
        [LinearLearner(), Slow(), Slow()], measure="f1_macro", max_seconds=1.0, random_state=0
    )
    with pytest.warns(UserWarning, match="max_seconds left no time for Slow-1, Slow-2; allow more"):
        clf.fit(X, Y)
    assert [row["note"] for row in clf.portfolio_] == ["", "out of time", "out of time"]
    assert clf.predict(X).shape == Y.shape


@pytest.mark.parametrize(
    ("estimator", "left_out"),
    [
        ("auto", ["15 of 16 problems of LinearLearner", "boosting, lifted"]),
        ("linear", ["15 of 16 problems of LinearLearner"]),
        (LogisticRegression(), ["further levels of LogisticRegression"]),
        ([LogisticRegression(), GaussianNB()], ["levels of LogisticRegression", "GaussianNB-1"]),
    ],
    ids=str,
)
def test_without_any_time_one_candidate_is_trained_all_the_same(estimator, left_out):
    """One warning each says what was left out, of a portfolio and of a single estimator."""
    X, y = make_classification(200, weights=[0.8], random_state=0)
    with pytest.warns(UserWarning, match="max_seconds") as warned:
        clf = MeasureClassifier(estimator, max_seconds=1e-9, random_state=0).fit(X, y)
    messages = [str(one.message) for one in warned]
    assert len(messages) == len(left_out)
    for message, what in zip(messages, left_out, strict=True):
        assert message.startswith("max_seconds left no time for")
        assert what in message
    assert clf.score(X, y) > 0.5


def test_time_enough_leaves_nothing_out():
    """And nothing is said."""
    X, y = make_classification(200, weights=[0.8], random_state=0)
    limited = MeasureClassifier("linear", max_seconds=600, random_state=0).fit(X, y)
    free = MeasureClassifier("linear", random_state=0).fit(X, y)
    assert_array_equal(limited.decision_function(X), free.decision_function(X))


def test_one_forest_serves_all_labels(multilabel):
    """The scores of a joint learner are those of scikit-learn's multi-output forest."""
    X, Y = multilabel
    learner = JointLearner(ExtraTreesClassifier(30), random_state=0)
    problems = [LabelProblem(k, (1.0, 1.0)) for k in range(4)]
    models = learner.fit_batch(X[:200], Y[:200], problems)
    assert len({id(model.estimator) for model in models}) == 1
    forest = ExtraTreesClassifier(30, random_state=0).fit(X[:200], Y[:200])
    expected = np.stack([p[:, 1] for p in forest.predict_proba(X[200:])], axis=1)
    scores = np.stack(learner.scores(models, X[200:]), axis=1)
    assert_allclose(1 / (1 + np.exp(-scores)), expected, atol=1e-9)
    with pytest.raises(ValueError, match="equal costs"):
        learner.fit_batch(X, Y, [LabelProblem(0, (2.0, 1.0))])


def names(effort, X, n_labels):
    """Return the names of the members for rows of some shape."""
    Y = np.tile([[0], [1]], (X.shape[0] // 2, n_labels))
    measure, Y = ("f1_macro", Y) if n_labels > 1 else ("f1", Y[:, 0])
    kind, _ = read_target(Y, get_measure(measure))
    return [member.name for member in auto_members(describe(X).read(X), kind, effort)]


def test_members_suit_the_shape_of_the_data():
    """Nothing but linear models for few rows and for words, no trees where they take minutes."""
    table, labels = ["linear", "boosting", "lifted"], ["linear", "lifted", "forest"]
    assert names("fast", np.zeros((1000, 100)), 1) == ["linear", "lifted"]
    assert names("balanced", np.zeros((1000, 100)), 1) == table
    assert names("balanced", np.zeros((90, 100)), 1) == ["linear"]
    assert names("balanced", np.zeros((300_000, 100)), 1) == ["linear", "lifted"]
    assert names("balanced", np.zeros((1000, 100)), 6) == labels
    assert names("balanced", np.zeros((300_000, 100)), 6) == ["linear", "lifted"]
    words = sparse.csr_matrix((8000, 40000))
    assert names("balanced", words, 100) == ["linear"]
    assert names("best", words, 100) == ["linear", "svm"]
    more = {"kernel", "splines", "slow_boosting"}
    assert set(names("best", np.zeros((1000, 100)), 1)) == {*table, *more}
    assert set(names("best", np.zeros((1000, 100)), 6)) == {*labels, *more}
    assert "kernel" not in names("best", np.zeros((20000, 10)), 2)


def test_several_classes_are_also_told_apart_at_once():
    """With the most effort, and each class against the rest as well."""
    X, y = np.zeros((90, 4)), np.arange(90) % 3
    kind, _ = read_target(y, get_measure("f1_macro"))
    members = [auto_members(describe(X).read(X), kind, effort) for effort in ("balanced", "best")]
    assert [[member.name for member in some] for some in members] == [
        ["linear"],
        ["linear", "softmax"],
    ]


def test_several_classes_of_few_columns_try_larger_values_of_c():
    """For these a rare class may hang on a single column; where there are many, it is noise."""

    def largest(X, y, measure):
        kind, _ = read_target(y, get_measure(measure))
        return max(one["C"] for one in auto_members(describe(X).read(X), kind, "fast")[0].settings)

    y = np.arange(90) % 3
    assert largest(np.zeros((90, 4)), y, "f1_macro") == 2.0**11
    assert largest(sparse.csr_matrix((90, 4000)), y, "f1_macro") == 2.0**5
    assert largest(np.zeros((90, 4)), y == 1, "f1") == 2.0**5


QUICK = ("linear", "boosting", "lifted", "forest")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in RECIPES],
)
def test_every_member_can_be_asked_for_by_its_name(name):
    """And is then trained alone."""
    rng = np.random.RandomState(0)
    X = (
        sparse.random(120, 1500, 0.02, "csr", random_state=rng)
        if name == "svm"
        else rng.randn(120, 4)
    )
    y = (np.asarray(X[:, :2].sum(axis=1)).ravel() > 0.02).astype(int)
    clf = MeasureClassifier(name, search=Grid(2), random_state=0).fit(X, y)
    assert not hasattr(clf, "portfolio_")
    assert set(clf.predict(X)) <= {0, 1}


def test_standardised_scores_are_centred_and_bounded():
    """Extreme log-odds do not drown the other members."""
    scores = np.array([-37.0, 0.0, 1.0, 37.0])
    standard = Scale.of(scores)(scores)
    assert_allclose([standard.mean(), standard.std()], [0, 1], atol=1e-12)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimator": []}, "estimator is an empty list"),
        ({"param_grid": {"C": [1]}}, "param_grid is for a single estimator"),
        ({"refit": False}, "needs refit=True"),
    ],
)
def test_what_makes_no_sense_is_refused(parameters, message):
    """One sentence each."""
    X, y = make_classification(60, random_state=0)
    with pytest.raises(ValueError, match=message):
        MeasureClassifier(**parameters).fit(X, y)


def test_a_member_reaches_in_a_portfolio_what_it_reaches_alone():
    """Saturated scores keep their order: the most precise cuts lie among them."""
    X, y = make_classification(300, weights=[0.8], flip_y=0.1, random_state=0)
    floor = {"measure": RecallAtPrecision(0.9), "random_state": 0, "search": "grid"}
    alone = MeasureClassifier(GaussianNB(), **floor).fit(X, y)
    assert np.abs(alone.learner_.scores(alone.models_, X)[0]).max() > 7  # beyond saturation
    twice = MeasureClassifier([GaussianNB(), GaussianNB()], **floor).fit(X, y)
    assert twice.best_score_ == pytest.approx(alone.best_score_)
