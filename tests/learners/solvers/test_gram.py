"""Gram matrices of which memory holds some rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pseudolinear.learners.solvers._gram import BLOCK, CachedGram, WholeGram
from pseudolinear.learners.solvers._kernel import solve_kernel

N = 700


@pytest.fixture(scope="module", name="K")
def gram_matrix():
    X = np.random.RandomState(0).randn(N, 4)
    return np.exp(-0.2 * ((X[:, None] - X) ** 2).sum(axis=2))


def cached(K, capacity):
    return CachedGram(lambda rows: K[rows], K.diagonal(), 4e-6 * N * capacity)


@pytest.mark.parametrize("capacity", [1, 300, N, 10 * N])
def test_rows_that_come_and_go_are_those_of_the_matrix(K, capacity):
    """Blocks and products, whatever was asked for before."""
    gram, whole = cached(K, capacity), WholeGram(K)
    assert min(BLOCK, N) <= gram.capacity <= N
    rng = np.random.RandomState(1)
    for _ in range(10):
        rows = rng.permutation(N)[: rng.randint(1, gram.capacity)]
        assert_allclose(gram.block(rows), whole.block(rows) / whole.scale, atol=1e-6)
        coef = rng.randn(N) * (rng.rand(N) < 0.7)
        assert_allclose(gram.times(coef), whole.times(coef), atol=1e-4)
        assert_allclose(gram.exactly_times(coef), whole.times(coef), atol=1e-10)


def test_a_row_that_is_kept_is_not_computed_again(K):
    """Only a row that others have displaced is."""
    asked = []
    gram = CachedGram(lambda rows: asked.append(rows.tolist()) or K[rows], K.diagonal(), 0.8)
    first = np.arange(gram.capacity)
    gram.block(first)
    gram.block(first[::3])
    assert sum(map(len, asked)) == gram.capacity
    gram.block(np.array([N - 1]))
    gram.block(first[::3])
    assert sum(map(len, asked)) == gram.capacity + 1


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_gap_is_certified_in_double_precision(K, fit_intercept):
    """Objectives of the exact matrix are within the stated gap of a tight optimum."""
    Y = (np.random.RandomState(2).rand(N, 1) < 0.3).astype(np.int8)
    k, fn, fp = np.zeros(4, int), np.array([3.0, 3.0, 0.5, 0.5]), np.ones(4)
    problems = k, fn, fp, np.array([0.1, 20.0, 20.0, 0.1])

    def objectives(fit):
        y = np.where(Y[:, 0] > 0, 1.0, -1.0)
        f = fit.dual_coef @ K
        loss = np.maximum(0.0, 1.0 - y * (f + fit.intercept[:, None]))
        u = problems[3][:, None] * np.where(y > 0, fn[:, None], fp[:, None])
        return 0.5 * (fit.dual_coef * f).sum(axis=1) + (u * loss).sum(axis=1)

    tight = solve_kernel(K, Y, *problems, fit_intercept=fit_intercept, tol=1e-8)
    for tol in (0.05, 1e-3, 1e-5):
        fit = solve_kernel(cached(K, 300), Y, *problems, fit_intercept=fit_intercept, tol=tol)
        assert fit.optimality.max() <= tol
        assert np.all(objectives(fit) * (1 - fit.optimality) <= objectives(tight) * (1 + 1e-9))
        assert np.all(objectives(tight) <= objectives(fit) * (1 + 1e-8))
