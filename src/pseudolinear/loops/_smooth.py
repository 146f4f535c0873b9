"""Inner loops of the batched solver: problems side by side in vector registers.

All matrices are (rows or features) x lanes in C order, one problem per lane, so that every
innermost loop runs over the lanes with unit stride.  ``contract`` only lets the compiler fuse a
multiplication with the addition that follows it: sums are never reordered, no result depends on
the batch width.  The numpy error model keeps tests for division by zero, which forbid vector
code, out of the loops.
"""

import numpy as np

from pseudolinear.loops import _compile

Array = np.ndarray
STORED = 1 << 12  # features that are stored at a time
FLAGS = {"error_model": "numpy", "fastmath": {"contract"}}
compiled = _compile.compiled(plain=True, **FLAGS)


@compiled
def csr_gram(indptr: Array, indices: Array, data: Array, weights: Array, out: Array) -> None:
    """Upper triangle of ``A.T @ diag(weights) @ A`` for a CSR matrix A with sorted indices."""
    out[:] = 0.0
    for i in range(len(indptr) - 1):
        if weights[i] == 0.0:
            continue
        for k in range(indptr[i], indptr[i + 1]):
            o = out[indices[k]]
            a = weights[i] * data[k]
            for m in range(k, indptr[i + 1]):
                o[indices[m]] += a * data[m]


@compiled
def csr_products(
    indptr: Array,
    indices: Array,
    data: Array,
    t_indptr: Array,
    t_indices: Array,
    t_data: Array,
    out: Array,
) -> None:
    """``out += A @ A.T``, dense, A in CSR and its transpose beside it."""
    for i in range(len(indptr) - 1):
        o = out[i]
        for k in range(indptr[i], indptr[i + 1]):
            a, column = 1.0 * data[k], indices[k]  # of double precision, whatever the rows are
            for m in range(t_indptr[column], t_indptr[column + 1]):
                o[t_indices[m]] += a * t_data[m]


@_compile.compiled(**FLAGS)
def dual_point(
    V: Array,
    S: Array,
    b: Array,
    D: Array,
    pos: Array,
    scale: Array,
    balance: bool,
    lanes: Array,
    Z: Array,
    sums: Array,
) -> None:
    """Dual point of the squared hinge from the rows with D > 0, at the scores ``V + S + b``.

    With h = max(0, 1 - margin) it is alpha = scale * D * h.  ``Z`` receives alpha * y for the given
    lanes, ``sums`` the sums of alpha and alpha * h.  ``balance`` scales both classes to a sum of
    one, so that alpha * y sums to zero.
    """
    n = len(V)
    totals = np.zeros((4, len(lanes)))
    for i in range(n):
        for k in range(len(lanes)):
            j = lanes[k]
            Z[i, k] = 0.0
            if D[i, j] > 0.0:
                q = pos[i, j]
                y = 2.0 * q - 1.0
                h = max(1.0 - y * (V[i, j] + S[i, j] + b[j]), 0.0)
                a = scale[j] * D[i, j] * h
                Z[i, k] = y * a
                totals[q, k] += a
                totals[2 + q, k] += a * h
    for k in range(len(lanes)):
        below, above = 1.0, 1.0
        if balance:
            below = 1.0 / totals[0, k] if totals[0, k] > 0.0 else 0.0
            above = 1.0 / totals[1, k] if totals[1, k] > 0.0 else 0.0
            if below * above == 0.0:
                below, above = 0.0, 0.0
            for i in range(n):
                Z[i, k] *= above if Z[i, k] > 0.0 else below
        sums[0, k] = below * totals[0, k] + above * totals[1, k]
        sums[1, k] = below**2 * totals[2, k] + above**2 * totals[3, k]


@compiled
def score_moments(D: Array, A: Array, B: Array, out: Array) -> None:
    """Each lane's sums of DA, DB, DAA, DAB, DBB: the loss Hessian in the span of A, B and 1."""
    for k in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[k, j] = 0.0
    for i in range(D.shape[0]):
        di, ai, bi = D[i], A[i], B[i]  # rows, not matrices: of these LLVM makes vector code
        for j in range(D.shape[1]):
            da = di[j] * ai[j]
            db = di[j] * bi[j]
            out[0, j] += da
            out[1, j] += db
            out[2, j] += da * ai[j]
            out[3, j] += da * bi[j]
            out[4, j] += db * bi[j]


@compiled
def weight_moments(W: Array, G: Array, U: Array, S: Array, out: Array) -> None:
    """Each lane's inner products UU, US, SS, UG, SG, WU, WS."""
    for k in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[k, j] = 0.0
    for i in range(W.shape[0]):
        wi, gi, ui, si = W[i], G[i], U[i], S[i]
        for j in range(W.shape[1]):
            out[0, j] += ui[j] * ui[j]
            out[1, j] += ui[j] * si[j]
            out[2, j] += si[j] * si[j]
            out[3, j] += ui[j] * gi[j]
            out[4, j] += si[j] * gi[j]
            out[5, j] += wi[j] * ui[j]
            out[6, j] += wi[j] * si[j]


@compiled
def total_gradient(W: Array, Q: Array, scale: Array, G: Array, norms: Array) -> None:
    """``G = W + scale * Q`` and each lane's squared norms of W and G."""
    for j in range(W.shape[1]):
        norms[0, j] = norms[1, j] = 0.0
    for i in range(W.shape[0]):
        for j in range(W.shape[1]):
            w = W[i, j]
            g = w + scale[j] * Q[i, j]
            G[i, j] = g
            norms[0, j] += w * w
            norms[1, j] += g * g


@compiled
def combine(A: Array, a: Array, B: Array, b: Array) -> None:
    """``B = a * A + b * B`` with one factor per lane."""
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            B[i, j] = a[j] * A[i, j] + b[j] * B[i, j]


@compiled
def lower_triangle(K: Array, rows: Array, diagonal: Array, out: Array) -> None:
    """Lower triangle of ``K[rows][:, rows] + diag(diagonal)``."""
    for i in range(len(rows)):
        k, o = K[rows[i]], out[i]
        for j in range(i):
            o[j] = k[rows[j]]
        o[i] = k[rows[i]] + diagonal[i]


@compiled
def extrapolate(done: Array, X: Array, X_old: Array, S: Array) -> None:
    """In the lanes ``done``, a mask: ``S = X - X_old``, then ``X_old = X``."""
    for i in range(X.shape[0]):
        xi, oi, si = X[i], X_old[i], S[i]
        for j in range(X.shape[1]):
            si[j] = xi[j] - oi[j] if done[j] else si[j]
            oi[j] = xi[j] if done[j] else oi[j]


@compiled
def over_root(G: Array, unit: Array, scale: Array, U: Array) -> None:
    """``U = G / sqrt(1 + scale * unit)`` with one scale per lane."""
    for i in range(G.shape[0]):
        for j in range(G.shape[1]):
            U[i, j] = G[i, j] / np.sqrt(1.0 + unit[i, j] * scale[j])


def store(W: Array, lanes: Array, columns: Array, out: Array, problems: Array) -> None:
    """``out[problems[k], columns] = W[:, lanes[k]]``, by parts that stay in the cache."""
    for first in range(0, len(columns), STORED):
        part = slice(first, first + STORED)
        for lane, problem in zip(lanes, problems, strict=True):
            out[problem, columns[part]] = W[part, lane]
