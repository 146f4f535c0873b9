"""The loops of the squared hinge's dual, beside plain sums and brute force."""

import platform

import numpy as np
import pytest
import scipy.sparse as sp
from numba import config
from numba.core.caching import NullCache
from scipy.optimize import brentq

from pseudolinear.loops import _dual
from pseudolinear.loops._compile import compiled, joined
from pseudolinear.loops._constants import LANES

N, D = 40, 12


@pytest.fixture
def case():
    rng = np.random.RandomState(0)
    X = sp.csr_array(rng.randn(N, D) * (rng.rand(N, D) < 0.4))
    T = rng.choice([-1.0, 1.0], (N, LANES)) * rng.uniform(0.1, 2.0, (N, LANES))
    B = np.sign(T) * np.maximum(rng.randn(N, LANES), 0.0)
    rows = X.indptr.view(np.uint32), X.indices.view(np.uint32), X.data
    return X, rows, T, B, X.T @ B


def value(X, T, soft, rho, b, B):
    """Return the dual with the penalty of the sum, whose multiplier is b."""
    W, total = X.T @ B, B.sum(axis=0)
    own = np.abs(B) - 0.5 * soft * np.abs(T) * B**2
    return own.sum(axis=0) - 0.5 * (W**2).sum(axis=0) - b * total - 0.5 * rho * total**2


def test_a_pass_takes_every_variable_to_its_best_value(case):
    X, rows, T, B, W = case
    soft, live, rho = np.full(LANES, 0.5), np.ones(LANES), 0.7
    b = np.linspace(-1.0, 1.0, LANES)
    norm2 = (X.toarray() ** 2).sum(axis=1)
    multiplier, total = b + rho * B.sum(axis=0), B.sum(axis=0)
    new, weights = B.copy(), W.copy()
    _dual.climb(
        *rows, norm2, np.array([7], np.uint32), T, soft, rho, live, new, weights,
        multiplier, np.empty(LANES), total,
    )  # fmt: skip
    np.testing.assert_allclose(weights, X.T @ new)
    best = value(X, T, soft, rho, b, new)
    for change in (-0.1, -1e-3, 1e-3, 0.1):
        other = new.copy()
        other[7] += change
        other = np.where(other * T > 0.0, other, 0.0)
        assert (value(X, T, soft, rho, b, other) <= best + 1e-12).all()


def test_clipped_variables_have_the_right_sign_and_add_up_to_nothing(case):
    _, _, T, B, _ = case
    rng = np.random.RandomState(1)
    chosen = np.flatnonzero(B.any(axis=1)).astype(np.uint32)
    inverse = (B[chosen] != 0.0) * rng.uniform(0.5, 1.5, (len(chosen), LANES))
    step = rng.randn(len(chosen), LANES) * (inverse > 0.0)
    D, shift = step.copy(), np.zeros(LANES)
    _dual.clip(chosen, T, inverse, 1.0, B, D, shift, *np.empty((3, LANES)))
    new, signs = B[chosen] + D, np.sign(T[chosen])
    assert (new * signs >= 0.0).all()
    np.testing.assert_allclose(new.sum(axis=0), 0.0, atol=1e-8)

    def total(nu, q):
        moved = B[chosen, q] + step[:, q] - nu * inverse[:, q]
        return np.where(moved * signs[:, q] > 0.0, moved, 0.0).sum()

    for q in range(LANES):
        nu = brentq(total, -50.0, 50.0, args=(q,))
        np.testing.assert_allclose(shift[q], nu, atol=1e-6)


def test_intercepts_are_settled_at_the_minimum_of_the_loss(case):
    X, _, T, _, W = case
    soft, F = np.full(LANES, 0.5), X @ W
    b, loss = np.zeros(LANES), np.empty(LANES)
    _dual.settle(T, soft, 1.0, 1e-12, F, b, loss, *np.empty((2, LANES)))

    def losses(b):
        return (np.maximum(1.0 - np.sign(T) * (F + b), 0.0) ** 2 / (2 * soft * np.abs(T))).sum(0)

    np.testing.assert_allclose(loss, losses(b))
    for change in (-0.1, 0.1):
        assert (losses(b + change) >= loss).all()


def test_conjugate_gradients_end_at_the_solution_of_the_equations(case):
    X, rows, T, B, W = case
    soft, live, b = np.full(LANES, 0.5), np.ones(LANES), np.zeros(LANES)
    norm2 = (X.toarray() ** 2).sum(axis=1)
    chosen = np.flatnonzero(B.any(axis=1)).astype(np.uint32)
    G, S, inverse, H = np.empty((4, len(chosen), LANES))
    _dual.slopes(*rows, norm2, chosen, T, soft, live, B, W, b, G, S, inverse, np.empty(LANES))
    slope, step, shift = G.copy(), np.zeros_like(G), np.empty(LANES)
    room = np.zeros((D, LANES))
    n_steps = _dual.maximise(
        *rows, chosen, inverse, S, inverse.sum(axis=0), 0.0, 60,
        G, np.zeros_like(G), room, H, step, shift, np.empty((7, LANES)),
    )  # fmt: skip
    assert 1 < n_steps <= 60
    K = (X @ X.T).toarray()[np.ix_(chosen, chosen)]
    for q in range(LANES):
        free = np.flatnonzero(inverse[:, q])
        A = np.ones((len(free) + 1, len(free) + 1))
        A[:-1, :-1] = K[np.ix_(free, free)] + np.diag(S[free, q])
        A[-1, -1] = 0.0
        *best, multiplier = np.linalg.solve(A, np.append(slope[free, q], 0.0))
        np.testing.assert_allclose(step[free, q], best, atol=1e-8)
        np.testing.assert_allclose(shift[q], multiplier, atol=1e-8)


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


@pytest.mark.parametrize("before", [0, 1])
def test_compiling_leaves_the_setting_as_it_was(before, monkeypatch):
    monkeypatch.setattr(config, "SLP_VECTORIZE", before)
    assert joined(lambda number: config.SLP_VECTORIZE + number)(3) == 4
    assert before == config.SLP_VECTORIZE
    with pytest.raises(ZeroDivisionError):
        joined(lambda: 1 / 0)()
    assert before == config.SLP_VECTORIZE
