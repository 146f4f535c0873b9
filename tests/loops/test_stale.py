"""Newton's equation solved with the factor of another matrix."""

import numpy as np
from scipy import sparse

from pseudolinear.loops._stale import conjugate


def test_a_similar_factor_is_enough():
    """The solution is that of the matrix itself, whatever the factor was of."""
    rng = np.random.RandomState(0)
    X = sparse.random(60, 12, density=0.4, format="csr", random_state=rng)
    weights, penalty, g = rng.rand(60), np.ones(12), rng.randn(12)
    rows = np.arange(0, 60, 2)
    part = X[rows].toarray()
    M = np.diag(penalty) + part.T @ (weights[rows, None] * part)
    other = np.diag(penalty) + 2.0 * (X.T @ X).toarray()
    R = np.ascontiguousarray(np.linalg.cholesky(other).T, dtype=np.float32)
    arrays = X.indptr, X.indices, X.data, rows, weights[rows], penalty, R, g
    z, left = conjugate(*arrays, 1e-9, 50)
    np.testing.assert_allclose(M @ z, -g, atol=1e-7)
    assert left <= 1e-9
    assert conjugate(*arrays, 1e-9, 2)[1] > 1e-9
