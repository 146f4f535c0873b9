"""Solve once, answer every measure."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

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


@pytest.fixture(scope="module")
def fitted(binary):
    """The classifier of the largest F1."""
    return MeasureClassifier("linear", selection="largest_value", random_state=0).fit(*binary)


@pytest.fixture(scope="module")
def fitted_labels(multilabel):
    """The classifiers of both averages of F1."""
    names = ("f1_macro", "f1_micro")
    return {
        n: MeasureClassifier("linear", measure=n, random_state=0).fit(*multilabel) for n in names
    }


def costs_tried(clf):
    """Return the costs of all pooled candidates, in order."""
    rows = [row for row in clf.sweep_.rows() if row["fold"] == -1]
    return sorted((row["cost_fn"] / row["cost_fp"], row["C"]) for row in rows)


@pytest.mark.parametrize("measure", ["f2", "f0.5", "jaccard", "cohen_kappa"])
def test_binary_result_is_that_of_a_fresh_fit(binary, fitted, measure):
    """These measures try the ratios of costs of F1, so the choice is among the same candidates."""
    X, y = binary
    other = fitted.retarget(measure, X, y)
    fresh = clone(fitted).set_params(measure=measure).fit(X, y)
    assert_allclose(costs_tried(other), costs_tried(fresh))
    assert_allclose(other.costs_, fresh.costs_)
    assert_allclose(other.threshold_, fresh.threshold_)
    assert_allclose(other.best_score_, fresh.best_score_)
    assert_array_equal(other.predict(X), fresh.predict(X))


@pytest.mark.parametrize("measure", ["f2", "jaccard", "balanced_accuracy", "accuracy"])
def test_the_value_is_that_of_the_frontier(binary, fitted, measure):
    """Nothing that the sweep has seen is better, whatever costs the measure would have tried."""
    assert fitted.retarget(measure, *binary).best_score_ == fitted.frontier_.value(measure)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("f1_macro", "f1_micro"),
        ("f1_micro", "f2_macro"),
        ("f1_macro", "jaccard_macro"),
        ("f1_micro", "f0.5_micro"),
    ],
)
def test_averages_can_be_exchanged(multilabel, fitted_labels, first, second):
    """Macro and micro averages of F-beta try the same ratios of costs."""
    X, Y = multilabel
    fresh = MeasureClassifier("linear", measure=second, random_state=0).fit(X, Y)
    other = fitted_labels[first].retarget(second, X, Y)
    assert_allclose(other.threshold_, fresh.threshold_)
    assert_allclose(other.best_score_, fresh.best_score_)
    assert_array_equal(other.predict(X), fresh.predict(X))


@pytest.mark.parametrize("first", ["balanced_accuracy_macro", "cohen_kappa_macro"])
def test_labels_may_have_tried_other_levels_than_each_other(multilabel, first):
    """Then a micro average takes of each label what is nearest to a level, trained or not."""
    X, Y = multilabel
    clf = MeasureClassifier("linear", measure=first, random_state=0).fit(X, Y)
    best = MeasureClassifier("linear", measure="f1_micro", random_state=0).fit(X, Y).best_score_
    assert clf.retarget("f1_micro", X, Y).best_score_ > best - 0.02
    assert clf.retarget("f1_micro").best_score_ > best - 0.02


def test_without_rows_only_thresholds_move(binary, fitted):
    """Nothing is trained: the models are the very same."""
    X, _ = binary
    other = fitted.retarget("f2")
    assert other.models_ == fitted.models_
    assert other.predict(X).sum() > fitted.predict(X).sum()
    assert other.measure == "f2"
    assert fitted.measure == "f1"


def test_f1_and_jaccard_have_the_same_classifier(binary):
    """Jaccard is an increasing function of F1."""
    X, y = binary
    clf = MeasureClassifier(
        "linear", search=Grid(9), selection="largest_value", random_state=0
    ).fit(X, y)
    other = clf.retarget("jaccard", X, y)
    assert_array_equal(clf.predict(X), other.predict(X))
    assert_allclose(other.best_score_, clf.best_score_ / (2 - clf.best_score_))


def test_constraints_hold_on_the_validation_rows(binary):
    """Most recall at a precision of at least 0.9."""
    X, y = binary
    fitted = MeasureClassifier("linear", random_state=0).fit(X, y)
    other = fitted.retarget(RecallAtPrecision(0.9), X, y)
    (choice,) = other.sweep_.choices
    profile = choice.profile
    assert profile.precision[0] >= 0.9 - 1e-12
    best = max(
        candidate.curve.recall[candidate.curve.precision[:, 0] >= 0.9, 0].max(initial=0)
        for candidate in fitted.sweep_.by_goal[0]
    )
    assert profile.recall[0] == pytest.approx(best)


def test_frontier_holds_the_best_of_every_measure(multilabel, fitted_labels):
    """By brute force over all candidates and cuts of a label."""
    _, Y = multilabel
    clf = fitted_labels["f1_macro"]
    for measure in (FBeta(), FBeta(3), Jaccard(), CohenKappa()):
        best = [
            max(float(np.max(measure.value(c.curve))) for c in candidates)
            for candidates in clf.sweep_.by_goal
        ]
        assert_allclose(clf.frontier_.value(replace(measure, average="macro")), np.mean(best))
    rows = clf.frontier_.rows()
    assert set(rows[0]) >= {"label", "fn", "fp", "precision", "recall", "threshold", "level", "C"}
    for row in rows:
        profile = ErrorProfile(row["fn"], row["fp"], Y[:, row["label"]].mean())
        assert_allclose(
            [row["precision"], row["recall"]], [profile.precision[0], profile.recall[0]]
        )


def test_what_cannot_be_retargeted_says_so(binary, fitted):
    """Half of the data is no data."""
    X, _ = binary
    with pytest.raises(ValueError, match="needs both X and y"):
        fitted.retarget("f2", X)
    with pytest.raises(ValueError, match="Unknown measure"):
        fitted.retarget("f1_macr")


@pytest.mark.parametrize("rows", [False, True], ids=["thresholds alone", "trained again"])
def test_a_portfolio_can_be_retargeted(binary, rows):
    """F2 wants more recall than F1, from the same members."""
    X, y = binary
    members = [LogisticRegression(), GaussianNB()]
    clf = MeasureClassifier(members, cost_sensitive=False, random_state=0).fit(X, y)
    other = clf.retarget("f2", *(binary if rows else ()))
    assert other.predict(X).sum() > clf.predict(X).sum()
    assert other.score(X, y) > FBeta(2).score(y, clf.predict(X))
    assert other.best_score_ == pytest.approx(other.certificate_.value)
