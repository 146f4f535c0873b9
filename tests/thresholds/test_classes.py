"""Offsets: thresholds of the classes of a multiclass problem, against all cuts."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudolinear import (
    BalancedAccuracy,
    CohenKappa,
    FBeta,
    FBetaOverLabels,
    Jaccard,
    LinearFractional,
    WeightedAccuracy,
    best_offsets,
)
from pseudolinear.errors import ErrorProfile
from pseudolinear.thresholds import class_curve

SEEDS = st.integers(0, 2**32 - 1)
DEFAULT = [
    FBeta(default_class="O"),
    FBeta(2.0, default_class="O"),
    FBetaOverLabels(default_class="O"),
    FBetaOverLabels(0.5, default_class="O"),
    Jaccard(default_class="O"),
]
ASCENDED = [
    FBeta(average="macro"),
    FBeta(2.0, average="macro"),
    CohenKappa(average="macro"),
    FBeta(average="weighted"),
    Jaccard(average="weighted", zero_division=1.0),
    BalancedAccuracy(average="multiclass"),
    CohenKappa(average="multiclass"),
    WeightedAccuracy(average="multiclass"),
]


def problem(seed, names="Oab"):
    """Draw classes that all occur, and tied scores that know a little of them."""
    rng = np.random.default_rng(seed)
    classes = np.array(sorted(names))
    codes = np.concatenate(
        [np.arange(len(names)), rng.integers(0, len(names), rng.integers(1, 12))]
    )
    scores = rng.integers(0, 5, (codes.size, classes.size)) * 0.5
    scores[np.arange(codes.size), codes] += rng.integers(0, 3) * 0.5
    return (
        classes,
        classes[codes],
        scores,
        rng.integers(0, 4, codes.size) + (np.arange(codes.size) < 3),
    )


def predict(classes, scores, thresholds):
    return classes[(scores - thresholds).argmax(axis=1)]


def leads(classes, scores):
    """Give the lead of the best other class over the default class "O", and that class."""
    others = scores[:, classes != "O"]
    lead = others.max(axis=1) - scores[:, classes == "O"][:, 0]
    return lead, classes[classes != "O"][others.argmax(axis=1)]


@pytest.mark.parametrize("measure", DEFAULT, ids=repr)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_default_class_threshold_is_the_best_of_all_cuts(measure, seed):
    """The lead that another class needs over the default one, over all cuts of the leads."""
    classes, true, scores, weight = problem(seed, "Oabc")
    lead, best_other = leads(classes, scores)
    best = max(
        measure.score(true, np.where(lead >= theta, best_other, "O"), weight)
        for theta in [np.inf, *np.unique(lead)]
    )
    cut = best_offsets(true, scores, measure, sample_weight=weight)
    assert cut.value == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("measure", ASCENDED, ids=repr)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_errors_of_classes_are_those_of_the_predictions(measure, seed):
    """The largest score less threshold gives the profile and the value of the cut."""
    classes, true, scores, weight = problem(seed)
    cut = best_offsets(true, scores, measure, sample_weight=weight)
    pred = predict(classes, scores, cut.threshold)
    profile = measure.profile(true, pred, weight)
    np.testing.assert_allclose(cut.profile.errors, profile.errors, atol=1e-12)
    assert measure.value(profile) == pytest.approx(cut.value, abs=1e-12)


@pytest.mark.parametrize("measure", DEFAULT, ids=repr)
@settings(max_examples=10)
@given(seed=SEEDS, names=st.sampled_from(["LMO", "Oab"]))  # the default class last, or first
def test_default_class_errors_are_those_of_the_predictions(measure, names, seed):
    """Rows whose lead is at least the threshold get the best other class, the rest the default."""
    classes, true, scores, weight = problem(seed, names)
    scores = scores + np.random.default_rng(seed).normal(0, 0.01, scores.shape)
    cut = best_offsets(true, scores, measure, sample_weight=weight)
    (theta,) = np.unique(cut.threshold[classes != "O"])
    lead, best_other = leads(classes, scores)
    profile = measure.profile(true, np.where(lead >= theta, best_other, "O"), weight)
    assert cut.threshold[classes == "O"] == 0
    np.testing.assert_allclose(cut.profile.errors, profile.errors, atol=1e-12)
    assert measure.value(profile) == pytest.approx(cut.value, abs=1e-12)


@pytest.mark.parametrize("measure", DEFAULT, ids=repr)
@given(seed=SEEDS)
@settings(max_examples=25, deadline=None)
def test_every_cut_of_a_default_class_counts_the_errors_of_its_predictions(measure, seed):
    """Errors of all classes, by the weights of the rows, at every threshold of the curve."""
    _, names, scores, weight = problem(seed)
    codes = np.searchsorted(["O", "a", "b"], names)
    curve = class_curve(codes, scores, measure, weight / 3)
    for k, thresholds in enumerate(curve.thresholds):
        predicted = (scores - thresholds).argmax(axis=1)
        counted = ErrorProfile.from_labels(
            codes, predicted, labels=range(3), sample_weight=weight / 3
        )
        for name in ("fn", "fp"):
            found = getattr(curve.profile(k), name)
            np.testing.assert_allclose(found, getattr(counted, name), atol=1e-12)
            assert (found >= 0).all()


def test_subtracting_the_outermost_threshold_predicts_what_was_counted():
    """Everything is given the other class, for which both scores must differ after rounding."""
    true, scores = np.array(["O", "a"]), np.array([[2.5, 1.0], [2.5, 1.0]])
    cut = best_offsets(true, scores, DEFAULT[0])
    assert cut.value == pytest.approx(2 / 3)
    np.testing.assert_array_equal(predict(np.array(["O", "a"]), scores, cut.threshold), ["a", "a"])


@pytest.mark.parametrize("measure", ASCENDED, ids=repr)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_offsets_of_classes_are_never_worse_than_none(measure, seed):
    """The ascent starts from the largest score and only rises."""
    classes, true, scores, weight = problem(seed, "abcd")
    plain = measure.score(true, predict(classes, scores, 0), weight)
    assert best_offsets(true, scores, measure, sample_weight=weight).value >= plain - 1e-12


@pytest.mark.parametrize("measure", ASCENDED, ids=repr)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_offsets_of_classes_of_two_classes_are_the_best_of_all(measure, seed):
    """With two classes only the difference matters; a grid finer than the scores finds it."""
    classes, true, scores, weight = problem(seed, "ab")
    grid = np.arange(-4.125, 4.2, 0.25)  # between all multiples of 1/2
    best = max(
        measure.score(true, predict(classes, scores, [0, offset]), weight) for offset in grid
    )
    cut = best_offsets(true, scores, measure, sample_weight=weight)
    plain = measure.score(true, predict(classes, scores, 0), weight)
    assert cut.value == pytest.approx(max(best, plain), abs=1e-9)


@pytest.mark.parametrize("measure", ASCENDED, ids=repr)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_offsets_of_classes_cannot_be_improved_one_at_a_time(measure, seed):
    """The ascent ends where no change of a single threshold helps."""
    classes, true, scores, weight = problem(seed, "abc")
    cut = best_offsets(true, scores, measure, sample_weight=weight)
    for k, change in product(range(3), np.arange(-6, 6, 0.5 * np.sqrt(2))):
        moved = cut.threshold + change * (np.arange(3) == k)
        value = measure.score(true, predict(classes, scores, moved), weight)
        assert value <= cut.value + 1e-9


@pytest.mark.parametrize(
    "measure", [DEFAULT[0], DEFAULT[2], ASCENDED[0], ASCENDED[3], ASCENDED[6]], ids=repr
)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_weights_count_as_repeated_rows(measure, seed):
    """A weight of 2 is the row twice, a weight of 0 is no row."""
    classes, true, scores, weight = problem(seed)
    weighted = best_offsets(true, scores, measure, classes=classes, sample_weight=weight)
    rows = np.repeat(np.arange(true.size), weight)
    repeated = best_offsets(true[rows], scores[rows], measure, classes=classes)
    assert weighted.value == pytest.approx(repeated.value, abs=1e-12)
    np.testing.assert_allclose(weighted.profile.errors, repeated.profile.errors, atol=1e-12)


@given(seed=SEEDS)
def test_two_classes_with_a_default_class_need_the_binary_threshold(seed):
    """The value is that of the best cut of the difference of both scores."""
    _, true, scores, weight = problem(seed, "Oa")
    lead = scores[:, 1] - scores[:, 0]
    cuts = [np.where(lead >= theta, "a", "O") for theta in [np.inf, *np.unique(lead)]]
    best = max(FBeta(pos_label="a").score(true, pred, weight) for pred in cuts)
    cut = best_offsets(true, scores, DEFAULT[0], sample_weight=weight)
    assert cut.value == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "cohen_kappa"])
def test_plain_names_are_read_for_the_classes_there_are(name):
    """Of three classes each is scikit-learn's, so a perfect score has the value 1."""
    assert best_offsets(["a", "b", "c"], np.eye(3), name).value == pytest.approx(1)


@settings(max_examples=10)
@given(seed=SEEDS)
def test_a_ratio_given_by_its_factors_has_the_same_offsets(seed):
    """Cohen's kappa as a linear-fractional measure of three classes."""
    _, true, scores, _ = problem(seed)
    _, counts = np.unique(true, return_counts=True)
    alpha0, gamma, alpha1, delta = ASCENDED[6].coefficients(counts / counts.sum())
    factors = LinearFractional(alpha0, gamma.ravel(), alpha1, delta.ravel())
    expected = best_offsets(true, scores, ASCENDED[6])
    assert best_offsets(true, scores, factors).value == pytest.approx(expected.value)


def test_without_default_class_a_micro_average_needs_no_offsets():
    """It is accuracy, for which the largest score is the rule."""
    cut = best_offsets(["a", "b", "c"], np.eye(3), "f1_micro")
    np.testing.assert_array_equal(cut.threshold, 0)
    assert cut.value == 1


@pytest.mark.parametrize(
    ("scores", "measure", "message"),
    [
        (
            np.ones((3, 2)),
            "f1_macro",
            r"one column for each of the 3 classes, got the shape \(3, 2",
        ),
        (
            np.ones((2, 3)),
            "f1_macro",
            r"one column for each of the 3 classes, got the shape \(2, 3",
        ),
        (np.full((3, 3), np.nan), "f1_macro", "y_score must be finite"),
        (np.eye(3), "f1", "use f1_micro or f1_macro"),
        (np.eye(3), FBeta(default_class="z"), "default_class='z' is not one of the classes"),
    ],
)
def test_best_offsets_says_what_is_wrong(scores, measure, message):
    """Each mistake has its sentence."""
    with pytest.raises(ValueError, match=message):
        best_offsets(["a", "b", "c"], scores, measure)


def test_classes_without_a_column_are_refused():
    """A row of a class that no column scores cannot be counted."""
    with pytest.raises(ValueError, match="'z'"):
        best_offsets(["a", "b", "z"], np.ones((3, 2)), classes=["a", "b"])


def test_class_that_is_never_predicted_has_the_value_of_zero_division():
    """Moving a or b by 2 makes every row right, and the absent class c counts as 1."""
    true = ["a"] * 6 + ["b"] * 4
    scores = [[5, 0, 1]] * 3 + [[1, 2, -5]] * 3 + [[-5, 5, 0]] * 4
    measure = FBeta(average="macro", zero_division=1.0)
    assert best_offsets(true, scores, measure, classes=["a", "b", "c"]).value == 1
