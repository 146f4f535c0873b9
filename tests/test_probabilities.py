"""What predict_proba promises: calibrated, and cut where predict cuts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

from pseudolinear import ErrorCurve, LinearLearner, MeasureClassifier
from pseudolinear._platt import DOUBT, between_cuts, platt
from pseudolinear.errors import ErrorCurves

SEVERAL = ["linear", "boosting", "auto", RandomForestClassifier(20, random_state=0)]


@pytest.fixture(scope="module")
def imbalanced():
    """Training and test rows of which a ninth is positive."""
    X, y = make_classification(6000, weights=[0.9], flip_y=0.05, random_state=0)
    return X[:3000], y[:3000], X[3000:], y[3000:]


@pytest.mark.parametrize(
    "estimator",
    [*SEVERAL[:2], *(pytest.param(other, marks=pytest.mark.slow) for other in SEVERAL[2:])],
    ids=str,
)
def test_probabilities_are_those_of_the_population(imbalanced, estimator):
    """Their mean is the prevalence, and the test rows themselves would hardly move them."""
    X, y, X_test, y_test = imbalanced
    clf = MeasureClassifier(estimator, measure="f2", probabilities="calibrated", random_state=0)
    p = clf.fit(X, y).predict_proba(X_test)[:, 1]
    assert abs(p.mean() - y_test.mean()) < 0.03
    log_odds = np.log(p / (1 - p))[:, None]
    best = LogisticRegression(C=np.inf).fit(log_odds, y_test).predict_proba(log_odds)[:, 1]
    assert log_loss(y_test, p) < log_loss(y_test, best) + 0.015
    moved = expit(clf.decision_function(X_test))
    assert brier_score_loss(y_test, p) < brier_score_loss(y_test, moved)
    agreeing = clf.set_params(probabilities="agreeing").predict_proba(X_test)[:, 1]
    assert brier_score_loss(y_test, agreeing) < brier_score_loss(y_test, moved)


@pytest.mark.parametrize("estimator", SEVERAL[:2])
def test_predict_cuts_them_at_the_stated_probability(imbalanced, estimator):
    """So whoever reports a probability can say what is done with it."""
    X, y, X_test, _ = imbalanced
    clf = MeasureClassifier(estimator, probabilities="calibrated", random_state=0).fit(X, y)
    p = clf.predict_proba(X_test)[:, 1]
    assert_array_equal(clf.predict(X_test) == 1, p > clf.probability_threshold_)


@pytest.mark.parametrize("measure", ["f1", "f2", "f0.5"])
def test_those_that_agree_are_the_nearest_that_do(imbalanced, measure):
    """Only rows between the threshold and one half differ, and no more than they must."""
    X, y, X_test, _ = imbalanced
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X, y)
    agreeing, predicted = clf.predict_proba(X_test)[:, 1], clf.predict(X_test) == 1
    p = clf.set_params(probabilities="calibrated").predict_proba(X_test)[:, 1]
    assert_array_equal(agreeing > 0.5, predicted)
    assert_array_equal(agreeing[(p > 0.5) == predicted], p[(p > 0.5) == predicted])
    assert_allclose(agreeing[(p > 0.5) != predicted], 0.5)


def test_scores_that_are_no_probabilities_have_no_such_threshold(imbalanced):
    """Without `predict_proba` there is nothing that it would cut."""
    X, y, _, _ = imbalanced
    clf = MeasureClassifier(LinearLearner("hinge"), random_state=0).fit(X, y)
    assert not hasattr(clf, "predict_proba")
    with pytest.raises(AttributeError, match="no probabilities; threshold_ says"):
        _ = clf.probability_threshold_


def test_every_label_has_its_probabilities_and_its_threshold():
    """A label that all or no rows carry is certain."""
    X, Y = make_multilabel_classification(400, n_classes=3, random_state=0)
    Y = np.hstack([Y, np.ones((400, 1), int), np.zeros((400, 1), int)])
    clf = MeasureClassifier(
        "linear", measure="f1_macro", probabilities="calibrated", random_state=0
    )
    with pytest.warns(UserWarning, match="same value"):
        clf.fit(X, Y)
    p = clf.predict_proba(X)
    assert_allclose(p.mean(axis=0), Y.mean(axis=0), atol=0.05)
    assert_array_equal(clf.predict(X) == 1, p > clf.probability_threshold_)


@pytest.mark.parametrize("estimator", ["linear", pytest.param("auto", marks=pytest.mark.slow)])
def test_classes_that_cost_more_do_not_get_likelier(estimator):
    """Macro-F1 weighs rare classes up in training; the probabilities do not."""
    X, y = make_classification(
        2000, n_classes=3, n_informative=6, weights=[0.8, 0.15], random_state=0
    )
    clf = MeasureClassifier(estimator, measure="f1_macro", random_state=0).fit(X[:1000], y[:1000])
    assert_array_equal(clf.predict_proba(X).argmax(axis=1), clf.predict(X))
    p = clf.set_params(probabilities="calibrated").predict_proba(X[1000:])
    assert_allclose(p.sum(axis=1), 1.0)
    assert_allclose(p.mean(axis=0), np.bincount(y[1000:]) / 1000, atol=0.05)
    with pytest.raises(AttributeError, match="no probability_threshold_"):
        clf.probability_threshold_  # noqa: B018


def test_costs_are_undone_where_nothing_is_cut(imbalanced):
    """Without thresholds to learn from, theory says what costs did to the log-odds."""
    X, y, X_test, y_test = imbalanced
    clf = MeasureClassifier("linear", tune_threshold=False, random_state=0).fit(X, y)
    assert abs(clf.predict_proba(X_test)[:, 1].mean() - y_test.mean()) < 0.03


def test_platt_on_a_curve_is_platt_on_the_scores(imbalanced):
    """The cuts hold enough: the same line as from all rows, but for Platt's prior."""
    X, y, X_test, y_test = imbalanced
    score = LogisticRegression().fit(X, y).decision_function(X_test)
    line = platt(ErrorCurve.from_scores(y_test, score).outline())
    model = LogisticRegression(C=np.inf).fit(np.clip(score, -7, 7)[:, None], y_test)
    assert_allclose(line, [model.coef_[0, 0], model.intercept_[0]], atol=0.05)


@pytest.mark.parametrize("seed", range(3))
def test_no_line_near_that_of_platt_fits_better(seed):
    """It is where the slope of the loss of the rows between the cuts is zero, a minimum."""
    rng = np.random.default_rng(seed)
    y, noise = rng.random(400) < 0.1, rng.normal(size=400)
    curve = ErrorCurve.from_scores(y, 2 * y + noise).outline()
    _, scores, positive, negative = between_cuts(ErrorCurves.of([curve]))
    ones = (1.0 - DOUBT) * positive + DOUBT * positive.sum() * negative
    zeros = positive + negative - ones

    def loss(slope, intercept):
        odds = slope * scores + intercept
        return ones @ np.logaddexp(0.0, -odds) + zeros @ np.logaddexp(0.0, odds)

    line = platt(curve)
    step = 1e-4
    around = [
        loss(line.slope + i * step, line.intercept + j * step)
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
    ]
    assert min(around) == around[4]


def test_an_unknown_kind_is_refused(imbalanced):
    """The message lists what there is."""
    X, y, *_ = imbalanced
    with pytest.raises(ValueError, match="agreeing, calibrated"):
        MeasureClassifier("linear", probabilities="raw").fit(X, y)
