"""Costs in the user's unit: they are means of what rows cost, whatever their scale."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudolinear import (
    ErrorProfile,
    ExpectedCost,
    FBeta,
    MinimalCost,
    WeightedAccuracy,
    best_threshold,
    best_thresholds,
    resampled_threshold,
)
from pseudolinear.evaluation import ratio_of
from pseudolinear.measures import RowCosts


def _rows(seed, n=40, largest=1000.0, negative=False):
    """Return classes, scores with ties, predictions, weights and the costs of every cell."""
    rng = np.random.default_rng(seed)
    y, pred = rng.random(n) < 0.4, rng.random(n) < 0.5
    tp, tn = rng.normal(0, largest / 10, (2, n))
    fn, fp = np.stack([tp, tn]) + rng.uniform(-0.5 * largest if negative else 0, largest, (2, n))
    if negative:  # never both errors cheaper than the right answers
        fp = np.where((fn < tp) & (fp < tn), tn + 1.0, fp)
    y[:2] = [True, False]
    return y, rng.integers(0, 9, n).astype(float), pred, rng.uniform(0.1, 3, n), (fn, fp, tp, tn)


def _cost(y, pred, costs, weight=None):
    fn, fp, tp, tn = costs
    rows = np.where(y, np.where(pred, tp, fn), np.where(pred, fp, tn))
    return np.average(rows, weights=weight)


@given(st.integers(0, 10**6))
def test_the_value_is_minus_the_mean_cost(seed):
    """With costs by row and weights, and with fixed costs."""
    y, _, pred, weight, costs = _rows(seed, negative=True)
    measure = ExpectedCost(*costs)
    assert measure.score(y, pred, weight) == pytest.approx(-_cost(y, pred, costs, weight))
    fixed = (700.0, 50.0, -20.0, 3.0)
    assert ExpectedCost(*fixed).score(y, pred, weight) == pytest.approx(
        -_cost(y, pred, fixed, weight)
    )


@given(st.integers(0, 10**6))
def test_the_best_threshold_is_that_of_brute_force(seed):
    """Among all cuts of a score with ties, also where an error is cheaper than the right answer."""
    y, score, _, weight, costs = _rows(seed, negative=True)
    cut = best_threshold(y, score, ExpectedCost(*costs), weight)
    cuts = [*np.unique(score), np.inf]
    least = min(_cost(y, score >= t, costs, weight) for t in cuts)
    assert _cost(y, score >= cut.threshold, costs, weight) == pytest.approx(least)
    assert cut.value == pytest.approx(-least)


def test_weights_are_repeated_rows():
    """A row of weight 2 is two rows."""
    y, score, _, _, costs = _rows(3)
    repeats = np.arange(len(y)) % 3 + 1
    again = ExpectedCost(*(np.repeat(cost, repeats) for cost in costs))
    one = best_threshold(y, score, ExpectedCost(*costs), repeats)
    other = best_threshold(np.repeat(y, repeats), np.repeat(score, repeats), again)
    assert (one.threshold, one.value) == pytest.approx((other.threshold, other.value))


@given(st.integers(0, 10**6), st.sampled_from([1e-3, 1e3, 1e6]))
def test_another_unit_changes_the_value_alone(seed, unit):
    """Thresholds are the same in cents."""
    y, score, _, _, costs = _rows(seed)
    one = best_threshold(y, score, ExpectedCost(*costs))
    other = best_threshold(y, score, ExpectedCost(*(unit * cost for cost in costs)))
    assert other.threshold == one.threshold
    assert other.value == pytest.approx(unit * one.value)


def test_what_both_decisions_cost_changes_no_decision():
    """The same amount added to tp and fn, and to tn and fp, shifts the value."""
    y, score, _, _, (fn, fp, tp, tn) = _rows(5)
    one = best_threshold(y, score, ExpectedCost(fn, fp, tp, tn))
    other = best_threshold(y, score, ExpectedCost(fn + 70, fp - 9, tp + 70, tn - 9))
    assert other.threshold == one.threshold
    assert other.value == pytest.approx(one.value - 70 * y.mean() + 9 * (1 - y.mean()))


def test_fixed_costs_choose_as_their_relatives_do():
    """WeightedAccuracy, and the objective of least cost; costs by row that are equal as well."""
    y, score, *_ = _rows(7, n=200)
    cuts = [
        best_threshold(y, score, objective).threshold
        for objective in (
            ExpectedCost(5, 2),
            ExpectedCost(np.full(200, 5.0), 2),
            WeightedAccuracy(5.0, 2.0),
            MinimalCost(5.0, 2.0),
        )
    ]
    assert len(set(cuts)) == 1


def test_costs_do_not_depend_on_the_level():
    """So one problem is trained for each setting."""
    measure = ExpectedCost(fn=500, fp=20, tp=-10, tn=1)
    np.testing.assert_allclose(measure.costs(-37.0), measure.costs(1200.0))
    np.testing.assert_allclose(measure.costs(0.0), [510, 19])


def test_micro_and_macro_averages_are_equal():
    """Both are the mean over rows and labels."""
    profile = ErrorProfile([0.1, 0.05], [0.2, 0.01], [0.3, 0.1])
    micro, macro = (ExpectedCost(50, 3, 1, average=a).value(profile) for a in ("micro", "macro"))
    assert micro == pytest.approx(macro)


def test_several_labels_have_a_threshold_each():
    """The cheapest of each; the value is the mean over rows and labels."""
    y, score, _, weight, costs = _rows(11)
    z, other, *_ = _rows(12)
    Y, S, measure = np.stack([y, z], 1), np.stack([score, other], 1), ExpectedCost(*costs)
    cut = best_thresholds(Y, S, ExpectedCost(*costs, average="macro"), weight)
    alone = [best_threshold(a, b, measure, weight) for a, b in ((y, score), (z, other))]
    np.testing.assert_array_equal(cut.threshold, [one.threshold for one in alone])
    assert cut.value == pytest.approx(np.mean([one.value for one in alone]))
    many = ExpectedCost(*costs, average="macro")
    assert many.score(Y.astype(int), (cut.threshold <= S).astype(int), weight) == pytest.approx(
        cut.value
    )


def test_resamples_keep_the_costs_of_their_rows():
    """As those of equal costs do, which are fixed ones."""
    y, score, *_ = _rows(13, n=300)
    kinds = ExpectedCost(50, 20), ExpectedCost(np.full(300, 50.0), 20)
    fixed, by_row = (
        resampled_threshold(y, score + 3 * y, kind, random_state=0, n_resamples=30)
        for kind in kinds
    )
    assert by_row.cut.threshold == fixed.cut.threshold
    assert by_row.expected == pytest.approx(fixed.expected)


@pytest.mark.parametrize("scale", [1.0, 1e6, 1e-6])
def test_large_and_small_costs_are_ratios_of_sums_as_well(scale):
    """Rounding at their size does not hide it, so that intervals know their limits."""
    ratio = ratio_of(ExpectedCost(500.1 * scale, 20.7 * scale, -0.3 * scale, 0.1 * scale))
    assert ratio.range == pytest.approx((-500.1 * scale, 0.3 * scale))


@given(st.integers(0, 10**6))
def test_bayes_rule_is_a_cut_of_moved_log_odds_at_0(seed):
    """The cheaper decision in expectation, also in rows that are decided by their costs."""
    _, _, _, _, (fn, fp, tp, tn) = _rows(seed, negative=True)
    log_odds = np.random.default_rng(seed).normal(0, 3, len(fn))
    p = 1 / (1 + np.exp(-log_odds))
    positive, negative = p * tp + (1 - p) * fp, p * fn + (1 - p) * tn
    moved = RowCosts(tp, fn, fp, tn).move(log_odds[:, None])[:, 0]
    np.testing.assert_array_equal(moved > 0, positive < negative)


def test_reprs_are_brief_and_equal_costs_are_equal():
    """Arrays are counted, not written; measures can be compared and hashed."""
    amounts = np.arange(1.0, 1001.0)
    measure = ExpectedCost(fn=amounts, fp=20)
    assert repr(measure) == "ExpectedCost(fn=<1000 costs>, fp=20.0)"
    assert measure == ExpectedCost(amounts.copy(), 20)
    assert len({measure, ExpectedCost(amounts, 20), ExpectedCost(amounts, 21)}) == 2
    assert measure != FBeta()
    assert repr(ExpectedCost(0, 5, tp=-3, pos_label="x")) == (
        "ExpectedCost(fn=0.0, fp=5.0, tp=-3.0, pos_label='x')"
    )


def test_columns_are_read_from_rows():
    """One array per name."""
    X = pd.DataFrame({"amount": [5, 6], "fee": [1.0, 2.0]})
    read = ExpectedCost("amount", "fee", tp="fee").on(X)
    np.testing.assert_array_equal(read.fn, [5.0, 6.0])
    np.testing.assert_array_equal(read.tp, read.fp)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: ExpectedCost(fn=1, fp=1, tp=2), "must cost more than the right answer"),
        (lambda: ExpectedCost(fn=np.nan, fp=1), "fn is NaN or infinite"),
        (lambda: ExpectedCost(fn=[1.0, np.nan], fp=1), "in 1 of 2 rows"),
        (lambda: ExpectedCost(fn=[], fp=1), "one number per row"),
        (lambda: ExpectedCost(fn="a", fp=1, average="micro"), "no micro average"),
        (lambda: ExpectedCost(fn="a", fp=1).score([0, 1], [1, 1]), "'a' names a column of X"),
        (lambda: ExpectedCost(fn=[1, 2], fp=1).score([0, 1, 1], [1, 1, 0]), "2 costs, but .* 3"),
        (lambda: ExpectedCost(fn=[0, 9], fp=0, tp=2, tn=2).score([0, 1], [1, 1]), "1 of 2 rows"),
        (lambda: ExpectedCost(fn=[1, 2], fp=1).costs(0.0), "costs by row"),
        (
            lambda: best_threshold([0, 1], [0.1, 0.2], ExpectedCost(fn=[0, 0], fp=0)),
            "nothing to decide",
        ),
        (
            lambda: ExpectedCost("a", 1).on(pd.DataFrame({"a": ["x"]})),
            "column 'a' must hold numbers, got 'x'",
        ),
        (
            lambda: ExpectedCost("a", 1).on(pd.DataFrame({"a": [1.0, np.nan]})),
            "column 'a' is NaN or infinite in 1 of 2 rows",
        ),
        (lambda: ExpectedCost("b", 1).on(pd.DataFrame({"a": [1.0]})), "no column 'b'"),
        (lambda: ExpectedCost("a", 1).on(np.ones((2, 2))), "X must be a data frame"),
    ],
)
def test_what_is_wrong_is_said(make, text):
    """One sentence each."""
    with pytest.raises(ValueError, match=text):
        make()


def test_a_cost_of_another_type_is_refused():
    """Neither a number, a name nor one number per row."""
    with pytest.raises(TypeError, match="got dict"):
        ExpectedCost(fn={}, fp=1)
