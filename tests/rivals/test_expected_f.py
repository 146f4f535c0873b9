"""The prediction of largest expected F, against enumeration and between its two methods."""

import itertools
import time

import numpy as np
import pytest

from pseudolinear.rivals._expected_f import (
    QUADRATURE_ERROR,
    _exponentials,
    expected_f,
    maximize_expected_f,
)

BETAS = [1.0, 2.0, 0.5, (2 / 3) ** 0.5]


def enumerate_f(prediction, p, beta, zero_division=1.0):
    """Sum F over all labellings of independent rows."""
    total = 0.0
    for labels in itertools.product((0, 1), repeat=len(p)):
        y = np.array(labels)
        denominator = beta**2 * y.sum() + prediction.sum()
        f = (1 + beta**2) * (y & prediction).sum() / denominator if denominator else zero_division
        total += np.prod(np.where(y, p, 1 - p)) * f
    return total


@pytest.mark.parametrize("method", ["exact", "approximate"])
@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_no_prediction_has_a_larger_expected_f(n, beta, method):
    """The value is the largest of all 2^n predictions, each summed over all 2^n labellings."""
    rng = np.random.default_rng(n)
    p = rng.random(n)
    p[rng.random(n) < 0.2] = rng.integers(2)  # certain rows too
    best = maximize_expected_f(p, beta, method=method)
    every = [np.array(h) for h in itertools.product((0, 1), repeat=n)]
    values = [enumerate_f(h, p, beta) for h in every]
    assert best.value == pytest.approx(max(values), rel=1e-12)
    assert enumerate_f(best.predictions, p, beta) == pytest.approx(best.value, rel=1e-12)
    assert best.predictions.sum() == best.n_positive
    for h, value in zip(every, values, strict=True):
        assert expected_f(h, p, beta) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("zero_division", [0.0, 0.5, 1.0])
def test_empty_prediction_is_right_when_nothing_is_there(zero_division):
    """The empty prediction scores where no row is positive, by the convention asked for."""
    p = np.array([0.2, 0.1, 0.3])
    best = maximize_expected_f(p, zero_division=zero_division)
    none = np.zeros(3, dtype=int)
    assert best.values[0] == pytest.approx(enumerate_f(none, p, 1.0, zero_division))
    assert expected_f(none, p, zero_division=zero_division) == pytest.approx(best.values[0])
    assert (best.n_positive == 0) == (zero_division == 1.0)


@pytest.mark.parametrize("beta", [1.0, 2.0, 0.5, 1.5])
@pytest.mark.parametrize("shape", [(1.0, 1.0), (0.05, 2.0), (5.0, 0.3)])
def test_sum_of_exponentials_is_within_its_bound_of_the_exact_curve(beta, shape):
    """The whole curves of both methods agree to the bounds that they state, and to 13 digits."""
    p = np.random.default_rng(0).beta(*shape, size=1500)
    exact = maximize_expected_f(p, beta, method="exact")
    fast = maximize_expected_f(p, beta, method="approximate")
    difference = np.abs(fast.values[1:] / exact.values[1:] - 1).max()
    assert difference <= fast.error + exact.error
    assert difference < 1e-13
    assert fast.n_positive == exact.n_positive


def test_one_over_c_is_a_sum_of_exponentials():
    """The stated relative error holds for every c from 1 to n."""
    for n in (1, 30, 10**7):
        rates, weights = _exponentials(n)
        for c in np.geomspace(1, n, 2000):
            assert abs(c * (weights @ np.exp(-c * rates)) - 1) < QUADRATURE_ERROR


def test_against_simulation_for_a_beta_without_a_fraction():
    """The mean F over drawn labels is the expected F, also where beta^2 is irrational."""
    rng = np.random.default_rng(0)
    beta, p = np.e**0.3, rng.random(60)
    best = maximize_expected_f(p, beta)
    y = rng.random((100_000, 60)) < p
    tp = (y & (best.predictions == 1)).sum(axis=1)
    f = (1 + beta**2) * tp / (beta**2 * y.sum(axis=1) + best.n_positive)
    assert best.value == pytest.approx(f.mean(), abs=4 * f.std() / len(f) ** 0.5)


def test_threshold_of_half_the_optimum_is_reached_by_many_rows():
    """The rule tends to the threshold F* / (1 + beta^2) on the probabilities (Lipton et al.)."""
    for beta in (1.0, 2.0):
        distance = []
        for n in (10, 100, 1000, 100_000):
            p = np.linspace(0.0, 1.0, n) ** 2
            best = maximize_expected_f(p, beta)
            last = p[best.predictions == 1].min()
            distance.append(abs(last - best.value / (1 + beta**2)))
        assert distance[-1] < 1e-4
        assert distance[-1] < distance[1] < distance[0]


def test_equal_probabilities_make_everything_positive():
    """Of an uninformative classifier the best prediction is all positive (Lipton et al. 2014)."""
    best = maximize_expected_f(np.full(400, 0.05))
    assert best.n_positive == 400
    assert best.value == pytest.approx(2 * 0.05 / 1.05, rel=0.01)


def test_order_of_the_rows_does_not_matter():
    """Predictions follow their rows."""
    rng = np.random.default_rng(3)
    p = rng.random(50)
    shuffled = rng.permutation(50)
    first, second = maximize_expected_f(p), maximize_expected_f(p[shuffled])
    assert (first.predictions[shuffled] == second.predictions).all()
    assert first.predictions[np.argsort(-p)[: first.n_positive]].all()


def test_many_rows_take_seconds():
    """20,000 rows are exact within the promised time, and a beta without a fraction is fast."""
    p = np.random.default_rng(0).beta(0.2, 2.0, size=20_000)
    start = time.process_time()
    exact = maximize_expected_f(p, method="exact")
    assert time.process_time() - start < 30
    assert maximize_expected_f(p).value == pytest.approx(exact.value, rel=1e-13)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"probabilities": [0.5, 1.1]}, "between 0 and 1, got 1.1"),
        ({"probabilities": [-0.1]}, "between 0 and 1, got -0.1"),
        ({"probabilities": [0.5, np.nan]}, "between 0 and 1, got nan"),
        ({"probabilities": [[0.5]]}, "one number per row"),
        ({"probabilities": []}, "at least one"),
        ({"beta": 0.0}, "beta must be positive"),
        ({"beta": np.inf}, "beta must be positive"),
        ({"zero_division": 2}, "zero_division must be between"),
        ({"method": "fast"}, "method must be one of"),
        ({"beta": 2**0.25, "method": "exact"}, "use method='approximate'"),
        ({"beta": 100.0, "method": "exact"}, "whole numbers up to 1000"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    """One sentence says what is wrong."""
    with pytest.raises(ValueError, match=message):
        maximize_expected_f(**({"probabilities": [0.5, 0.2]} | arguments))


def test_predictions_must_match_the_rows():
    """There is one 0 or 1 for every probability."""
    with pytest.raises(ValueError, match="they must be equal"):
        expected_f([1, 0], [0.5])
    with pytest.raises(ValueError, match="only 0 and 1"):
        expected_f([2], [0.5])
