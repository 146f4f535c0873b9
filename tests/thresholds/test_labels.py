"""Thresholds: the exact best cut, against all cuts tried one by one in exact arithmetic."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudolinear import (
    BalancedAccuracy,
    CohenKappa,
    ErrorCurve,
    ErrorProfile,
    FalseNegativesAtFalsePositives,
    FBeta,
    GowerLegendre,
    Jaccard,
    LinearFractional,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtBudget,
    RecallAtPrecision,
    Tversky,
    WeightedAccuracy,
    best_shared_threshold,
    best_threshold,
    best_thresholds,
)

BINARY = [FBeta(), FBeta(0.5), FBeta(2.0), Jaccard(), Tversky(0.2, 2.0), CohenKappa()]
BINARY += [BalancedAccuracy(), WeightedAccuracy(2.0, 1.0), GowerLegendre()]
MICRO = [FBeta(average="micro"), FBeta(2.0, average="micro")]
MICRO += [Jaccard(average="micro"), CohenKappa(average="micro")]
FIXED = LinearFractional(1.0, [-0.5, 0], 1.0, [-0.25, 1], average="micro")
# Few distinct scores make many ties; the weights are small integers, zero included.
ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=20
).filter(lambda rows: any(y * w for y, _, w in rows))
# F1 = 2/3 for the cuts 9.5 and 8.5: (tp, fp) = (2, 1) and (3, 3).
TIED_LABELS = [1, 1, 0, 1, 0, 0, 0, 0, 0]
TIED_SCORES = [10, 10, 10, 9, 9, 9, 8, 8, 8]
# Away from the fractions that can occur, so that rounding cannot decide.
SHARES = st.fractions(Fraction(1, 20), 1, max_denominator=20).map(lambda x: x - Fraction(1, 10**6))
SEEDS = st.integers(0, 2**32 - 1)


def columns(rows):
    return tuple(np.array(column) for column in zip(*rows, strict=True))


def all_cuts(score):
    """Give every prediction that a threshold can make, from none to all."""
    return [score >= theta for theta in [np.inf, *np.unique(score)[::-1]]]


def counts(true, pred, weight):
    """Give tp, fp, fn as whole numbers."""
    true, pred = true.astype(bool), pred.astype(bool)
    return tuple(int(weight[rows].sum()) for rows in (true & pred, ~true & pred, true & ~pred))


def exact_f1(true, pred, weight):
    tp, fp, fn = counts(true, pred, weight)
    return Fraction(2 * tp, 2 * tp + fp + fn)


@pytest.mark.parametrize("measure", BINARY, ids=repr)
@settings(max_examples=10)
@given(rows=ROWS)
def test_best_threshold_is_the_best_of_all_cuts(measure, rows):
    """The value equals the largest one over all cuts, ties and weights included."""
    true, score, weight = columns(rows)
    best = max(measure.score(true, pred, weight) for pred in all_cuts(score))
    assert best_threshold(true, score, measure, weight).value == pytest.approx(best, abs=1e-12)


@given(rows=ROWS)
def test_predicting_by_the_threshold_gives_the_reported_errors(rows):
    """Rows with score >= threshold have the profile and the value of the cut."""
    true, score, weight = columns(rows)
    cut = best_threshold(true, score, "f1", weight)
    profile = ErrorProfile.from_labels(true, score >= cut.threshold, sample_weight=weight)
    np.testing.assert_allclose(cut.profile.errors, profile.errors, atol=1e-14)
    assert FBeta().value(profile) == pytest.approx(cut.value, abs=1e-14)


@given(rows=ROWS)
def test_best_cut_has_the_best_exact_value(rows):
    """The largest F1 in exact arithmetic is reached, whatever the rounding."""
    true, score, weight = columns(rows)
    values = [exact_f1(true, pred, weight) for pred in all_cuts(score)]
    cut = best_threshold(true, score, "f1", weight)
    assert exact_f1(true, score >= cut.threshold, weight) == max(values)


def test_of_equally_good_cuts_the_one_with_fewest_predictions_wins():
    """Predicting one row or three both give an accuracy of 3/4."""
    cut = best_threshold([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0], "accuracy")
    assert cut.value == 0.75
    assert cut.threshold == 3.5


def test_rounding_does_not_decide_between_equally_good_cuts():
    """2 of 3 found with one error, or all with three: F1 = 2/3, and the shorter list wins."""
    cut = best_threshold(TIED_LABELS, TIED_SCORES, "f1")
    assert cut.threshold == 9.5


@given(rows=ROWS)
def test_weights_count_as_repeated_rows(rows):
    """A weight of 2 is the row twice, a weight of 0 is no row: the same threshold follows."""
    true, score, weight = columns(rows)
    weighted = best_threshold(true, score, "f1", weight)
    repeated = best_threshold(np.repeat(true, weight), np.repeat(score, weight), "f1")
    assert weighted.value == pytest.approx(repeated.value, abs=1e-14)
    kept = np.repeat(score, weight)
    np.testing.assert_array_equal(kept >= weighted.threshold, kept >= repeated.threshold)


@given(rows=ROWS)
def test_f1_and_jaccard_choose_equally_good_cuts(rows):
    """One is an increasing function of the other: the best cut of one is one of the other."""
    true, score, weight = columns(rows)
    cuts = [best_threshold(true, score, name, weight) for name in ("f1", "jaccard")]
    f1, jaccard = ([measure.value(cut.profile) for cut in cuts] for measure in (FBeta(), Jaccard()))
    assert f1[0] == pytest.approx(f1[1], abs=1e-14)
    assert jaccard[0] == pytest.approx(jaccard[1], abs=1e-14)


def test_f1_and_jaccard_break_ties_alike():
    """Equal F1 are equal Jaccard indices, so the same cut wins."""
    f1, jaccard = (best_threshold(TIED_LABELS, TIED_SCORES, name) for name in ("f1", "jaccard"))
    assert f1.threshold == jaccard.threshold


def test_predicting_nothing_is_reachable():
    """Where each prediction costs more than it gains, the threshold lies above all scores."""
    cut = best_threshold([1, 0, 0, 0, 0], [0.1, 0.5, 0.6, 0.7, 0.8], "accuracy")
    assert cut.threshold > 0.8
    assert cut.value == pytest.approx(0.8)


def test_predicting_everything_is_reachable():
    """4(d): for a useless constant score the best F1 is that of all rows, 2P / (1 + P)."""
    cut = best_threshold([1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5])
    assert cut.threshold < 0.5
    assert cut.value == pytest.approx(2 * 0.25 / 1.25)


@given(rows=ROWS, cost_fn=st.integers(0, 9), cost_fp=st.integers(0, 9))
def test_minimal_cost_is_the_least_of_all_cuts(rows, cost_fn, cost_fp):
    """The value is the mean cost of a row."""
    true, score, weight = columns(rows)
    tables = [counts(true, pred, weight) for pred in all_cuts(score)]
    least = min(cost_fn * fn + cost_fp * fp for _, fp, fn in tables) / weight.sum()
    cut = best_threshold(true, score, MinimalCost(cost_fn, cost_fp), weight)
    assert cut.value == pytest.approx(least, abs=1e-12)


@given(rows=ROWS, precision=SHARES)
def test_recall_at_precision_is_the_largest_of_all_allowed_cuts(rows, precision):
    """The constraint leaves some cuts, and the best of them is found; or it leaves none."""
    true, score, weight = columns(rows)
    tables = [counts(true, pred, weight) for pred in all_cuts(score)]
    allowed = [t for t in tables if t[0] + t[1] and Fraction(t[0], t[0] + t[1]) >= precision]
    objective = RecallAtPrecision(float(precision))
    if not allowed:
        with pytest.raises(ValueError, match="No threshold reaches a precision of"):
            best_threshold(true, score, objective, weight)
        return
    expected = max(tp / (tp + fn) for tp, _, fn in allowed)
    assert best_threshold(true, score, objective, weight).value == pytest.approx(expected)


@given(rows=ROWS, recall=SHARES)
def test_precision_at_recall_is_the_largest_of_all_allowed_cuts(rows, recall):
    """Predicting everything is always allowed."""
    true, score, weight = columns(rows)
    tables = [counts(true, pred, weight) for pred in all_cuts(score)]
    expected = max(tp / (tp + fp) for tp, fp, fn in tables if Fraction(tp, tp + fn) >= recall)
    cut = best_threshold(true, score, PrecisionAtRecall(float(recall)), weight)
    assert cut.value == pytest.approx(expected)


def test_wanted_precision_may_be_met_exactly():
    """3 right ones among 4 predictions are a precision of 0.75."""
    cut = best_threshold([1, 1, 1, 0, 0], [2, 2, 2, 2, 1], RecallAtPrecision(0.75))
    assert cut.value == 1


def test_wanted_recall_may_be_met_exactly():
    """1 of 4 positives found is a recall of 0.25."""
    cut = best_threshold([1, 1, 1, 1, 0], [2, 1, 1, 1, 1], PrecisionAtRecall(0.25))
    assert cut.value == 1


def test_of_equal_recalls_the_most_precise_cut_wins():
    """Both positives are found by two cuts; the one with the fewest predictions is taken."""
    cut = best_threshold([1, 1, 0, 0], [4.0, 3.0, 2.0, 1.0], RecallAtPrecision(0.4))
    assert cut.threshold == 2.5


def test_of_equal_precisions_the_cut_of_largest_recall_wins():
    """One or two predictions are without error; two find more."""
    cut = best_threshold([1, 1, 0, 0], [4.0, 3.0, 2.0, 1.0], PrecisionAtRecall(0.3))
    assert cut.threshold == 2.5


@given(rows=ROWS, share=st.fractions(0, 1, max_denominator=20))
def test_false_negatives_at_false_positives_are_the_fewest_of_all_allowed_cuts(rows, share):
    """A cut whose false positives are exactly the allowed ones is allowed."""
    true, score, weight = columns(rows)
    total = int(weight.sum())
    tables = [counts(true, pred, weight) for pred in all_cuts(score)]
    expected = min(fn for _, fp, fn in tables if Fraction(fp, total) <= share) / total
    cut = best_threshold(true, score, FalseNegativesAtFalsePositives(float(share)), weight)
    assert cut.value == pytest.approx(expected, abs=1e-12)


def multilabel(seed, n_labels):
    rng = np.random.default_rng(seed)
    n = rng.integers(2, 7)
    true = rng.random((n, n_labels)) < rng.uniform(0.1, 0.8)
    true[0, 0] = True
    return true, rng.integers(0, 4, (n, n_labels)).astype(float), rng.integers(1, 4, n)


@pytest.mark.parametrize("measure", [FBeta(average="macro"), *MICRO], ids=repr)
@settings(max_examples=15)
@given(seed=SEEDS, n_labels=st.integers(2, 3))
def test_best_thresholds_are_the_best_of_all_combinations(measure, n_labels, seed):
    """4(e): per label for macro averages, jointly for micro averages."""
    true, score, weight = multilabel(seed, n_labels)
    combinations = product(*(all_cuts(column) for column in score.T))
    profiles = [
        ErrorProfile.from_labels(true, np.stack(columns, axis=1), sample_weight=weight)
        for columns in combinations
    ]
    stack = ErrorProfile(
        np.array([p.fn for p in profiles]),
        np.array([p.fp for p in profiles]),
        profiles[0].prevalence,
    )
    cut = best_thresholds(true, score, measure, weight)
    assert cut.value == pytest.approx(measure.value(stack).max(), abs=1e-12)
    assert measure.score(true, score >= cut.threshold, weight) == pytest.approx(cut.value)


@pytest.mark.parametrize("measure", [*MICRO, FIXED], ids=repr)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_best_shared_threshold_is_the_best_of_all_cuts(measure, seed):
    """3.5: one threshold for all labels, over all scores of all labels."""
    true, score, weight = multilabel(seed, 3)
    best = max(measure.score(true, pred, weight) for pred in all_cuts(score))
    cut = best_shared_threshold(true, score, measure, weight)
    assert cut.value == pytest.approx(best, abs=1e-12)
    assert measure.score(true, score >= cut.threshold, weight) == pytest.approx(cut.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0.1, np.nan]), "y_score contains NaN or infinity"),
        (([0, 1], [0.1, np.inf]), "y_score contains NaN or infinity"),
        (([0, 1], [0.1, 0.2, 0.3]), r"y_score has the shape \(3,\) and y_true \(2,\)"),
        (([0, 2], [0.1, 0.2]), r"y_true must hold only 0 and 1, or booleans, got \[0, 2\]"),
        ((["a", "b"], [0.1, 0.2]), "compare your labels with the positive one first"),
        (([], []), "y_true is empty; give at least one row"),
        (([0, 0], [0.1, 0.2]), "y_true has no positive row"),
        (([0, 1], [0.1, 0.2], "f1", [1, -1]), "sample_weight must not be negative, got -1"),
        (([0, 1], [0.1, 0.2], "f1", [0, 0]), "sample_weight is zero for every row"),
        (([0, 1], [0.1, 0.2], "f1", [1, np.nan]), "sample_weight contains NaN or infinity"),
        (([0, 1], [0.1, 0.2], "f1", [1]), r"sample_weight has the shape \(1,\), but there are 2"),
        (([0, 1], [0.2, 0.1], RecallAtPrecision(0.9)), "precision of 0.9; the largest is 0.5"),
    ],
)
def test_best_threshold_says_what_is_wrong(arguments, message):
    """Each mistake has its sentence."""
    with pytest.raises(ValueError, match=message):
        best_threshold(*arguments)


@pytest.mark.parametrize(
    ("objective", "wrong", "message"),
    [
        (RecallAtPrecision, 90, r"RecallAtPrecision: min_precision must be in \(0, 1\], got 90"),
        (RecallAtPrecision, "high", r"min_precision must be in \(0, 1\], got 'high'"),
        (PrecisionAtRecall, 0, r"PrecisionAtRecall: min_recall must be in \(0, 1\], got 0"),
        (RecallAtBudget, 100, r"RecallAtBudget: max_share must be in \(0, 1\], got 100"),
        (FalseNegativesAtFalsePositives, -1, "max_fp must not be negative, got -1"),
    ],
)
def test_constraints_are_checked_before_anything_is_trained(objective, wrong, message):
    """A fit would have found out when it chose its thresholds, at the end."""
    with pytest.raises(ValueError, match=message):
        objective(wrong)


@pytest.mark.parametrize("name", ["f1_macro", "f1_micro", "f1_weighted"])
def test_one_label_has_no_average(name):
    """F1 of the label would be another number than the average over both classes."""
    with pytest.raises(ValueError, match="average over labels, and here is one"):
        best_threshold([0, 1, 1], [0.1, 0.2, 0.3], name)


def test_several_thresholds_need_several_columns():
    """A column of labels has a single threshold."""
    with pytest.raises(ValueError, match="several thresholds need one column per label"):
        best_thresholds([0, 1], [0.1, 0.2])


def test_shared_thresholds_are_for_micro_averages():
    """A macro average falls apart into labels, each with its own threshold."""
    with pytest.raises(ValueError, match="use best_thresholds for means"):
        best_shared_threshold([[0, 1]], [[0.1, 0.2]], "f1_macro")


def test_empty_booleans_are_refused():
    """An empty array of booleans is as empty as one of numbers."""
    with pytest.raises(ValueError, match="y_true is empty; give at least one row"):
        best_threshold(np.array([], dtype=bool), [])


def test_one_threshold_is_for_one_column():
    """Several columns need best_thresholds or best_shared_threshold."""
    with pytest.raises(ValueError, match="shape"):
        best_threshold([[0, 1], [1, 0]], [[0.1, 0.2], [0.3, 0.4]])


def test_default_class_means_nothing_for_a_single_label():
    """A measure with a default class is for multiclass problems: refused, or as without it."""
    with pytest.raises(ValueError, match="default"):
        best_threshold([0, 1, 1], [0.1, 0.2, 0.3], FBeta(default_class=0))


def test_a_single_cut_over_the_budget_is_refused():
    """As of a threshold that is not tuned: it predicts half of the rows."""
    curve = ErrorCurve.from_scores([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0])[2:3]
    assert RecallAtBudget(0.5).choose(curve) == (0, 0.5)
    with pytest.raises(ValueError, match=r"at most 0.4 of all rows; the fewest are 0.5"):
        RecallAtBudget(0.4).choose(curve)


def test_a_constant_score_of_zero_has_a_threshold_that_people_can_read():
    """Everything is positive at it, also in single precision."""
    cut = best_threshold([0, 1, 1], np.zeros(3), "f1")
    assert cut.threshold == -1e-9
    assert np.float32(0) > np.float32(cut.threshold)
    assert cut.value == pytest.approx(0.8)
