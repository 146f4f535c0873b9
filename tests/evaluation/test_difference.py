"""Two classifiers on the same rows."""

import numpy as np
import pytest

from pseudolinear import evaluate, evaluate_difference


def rows(n=1000, seed=0):
    rng = np.random.RandomState(seed)
    true = rng.uniform(size=n) < 0.3
    common = true ^ (rng.uniform(size=n) < 0.15)
    return true, common, common ^ (rng.uniform(size=n) < 0.02)


def f1(true, predicted):
    return 2 * (true & predicted).sum(axis=-1) / (true.sum(axis=-1) + predicted.sum(axis=-1))


def test_interval_is_that_of_resamples():
    """The standard deviation of the difference over resampled rows."""
    true, one, other = rows()
    found = evaluate_difference(true, one, other)
    assert found.value == pytest.approx(f1(true, other) - f1(true, one))
    draws = np.random.RandomState(1).randint(1000, size=(2000, 1000))
    spread = np.std(f1(true[draws], other[draws]) - f1(true[draws], one[draws]))
    assert np.ptp(found.interval) == pytest.approx(2 * 1.96 * spread, rel=0.08)


def test_pairing_is_shorter_than_two_intervals():
    """What both find difficult does not count."""
    true, one, other = rows()
    paired = np.ptp(evaluate_difference(true, one, other).interval)
    assert paired < 0.6 * np.ptp(evaluate(true, other).interval)


def test_the_same_classifier_is_no_better_than_itself():
    """No difference, and nothing speaks against that."""
    true, one, _ = rows()
    found = evaluate_difference(true, one, one, "f1_macro")
    assert (found.value, found.interval, found.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_p_value_and_interval_agree():
    """0 is outside the interval exactly where p is below the error."""
    for seed in range(20):
        found = evaluate_difference(*rows(200, seed), "f2")
        low, high = found.interval
        assert (found.p_value < 0.05) == (not low <= 0 <= high)


def test_nothing_right_is_worse_than_everything_right():
    """Where a classifier has no true positive, its value depends on no single row; still it is
    told from a perfect one.
    """
    true = np.array([0, 1, 1, 0] * 25)
    for worst in (1 - true, 0 * true):
        found = evaluate_difference(true, worst, true)
        assert found.value == 1.0
        assert found.p_value < 1e-6
