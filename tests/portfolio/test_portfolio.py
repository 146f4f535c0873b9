"""Portfolios: the best learner or the combination, chosen on rows that trained neither."""

import time

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification, make_moons, make_multilabel_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from pseudolinear import LinearLearner, MeasureClassifier, RecallAtPrecision
from pseudolinear.kinds import read_target
from pseudolinear.learners import JointLearner, LabelProblem
from pseudolinear.measures import get_measure
from pseudolinear.portfolio._auto import auto_members
from pseudolinear.portfolio._scale import Scale


@pytest.fixture(scope="module")
def multilabel():
    return make_multilabel_classification(300, n_classes=4, n_labels=2, random_state=0)


def test_on_curved_data_the_trees_and_kernels_take_over():
    """A linear model cannot separate the moons; the portfolio must notice."""
    X, y = make_moons(500, noise=0.25, random_state=0)
    clf = MeasureClassifier("auto", random_state=0).fit(X[:200], y[:200])
    linear = MeasureClassifier(random_state=0).fit(X[:200], y[:200])
    assert clf.score(X[200:], y[200:]) > linear.score(X[200:], y[200:]) + 0.02
    used = {row["learner"] for row in clf.portfolio_ if row["labels"]}
    assert used
    assert used != {"linear"}


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro"])
def test_no_member_is_better_on_the_validation_rows(multilabel, measure):
    """The combination is chosen among sets that hold every member alone, each cut at its best.

    The thresholds of a macro average are then evened out for new rows, at the cost of these.
    """
    X, Y = multilabel
    clf = MeasureClassifier(
        [LogisticRegression(), GaussianNB(), LinearLearner("hinge")],
        measure=measure,
        random_state=0,
    ).fit(X, Y)
    alone = max(row["value"] for row in clf.portfolio_)
    assert clf.certificate_["threshold"].ceiling >= alone
    if measure == "f1_micro":
        assert clf.best_score_ == clf.certificate_["threshold"].ceiling
    assert [row["learner"] for row in clf.portfolio_] == [
        "LogisticRegression-0",
        "GaussianNB-1",
        "LinearLearner-2",
    ]
    assert all(row["seconds"] > 0 for row in clf.portfolio_)


def test_a_portfolio_of_equal_members_is_its_member():
    """Averaging a score with itself changes no prediction."""
    X, y = make_classification(300, weights=[0.8], random_state=0)
    one = MeasureClassifier(LogisticRegression(), search="grid", random_state=0).fit(X, y)
    two = MeasureClassifier(
        [LogisticRegression(), LogisticRegression()], search="grid", random_state=0
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
    """Of few members one set is taken, so a bad member cannot get in by averaging sets."""
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
    """Also where the mean of several sets is taken, which differs from label to label."""
    X, Y = multilabel
    members = [Column(k) for k in range(4)]
    clf = MeasureClassifier(members, measure="f1_macro", cost_sensitive=False, random_state=0)
    clf.fit(X, Y)
    blends = [model for model in clf.models_ if model is not None]
    assert_allclose([sum(part.weight for part in blend.parts) for blend in blends], 1.0)


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


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_result_depends_on_the_seed_alone(multilabel, n_jobs):
    """Not on the number of jobs."""
    X, Y = multilabel[0][:200], multilabel[1][:200, :2]
    estimators = [LogisticRegression(), ExtraTreesClassifier(10)]
    first = MeasureClassifier(estimators, measure="f1_macro", random_state=0).fit(X, Y)
    again = MeasureClassifier(estimators, measure="f1_macro", random_state=0, n_jobs=n_jobs).fit(
        X, Y
    )
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
    ).fit(X, Y)
    assert [row["note"] for row in clf.portfolio_] == ["", "out of time", "out of time"]
    assert clf.predict(X).shape == Y.shape


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


def test_members_suit_the_shape_of_the_data():
    """Kernels and a second forest for few rows, trees for few features, two losses for many."""

    def names(n_samples, n_features, n_labels):
        X = sparse.csr_matrix((n_samples, n_features))
        Y = np.tile([[0], [1]], (n_samples // 2, n_labels))
        kind, _ = read_target(Y, get_measure("f1_macro"))
        return [member.name for member in auto_members(X, kind)]

    assert names(1000, 100, 6) == ["linear", "kernel", "forest", "wide forest", "boosting"]
    assert names(1000, 500, 6) == ["linear", "kernel", "forest", "wide forest"]
    assert names(20000, 500, 20) == ["linear", "forest"]
    assert names(8000, 40000, 100) == ["linear", "svm"]


def test_standardised_scores_are_centred_and_bounded():
    """Extreme log-odds do not drown the other members."""
    scores = np.array([-37.0, 0.0, 1.0, 37.0])
    standard = Scale.of(scores)(scores)
    assert_allclose([standard.mean(), standard.std()], [0, 1], atol=1e-12)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimator": []}, "estimator is an empty list"),
        ({"estimator": "auto", "param_grid": {"C": [1]}}, "param_grid is for a single estimator"),
        ({"max_seconds": 5}, "max_seconds is for portfolios"),
        ({"estimator": "auto", "refit": False}, "needs refit=True"),
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
