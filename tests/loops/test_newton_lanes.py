"""The loops of the squared hinge's Newton steps, beside brute force and dense algebra."""

import platform

import numpy as np
import pytest
import scipy.sparse as sp
from numba import config
from numba.core.caching import NullCache
from scipy.optimize import minimize

from pseudolinear.loops import _newton_lanes
from pseudolinear.loops._compile import compiled
from pseudolinear.loops._constants import LANES
from pseudolinear.loops._lanes import compact

N, D = 40, 12
SCALE = np.linspace(0.1, 2.0, LANES)
ALL = np.ones(LANES)


@pytest.fixture
def case():
    """Rows, signs and costs, weights, and the scores of these."""
    rng = np.random.RandomState(0)
    X = sp.csr_array(rng.randn(N, D) * (rng.rand(N, D) < 0.4))
    T = rng.choice([-1.0, 1.0], (N, LANES)) * rng.uniform(0.1, 2.0, (N, LANES))
    W = rng.randn(D, LANES)
    return X, T, W, X @ W


def losses(T, F):
    """Return the sum of the squared hinges of the scores F for each problem, at scale 1."""
    return (0.5 * np.abs(T) * np.maximum(1.0 - np.sign(T) * F, 0.0) ** 2).sum(axis=0)


@pytest.mark.parametrize("free", [0.0, 1.0])
def test_a_search_ends_at_the_best_length_and_intercept(case, free):
    X, T, W, F = case
    S = np.random.RandomState(1).randn(D, LANES)
    XS, lanes = X @ S, np.where(np.arange(LANES) == 3, 0.0, 1.0)
    norm2, along, length, loss, reach = np.empty((5, LANES))
    _newton_lanes.along_step(W, S, norm2, along, length)
    np.testing.assert_allclose(along, (W * S).sum(axis=0))
    t, b, radius2 = lanes.copy(), np.zeros(LANES), (X.toarray() ** 2).sum(axis=1).max()
    _newton_lanes.search(
        T, F, XS, lanes, SCALE, free, radius2, 1e-12, norm2, along, length, 40, t, b, loss, reach,
        np.empty((12, LANES)),
    )  # fmt: skip
    np.testing.assert_allclose(loss, SCALE * losses(T, F + t * XS + b))
    assert (t[3], b[3]) == (0.0, 0.0)
    for q in np.flatnonzero(lanes):

        def objective(x, q=q):
            scores = F[:, q] + x[0] * XS[:, q] + free * x[1]
            value = SCALE[q] * losses(T[:, q], scores)
            return value + 0.5 * ((W[:, q] + x[0] * S[:, q]) ** 2).sum()

        lowest = minimize(objective, [0.0, 0.0], method="Nelder-Mead", tol=1e-10).fun
        assert objective([t[q], b[q]]) <= lowest * (1.0 + 1e-8)


@pytest.mark.parametrize("free", [0.0, 1.0])
def test_conjugate_gradients_end_at_the_solution_of_newtons_equation(case, free):
    X, T, W, F = case
    indptr, indices = X.indptr.view(np.uint32), X.indices.view(np.uint32)
    b, reach = np.zeros(LANES), np.full(LANES, 0.1)
    rows, columns = np.empty(N, np.uint32), np.empty(D, np.uint32)
    rows = rows[: _newton_lanes.active_rows(T, ALL, F, b, reach, rows)]
    near = (1.0 - np.sign(T) * F + reach > 0.0).any(axis=1)
    np.testing.assert_array_equal(rows, np.flatnonzero(near))
    starts, own = np.empty(N + 1, np.uint32), np.empty(X.nnz, np.uint32)
    values, single = np.empty(X.nnz), np.empty(X.nnz, np.float32)
    found = starts, own, values, single, columns
    d = compact(indptr, indices, X.data, rows, np.zeros(D, np.uint32), *found)
    assert d == D
    m, (total, f, g) = len(rows), np.empty((3, LANES))
    curved, (V, S) = np.empty((m, LANES)), np.empty((2, D, LANES))
    where = rows, T, SCALE, ALL, F, b, reach
    _newton_lanes.weigh(*found[:3], *where, curved, V, total, f, g)
    R, U, inverse, step, P, H = np.empty((6, D, LANES), np.float32)
    _newton_lanes.gradient(W, ALL, columns, V, R, S)
    in_rows = curved.astype(np.float32)
    _newton_lanes.bend(starts, own, single, in_rows, U, inverse, np.empty(LANES, np.float32))
    A, order = X.toarray()[rows], columns.argsort()
    np.testing.assert_allclose(inverse[order] ** -2.0, 1.0 + (A**2).T @ curved, rtol=1e-5)
    gradient = -R[order].astype(np.float64)
    e, room = np.empty(LANES, np.float32), np.empty((9, LANES), np.float32)
    weight, none = (free / total).astype(np.float32), np.zeros(LANES, np.float32)
    _newton_lanes.newton(
        starts, own, single, in_rows, U, weight, inverse, none, np.float32(1e-12), 100,
        ALL.astype(np.float32), R, step, e, P, H, room,
    )  # fmt: skip
    _newton_lanes.put(columns, step, S)
    for q in range(LANES):
        active = SCALE[q] * np.abs(T[:, q]) * np.maximum(1.0 - np.sign(T[:, q]) * F[:, q], 0.0)
        exact = W[:, q] - X.T @ (active * np.sign(T[:, q]))
        np.testing.assert_allclose(gradient[:, q], exact, rtol=1e-5, atol=1e-5)
        hessian = np.eye(D + 1)
        rim = np.column_stack([A, np.ones(m)])
        hessian += rim.T @ (curved[:, q, None] * rim)
        hessian[-1, -1] -= 1.0
        if not free:
            hessian[-1, :], hessian[:, -1], hessian[-1, -1] = 0.0, 0.0, 1.0
        # the intercept is at its best before the step, so its derivative is 0
        best = np.linalg.solve(hessian, np.append(-exact, 0.0))
        np.testing.assert_allclose(np.append(S[:, q], e[q]), best, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("lanes", [True, False])
def test_lanes_are_vector_code(lanes):
    if platform.machine() != "x86_64" or config.BOUNDSCHECK:
        pytest.skip(
            "names of instructions are those of x86-64, and checked indices keep to scalars"
        )

    def add(data, step, W):
        for j in range(np.uint64(data.size)):
            for q in range(LANES):
                W[j, q] += data[j] * step[q]

    loop = compiled(add, plain=True, lanes=lanes)
    loop._cache = NullCache()  # code from a file cannot be looked at
    loop(np.ones(N), np.arange(8.0), np.zeros((N, LANES)))
    (code,) = loop.inspect_asm().values()
    assert ("mulpd" in code) == lanes
