"""The compiled loops on Gram matrices."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pseudolinear.loops._ascent import (
    BARRED,
    PLACES,
    ascend_pairs,
    combine,
    extremes,
    partner,
    rank,
    update,
)


def test_ranks_order_numbers_and_end_in_the_place():
    """From 0 to inf, as far as 11 bits of the mantissa tell them apart."""
    numbers = np.concatenate([[0.0], 10.0 ** np.arange(-37, 38), [np.inf]]).astype(np.float32)
    ranks = [rank(number, place) for place, number in enumerate(numbers)]
    assert ranks == sorted(ranks)
    assert [r & PLACES for r in ranks] == list(range(numbers.size))


@pytest.mark.parametrize("n", [1, 3, 64, 201])
def test_a_step_finds_the_row_of_the_largest_error_and_its_best_partner(n):
    """As a search without tricks does, up to the digits of a rank."""
    rng = np.random.RandomState(n)
    X = rng.randn(n, 3)
    K, error = (X @ X.T).astype(np.float32), rng.randn(n).astype(np.float32)
    no_up = np.where(rng.rand(n) < 0.4, -BARRED, np.float32(9.0))
    no_down = np.where(rng.rand(n) < 0.4, BARRED, np.float32(0.0))
    no_up[0], no_down[-1] = 9.0, 0.0
    moved = error - 0.3 * (K[0] - K[-1])
    up, found = update(error, np.float32(0.3), K[0], K[-1], no_up)
    assert_allclose(error, moved, atol=1e-5)
    above = moved + no_up
    assert found == (above.max() > 0.0)
    assert above[up] == pytest.approx(above.max(), rel=1e-3)
    drop = np.maximum(moved[up] - (moved + no_down), 0.0)
    gain = drop**2 / np.maximum(K[up, up] + K.diagonal() - 2.0 * K[up], 1e-6)
    down, gains = partner(error, up, K[up], K.diagonal().copy(), no_down)
    assert gain[down] == pytest.approx(gain.max(), rel=1e-3)
    assert gains == (gain.max() > 0.0)


def test_no_error_is_above_where_all_variables_are_at_their_bounds():
    """What cannot grow is not found."""
    error, no_up = np.ones(40, np.float32), np.full(40, -BARRED)
    row = np.zeros(40, np.float32)
    assert not update(error, np.float32(0.0), row, row, no_up)[1]


@pytest.mark.parametrize("scale", [1.0, 2.0**-40, 2.0**90])
@pytest.mark.parametrize("common", [1.0, -30.0, 1e4])
def test_pairs_see_differences_of_errors_that_have_much_in_common(common, scale):
    """They gain within the bounds what single precision can tell, whatever the size of K."""
    rng = np.random.RandomState(0)
    X = rng.randn(60, 80) / np.sqrt(scale)
    y = np.where(rng.rand(60) < 0.5, 1.0, -1.0)
    K, (low, high) = X @ X.T, (np.minimum(y, 0.0) * scale, np.maximum(y, 0.0) * scale)
    coef, error = np.zeros(60), common + 1e-3 * rng.randn(60)
    single = (K * scale).astype(np.float32)
    before = np.subtract(*extremes(low, high, coef, error))
    for _ in range(3):  # each time from exact errors
        ascend_pairs(single, scale, y, low, high, coef, error - K @ coef, -np.inf, 0.0, 5000)
    after = np.subtract(*extremes(low, high, coef, error - K @ coef))
    assert after <= 1e-8 * before + 1e-12 * abs(common)
    assert np.all((low <= coef) & (coef <= high))
    assert coef.sum() == pytest.approx(0.0, abs=1e-16 * scale)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_used", [0, 1, 4, 11])
def test_a_product_reads_the_rows_that_count(n_used, dtype):
    """Any number of rows, not only multiples of those that are read at a time."""
    K = np.random.RandomState(0).randn(30, 30).astype(dtype)
    coef = np.zeros(30)
    coef[:n_used] = np.arange(1.0, n_used + 1.0)
    assert_allclose(combine(K, coef), coef @ K.astype(float), atol=1e-10)
