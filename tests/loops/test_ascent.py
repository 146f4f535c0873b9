"""The compiled loops on Gram matrices."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pseudolinear.loops._ascent import (
    PLACES,
    ascend_pairs,
    combine,
    extremes,
    partner,
    rank,
    update,
)


def test_ranks_order_numbers_of_either_sign_and_end_in_the_place():
    """From -inf over both zeros to inf, as far as 32 bits of the mantissa tell them apart."""
    magnitudes = np.concatenate([10.0 ** np.arange(-300, 301, 7), [np.inf]])
    numbers = np.concatenate([-magnitudes[::-1], [0.0], magnitudes])
    ranks = [rank(number, place) for place, number in enumerate(numbers)]
    assert ranks == sorted(ranks)
    assert [r & PLACES for r in ranks] == list(range(numbers.size))


@pytest.mark.parametrize("n", [1, 3, 64, 201])
def test_a_step_finds_the_row_of_the_largest_error_and_its_best_partner(n):
    """As a search without tricks does."""
    rng = np.random.RandomState(n)
    X = rng.randn(n, 3)
    K, error = X @ X.T, rng.randn(n)
    no_up = np.where(rng.rand(n) < 0.4, -np.inf, 0.0)
    no_down = np.where(rng.rand(n) < 0.4, np.inf, 0.0)
    no_up[0] = no_down[-1] = 0.0
    moved = error - 0.3 * (K[0] - K[-1])
    up = update(error, 0.3, K[0], K[-1], no_up)
    assert_allclose(error, moved)
    assert up == np.argmax(moved + no_up)
    drop = np.maximum(moved[up] - (moved + no_down), 0.0)
    gain = drop**2 / np.maximum(K[up, up] + K.diagonal() - 2.0 * K[up], 1e-12)
    down, gains = partner(error, up, K[up], K.diagonal().copy(), no_down)
    assert gain[down] == pytest.approx(gain.max(), rel=1e-8)
    assert gains == (gain.max() > 0.0)


@pytest.mark.parametrize("common", [1.0, -30.0, 1e4])
def test_pairs_see_differences_of_errors_that_have_much_in_common(common):
    """They end where no pair gains, within the bounds, though a rank keeps only 32 bits."""
    rng = np.random.RandomState(0)
    X = rng.randn(60, 80)
    y = np.where(rng.rand(60) < 0.5, 1.0, -1.0)
    low, high = np.minimum(y, 0.0), np.maximum(y, 0.0)
    coef, error = np.zeros(60), common + 1e-7 * rng.randn(60)
    ascend_pairs(X @ X.T, y, low, high, coef, error, -np.inf, 5000)
    largest, smallest = extremes(low, high, coef, error)
    assert largest - smallest <= 1e-12 * max(abs(common), 1.0)
    assert np.all((low <= coef) & (coef <= high))
    assert coef.sum() == pytest.approx(0.0, abs=1e-20)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_used", [0, 1, 4, 11])
def test_a_product_reads_the_rows_that_count(n_used, dtype):
    """Any number of rows, not only multiples of those that are read at a time."""
    K = np.random.RandomState(0).randn(30, 30).astype(dtype)
    coef = np.zeros(30)
    coef[:n_used] = np.arange(1.0, n_used + 1.0)
    assert_allclose(combine(K, coef), coef @ K.astype(float), atol=1e-10)
