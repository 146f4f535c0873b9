"""Costs by row with their intervals."""

import numpy as np
import pytest

from pseudolinear import ExpectedCost, evaluate, evaluate_difference


def _rows(n=400, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.2
    return y, y ^ (rng.random(n) < 0.15), rng.lognormal(4, 1, n), rng.uniform(0.5, 2, n)


def test_the_value_and_the_interval_are_those_of_a_mean():
    """Of many rows, nearly the mean and its standard error."""
    y, pred, amount, _ = _rows(20_000)
    found = evaluate(y, pred, ExpectedCost(fn=amount, fp=20, tp=3))
    costs = np.where(y, np.where(pred, 3, amount), np.where(pred, 20, 0))
    assert found.value == pytest.approx(-costs.mean())
    low, high = found.interval
    assert high - low == pytest.approx(2 * 1.96 * costs.std() / np.sqrt(len(y)), rel=0.02)
    assert found.labels[0].recall == pytest.approx((y & pred).sum() / y.sum())
    assert found.labels[0].interval == found.interval


@pytest.mark.slow
def test_intervals_hold_the_mean_of_costs_with_a_long_tail():
    """Nine in ten at least, of 95 %; without the correction it would be eight in ten."""
    rng, n, held = np.random.default_rng(0), 200, 0
    cost = 0.1 * 0.3 * np.exp(5.5) + 0.9 * 0.05 * 20
    for _ in range(200):
        y, amount = rng.random(n) < 0.1, rng.lognormal(5, 1, n)
        pred = np.where(y, rng.random(n) >= 0.3, rng.random(n) < 0.05)
        low, high = evaluate(y, pred, ExpectedCost(amount, 20)).interval
        held += low <= -cost <= high
    assert held > 180


@pytest.mark.parametrize("method", ["delta", "bootstrap"])
def test_equal_costs_have_the_interval_of_fixed_ones(method):
    """Nearly, since of fixed ones it is known how much a row can cost."""
    y, pred, *_ = _rows(4000)
    fixed = evaluate(y, pred, ExpectedCost(50, 20), method=method)
    by_row = evaluate(y, pred, ExpectedCost(np.full(4000, 50.0), 20), method=method)
    assert by_row.value == pytest.approx(fixed.value)
    np.testing.assert_allclose(by_row.interval, fixed.interval, rtol=0.02)


def test_no_error_seen_is_not_certainty():
    """Rows that were not seen may cost something."""
    y, _, amount, _ = _rows(100)
    low, high = evaluate(y, y, ExpectedCost(fn=amount, fp=20)).interval
    assert low < -0.1
    assert high >= 0


def test_groups_make_the_interval_wider():
    """Copies of a row in one group tell nothing new."""
    y, pred, amount, weight = _rows(300)
    twice = [np.repeat(a, 2) for a in (y, pred, amount, weight, np.arange(300))]
    once = evaluate(y, pred, ExpectedCost(amount, 20), sample_weight=weight)
    both = evaluate(
        twice[0], twice[1], ExpectedCost(twice[2], 20), sample_weight=twice[3], groups=twice[4]
    )
    assert both.value == pytest.approx(once.value)
    np.testing.assert_allclose(both.interval, once.interval, rtol=0.02)


def test_labels_have_their_own_costs():
    """The value is their mean."""
    (y, pred, amount, _), (z, other, *_) = _rows(seed=1), _rows(seed=2)
    Y, P = np.stack([y, z], 1).astype(int), np.stack([pred, other], 1).astype(int)
    found = evaluate(Y, P, ExpectedCost(amount, 20, average="macro"))
    one = evaluate(y, pred, ExpectedCost(amount, 20))
    assert found.labels[0].value == pytest.approx(one.value)
    assert found.value == pytest.approx(np.mean([label.value for label in found.labels]))


def test_the_difference_of_two_is_that_of_paired_costs():
    """What both cost alike does not count."""
    y, one, amount, _ = _rows(3000)
    other = one ^ (np.arange(3000) % 7 == 0)
    found = evaluate_difference(y, one, other, ExpectedCost(amount, 20))
    costs = [np.where(y, np.where(p, 0, amount), np.where(p, 20, 0)) for p in (one, other)]
    gain = costs[0] - costs[1]
    assert found.value == pytest.approx(gain.mean())
    half = found.interval[1] - found.value
    assert half == pytest.approx(1.96 * gain.std() / np.sqrt(3000), rel=0.01)


@pytest.mark.parametrize("method", ["exact", "betting", "wilson"])
def test_intervals_that_need_limits_are_refused(method):
    """Nobody knows how much a row can cost."""
    y, pred, amount, _ = _rows(50)
    with pytest.raises(ValueError, match=r"Costs by row have no exact|does not grow with one"):
        evaluate(y, pred, ExpectedCost(amount, 20), method=method)


@pytest.mark.parametrize("unit", [1e-3, 1e5])
@pytest.mark.parametrize("method", ["auto", "delta", "bootstrap", "exact"])
def test_intervals_of_fixed_costs_scale_with_the_unit(method, unit):
    """As money does."""
    y, pred, *_ = _rows(300)
    one = evaluate(y, pred, ExpectedCost(50, 20, -3, 1), method=method)
    other = evaluate(y, pred, ExpectedCost(*(unit * np.array([50, 20, -3, 1]))), method=method)
    np.testing.assert_allclose(other.interval, unit * np.array(one.interval), rtol=1e-6)


def test_money_is_written_as_money():
    """Two decimals and thousands."""
    found = evaluate([1, 0, 0, 0] * 20, [0, 0, 0, 0] * 20, ExpectedCost(50_000, 20))
    assert str(found).startswith("mean cost (negative) -12,500.00, 95 % interval -")


def test_groups_have_the_costs_of_their_own_rows():
    """The value of a group is the mean over its rows, and the gap that of two such means."""
    y, pred, amount, _ = _rows()
    by = np.arange(len(y)) % 2
    found = evaluate(y, pred, ExpectedCost(fn=amount, fp=20), by=by).by
    costs = np.where(y, np.where(pred, 0, amount), np.where(pred, 20, 0))
    means = [-costs[by == k].mean() for k in (0, 1)]
    assert [found[k].value for k in (0, 1)] == pytest.approx(means)
    assert found.gap.value == pytest.approx(abs(means[0] - means[1]))
