"""Solve once, answer every measure."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import (
    CohenKappa,
    ErrorProfile,
    FBeta,
    Grid,
    Jaccard,
    MeasureClassifier,
    RecallAtPrecision,
)


@pytest.fixture(scope="module")
def binary():
    return make_classification(500, weights=[0.85], flip_y=0.1, random_state=0)


@pytest.fixture(scope="module")
def multilabel():
    return make_multilabel_classification(300, n_classes=4, n_labels=1, random_state=0)


@pytest.mark.parametrize("measure", ["f2", "f0.5", "jaccard", "balanced_accuracy", "cohen_kappa"])
def test_binary_result_is_that_of_a_fresh_fit(binary, measure):
    """The same candidates, so the same choice, threshold and predictions."""
    X, y = binary
    clf = MeasureClassifier(random_state=0).fit(X, y)
    other = clf.retarget(measure, X, y)
    costs = {candidate.costs for candidate in other.sweep_.by_group[0]}
    fresh = MeasureClassifier(measure=measure, random_state=0).fit(X, y)
    if {c.costs for c in fresh.sweep_.by_group[0]} == costs:
        assert_allclose(other.threshold_, fresh.threshold_)
        assert_array_equal(other.predict(X), fresh.predict(X))
    assert_allclose(other.best_score_, clf.frontier_.value(measure))
    assert other.best_score_ >= fresh.best_score_ - 0.01


@pytest.mark.parametrize("first", ["f1_macro", "f1_micro"])
@pytest.mark.parametrize("second", ["f1_micro", "f2_macro", "jaccard_macro", "f0.5_micro"])
def test_averages_can_be_exchanged(multilabel, first, second):
    """Macro and micro averages of F-beta try the same ratios of costs."""
    X, Y = multilabel
    fresh = MeasureClassifier(measure=second, random_state=0).fit(X, Y)
    other = MeasureClassifier(measure=first, random_state=0).fit(X, Y).retarget(second, X, Y)
    assert_allclose(other.threshold_, fresh.threshold_)
    assert_allclose(other.best_score_, fresh.best_score_)
    assert_array_equal(other.predict(X), fresh.predict(X))


def test_without_rows_only_thresholds_move(binary):
    """Nothing is trained: the models are the very same."""
    X, y = binary
    clf = MeasureClassifier(random_state=0).fit(X, y)
    other = clf.retarget("f2")
    assert other.models_ == clf.models_
    assert other.predict(X).sum() > clf.predict(X).sum()
    assert other.measure == "f2"
    assert clf.measure == "f1"


def test_f1_and_jaccard_have_the_same_classifier(binary):
    """Jaccard is an increasing function of F1."""
    X, y = binary
    clf = MeasureClassifier(search=Grid(9), random_state=0).fit(X, y)
    other = clf.retarget("jaccard", X, y)
    assert_array_equal(clf.predict(X), other.predict(X))
    assert_allclose(other.best_score_, clf.best_score_ / (2 - clf.best_score_))


def test_constraints_hold_on_the_validation_rows(binary):
    """Most recall at a precision of at least 0.9."""
    X, y = binary
    clf = MeasureClassifier(random_state=0).fit(X, y)
    other = clf.retarget(RecallAtPrecision(0.9), X, y)
    (choice,) = other._choices
    profile = choice.profile
    assert profile.precision[0] >= 0.9 - 1e-12
    for candidate in clf.sweep_.by_group[0]:
        allowed = candidate.curve.precision[:, 0] >= 0.9
        assert (candidate.curve.recall[allowed, 0] <= profile.recall[0] + 1e-12).all()


def test_frontier_holds_the_best_of_every_measure(multilabel):
    """By brute force over all candidates and cuts of a label."""
    X, Y = multilabel
    clf = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y)
    for measure in (FBeta(), FBeta(3), Jaccard(), CohenKappa()):
        best = [
            max(float(np.max(measure.value(c.curve))) for c in candidates)
            for candidates in clf.sweep_.by_group
        ]
        assert_allclose(clf.frontier_.value(replace(measure, average="macro")), np.mean(best))
    rows = clf.frontier_.rows()
    first = rows[0]
    assert set(first) >= {"label", "fn", "fp", "precision", "recall", "threshold", "level", "C"}
    assert FBeta().value(ErrorProfile(first["fn"], first["fp"], Y[:, 0].mean())) >= 0


def test_what_cannot_be_retargeted_says_so(binary):
    """Portfolios keep no scores; half of the data is no data."""
    X, y = binary
    clf = MeasureClassifier(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="needs both X and y"):
        clf.retarget("f2", X)
    with pytest.raises(ValueError, match="Unknown measure"):
        clf.retarget("f1_macr")
