"""Products of sparse rows are those of SciPy, whatever number of columns a loop was made for."""

import numpy as np
import pytest
from scipy import sparse

from pseudolinear.learners.solvers import _design
from pseudolinear.learners.solvers._design import make_design, unsigned
from pseudolinear.loops._crew import crew
from pseudolinear.loops._products import WIDTHS, csr_times, csr_transpose_add

COLUMNS = [*sorted(WIDTHS), 2, 3, 12, 40, 64]


def rows(n=70, d=30, density=0.2):
    """Rows of zero to many entries, the first and last of them empty."""
    X = sparse.random_array((n, d), density=density, rng=np.random.default_rng(0)).toarray()
    X[[0, -1]] = 0.0
    X[5] = 1.0
    return sparse.csr_array(X)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("columns", COLUMNS)
def test_products_are_those_of_scipy(columns, dtype):
    X, rng = rows(), np.random.default_rng(1)
    B, R = (rng.normal(size=(length, columns)).astype(dtype) for length in X.shape[::-1])
    place, data, near = unsigned(X), X.data.astype(dtype), 1e-12 if dtype == np.float64 else 1e-5
    out = np.full((X.shape[0], columns), np.nan, dtype)
    csr_times(*place, data, B, out)
    np.testing.assert_allclose(out, X @ B, rtol=near, atol=near)
    total = np.ones((X.shape[1], columns), dtype)
    csr_transpose_add(*place, data, R, total)
    np.testing.assert_allclose(total, 1.0 + X.T @ R, rtol=near, atol=near)


@pytest.mark.parametrize("columns", [1, 4, 24, 40])
@pytest.mark.parametrize("cached", [0, 1 << 40], ids=["along rows", "along columns"])
def test_both_ways_of_the_transposed_product(columns, cached, monkeypatch):
    """In one thread and in two, to the last bit."""
    monkeypatch.setattr(_design, "CACHED", cached)
    X = rows(3000, 60, 0.5)
    design, _ = make_design(X)
    R = np.random.default_rng(2).normal(size=(3000, columns))
    found = design.transpose_times(R, np.empty((60, columns)))
    np.testing.assert_allclose(found, X.T @ R, rtol=1e-11, atol=1e-11)
    with crew.hired(1):
        again = design.transpose_times(R, np.empty((60, columns)))
    np.testing.assert_array_equal(again, found)
