"""Thresholds with interval and spread, and the objective of a budget."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score, recall_score

from pseudolinear import (
    Budget,
    PrecisionAtRecall,
    RecallAtBudget,
    RecallAtPrecision,
    best_threshold,
    resampled_threshold,
)


def draw(n, rng):
    y = rng.random(n) < 0.15
    return y, y + rng.normal(0, 0.9, n)


@pytest.mark.slow
def test_the_expected_value_is_nearer_to_that_of_new_rows():
    """On average over samples, choosing gains something, and half of that or more is taken off.

    Measured over 150 samples each of 100, 400 and 1,500 rows: 92 % of the intervals hold the truth.
    """
    rng = np.random.default_rng(0)
    Y, S = draw(50_000, rng)
    here, expected, truth, inside = [], [], [], []
    for seed in range(30):
        y, s = draw(100, rng)
        found = resampled_threshold(y, s, "f1", random_state=seed)
        here.append(found.cut.value)
        expected.append(found.expected)
        truth.append(f1_score(Y, found.cut.threshold <= S))
        inside.append(found.interval[0] <= truth[-1] <= found.interval[1])
    bias = np.mean(here) - np.mean(truth)
    assert bias > 0.03
    assert abs(np.mean(expected) - np.mean(truth)) < 0.6 * bias
    assert np.mean(inside) > 0.8  # of 30


def test_the_seed_decides_and_weights_are_rows():
    """Twice the same; and the threshold is that of repeated rows."""
    y, s = draw(200, np.random.default_rng(1))
    weight = np.arange(200) % 3
    one, other = (resampled_threshold(y, s, "f1", weight, random_state=3) for _ in range(2))
    assert one.interval == other.interval
    repeated = np.repeat(np.arange(200), weight)
    assert one.cut.threshold == best_threshold(y[repeated], s[repeated]).threshold


def test_resamples_that_cannot_keep_a_constraint_are_counted():
    """Two positive rows of ten are sometimes not drawn at all."""
    found = resampled_threshold([0] * 8 + [1] * 2, np.arange(10.0), random_state=0)
    assert 0 < found.n_failed < 60


@pytest.mark.parametrize("share", [0.05, 0.2, 1.0])
def test_a_budget_is_spent_on_the_highest_scores(share):
    """Most recall that so many rows can give, by brute force over all cuts."""
    y, s = draw(200, np.random.default_rng(2))
    cut = best_threshold(y, s, RecallAtBudget(share))
    assert (s >= cut.threshold).mean() <= share
    allowed = [recall_score(y, s >= c) for c in s if (s >= c).mean() <= share]
    assert cut.value == pytest.approx(max(allowed))


def test_intervals_hold_no_impossible_value():
    """Taking off what choosing gains does not lead beyond the worst and the best value."""
    y, s = draw(500, np.random.default_rng(0))
    weight = np.where(y, 0.02 / y.mean(), 0.98 / (1 - y.mean()))
    for objective in (PrecisionAtRecall(0.01), RecallAtBudget(0.005), RecallAtPrecision(0.9)):
        found = resampled_threshold(y, s, objective, weight, random_state=0)
        assert 0 <= found.interval[0] <= found.expected <= found.interval[1] <= 1


def test_errors_that_no_resample_shows_are_possible():
    """All positive rows found does not make a recall of 1: nearly Jeffreys' interval, less what
    choosing gains, of one label and of several.
    """
    y, s = draw(500, np.random.default_rng(0))
    found = resampled_threshold(y, s, RecallAtPrecision(0.05), random_state=0)
    assert found.cut.value == 1.0
    jeffreys = stats.beta.ppf([0.025, 0.975], y.sum() + 0.5, 0.5)
    optimism = 1 - found.expected
    assert found.interval == pytest.approx(jeffreys - optimism, abs=0.02)
    assert np.ptp(found.interval) > 0.01
    both = resampled_threshold(
        np.stack([y, y], axis=1), np.stack([s, s], axis=1), RecallAtPrecision(0.05), random_state=0
    )
    assert 0.01 < np.ptp(both.interval) < 0.1


def test_a_budget_of_rows_is_for_the_rows_that_are_given():
    """Thirty of them, or the share that this is; all of them leave nothing to choose."""
    y, s = draw(200, np.random.default_rng(2))
    cut = best_threshold(y, s, Budget(30))
    assert cut.threshold == best_threshold(y, s, RecallAtBudget(0.15)).threshold
    assert (s >= cut.threshold).sum() <= 30
    assert resampled_threshold(y, s, Budget(30), random_state=0).cut.threshold == cut.threshold
    with pytest.raises(ValueError, match="would flag all 200 rows"):
        best_threshold(y, s, Budget(10_000))
