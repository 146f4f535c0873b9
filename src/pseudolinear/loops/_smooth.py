"""Inner loops of the batched solver: problems side by side in vector registers.

All matrices are (rows or features) x lanes in C order, one problem per lane, so that every
innermost loop runs over the lanes with unit stride.  ``contract`` only lets the compiler fuse a
multiplication with the addition that follows it: sums are never reordered, no result depends on
the batch width.  The numpy error model keeps tests for division by zero, which forbid vector
code, out of the loops.
"""

import numpy as np
from numba import njit

Array = np.ndarray
MARGIN_CAP = 40.0  # exp(-40) < 5e-18: rows beyond it no longer matter in double precision
compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})


@compiled
def csr_times(indptr: Array, indices: Array, data: Array, B: Array, out: Array) -> None:
    """``out = A @ B``, A in CSR; four entries at a time spare loads and stores of ``out``."""
    p = B.shape[1]
    for i in range(len(indptr) - 1):
        o = out[i]
        for j in range(p):
            o[j] = 0.0
        k, end = indptr[i], indptr[i + 1]
        while k + 4 <= end:
            b0, b1 = B[indices[k]], B[indices[k + 1]]
            b2, b3 = B[indices[k + 2]], B[indices[k + 3]]
            a0, a1, a2, a3 = data[k], data[k + 1], data[k + 2], data[k + 3]
            for j in range(p):
                o[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j]
            k += 4
        while k < end:
            b0, a0 = B[indices[k]], data[k]
            for j in range(p):
                o[j] += a0 * b0[j]
            k += 1


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
def logistic(
    V: Array,
    S: Array,
    tau: Array,
    b: Array,
    pos: Array,
    cost_fn: Array,
    cost_fp: Array,
    weight: Array,
    Vnew: Array,
    R: Array,
    sums: Array,
) -> None:
    """Logistic loss at the scores ``V + tau * S + b``.

    ``Vnew`` receives ``V + tau * S``, ``R`` the derivative of the weighted loss by the score and
    ``sums`` each lane's sums of loss, first and second derivative, and derivative times ``S``.
    """
    n, p = V.shape
    sums[:] = 0.0
    loss, first, second, along = sums[0], sums[1], sums[2], sums[3]
    for i in range(n):
        vi, si, qi, vo, ro, s = V[i], S[i], pos[i], Vnew[i], R[i], weight[i]
        for j in range(p):
            v = vi[j] + tau[j] * si[j]
            vo[j] = v
            y = 2.0 * qi[j] - 1.0
            c = s * (cost_fn[j] if qi[j] else cost_fp[j])
            m = y * (v + b[j])
            # u = exp(-|m|): Taylor expansion of exp(-|m| / 64), then six squarings
            x = -min(abs(m), MARGIN_CAP) / 64.0
            u = x * (1 / 40320 + x * (1 / 362880 + x * (1 / 3628800 + x / 39916800)))
            u = x * (1 / 24 + x * (1 / 120 + x * (1 / 720 + x * (1 / 5040 + u))))
            u = 1.0 + x * (1.0 + x * (1 / 2 + x * (1 / 6 + u)))
            u *= u
            u *= u
            u *= u
            u *= u
            u *= u
            u *= u
            # log(1 + u) = 2 artanh(r), r = u / (2 + u) <= 1/3
            r = u / (2.0 + u)
            t = r * r
            a = t * (1 / 17 + t * (1 / 19 + t * (1 / 21 + t * (1 / 23 + t / 25))))
            a = t * (1 / 9 + t * (1 / 11 + t * (1 / 13 + t * (1 / 15 + a))))
            a = t * (1 / 3 + t * (1 / 5 + t * (1 / 7 + a)))
            q = (u if m > 0.0 else 1.0) / (1.0 + u)
            loss[j] += c * (2.0 * r * (1.0 + a) + max(-m, 0.0))
            ro[j] = -c * y * q
            first[j] -= c * y * q
            along[j] -= c * y * q * si[j]
            second[j] += c * q * (1.0 - q)


@compiled
def squared_hinge(
    V: Array,
    S: Array,
    tau: Array,
    b: Array,
    pos: Array,
    cost_fn: Array,
    cost_fp: Array,
    weight: Array,
    Vnew: Array,
    R: Array,
    sums: Array,
) -> None:
    """Like :func:`logistic` for the squared hinge loss ``max(0, 1 - m)^2``."""
    n, p = V.shape
    sums[:] = 0.0
    loss, first, second, along = sums[0], sums[1], sums[2], sums[3]
    for i in range(n):
        vi, si, qi, vo, ro, s = V[i], S[i], pos[i], Vnew[i], R[i], weight[i]
        for j in range(p):
            v = vi[j] + tau[j] * si[j]
            vo[j] = v
            y = 2.0 * qi[j] - 1.0
            c = s * (cost_fn[j] if qi[j] else cost_fp[j])
            h = max(1.0 - y * (v + b[j]), 0.0)
            loss[j] += c * h * h
            ro[j] = -2.0 * c * y * h
            first[j] -= 2.0 * c * y * h
            along[j] -= 2.0 * c * y * h * si[j]
            second[j] += 2.0 * c if h > 0.0 else 0.0


@compiled
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
def curvature(
    is_logistic: bool,
    R: Array,
    pos: Array,
    cost_fn: Array,
    cost_fp: Array,
    weight: Array,
    out: Array,
) -> None:
    """Second derivative of the weighted loss by the score, recovered from the first one, ``R``."""
    n, p = R.shape
    for i in range(n):
        ri, qi, o, s = R[i], pos[i], out[i], weight[i]
        for j in range(p):
            c = s * (cost_fn[j] if qi[j] else cost_fp[j])
            r = abs(ri[j])
            if is_logistic:
                o[j] = r * max(1.0 - r / c, 0.0) if r > 0.0 else 0.0
            else:
                o[j] = 2.0 * c if r > 0.0 else 0.0


@compiled
def score_moments(D: Array, A: Array, B: Array, out: Array) -> None:
    """Each lane's sums of DA, DB, DAA, DAB, DBB: the loss Hessian in the span of A, B and 1."""
    n, p = D.shape
    out[:] = 0.0
    for i in range(n):
        di, ai, bi = D[i], A[i], B[i]
        for j in range(p):
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
    d, p = W.shape
    out[:] = 0.0
    for i in range(d):
        wi, gi, ui, si = W[i], G[i], U[i], S[i]
        for j in range(p):
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
    d, p = W.shape
    norms[:] = 0.0
    for i in range(d):
        wi, qi, gi = W[i], Q[i], G[i]
        for j in range(p):
            g = wi[j] + scale[j] * qi[j]
            gi[j] = g
            norms[0, j] += wi[j] * wi[j]
            norms[1, j] += g * g


@compiled
def combine(A: Array, a: Array, B: Array, b: Array) -> None:
    """``B = a * A + b * B`` with one factor per lane."""
    for i in range(A.shape[0]):
        ai, bi = A[i], B[i]
        for j in range(A.shape[1]):
            bi[j] = a[j] * ai[j] + b[j] * bi[j]


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
    """In the lanes ``done``: ``S = X - X_old``, then ``X_old = X``."""
    for i in range(len(X)):
        xi, oi, si = X[i], X_old[i], S[i]
        for j in range(len(done)):
            if done[j]:
                si[j] = xi[j] - oi[j]
                oi[j] = xi[j]


@compiled
def store(W: Array, lanes: Array, columns: Array, out: Array, problems: Array) -> None:
    """``out[problems[k], columns] = W[:, lanes[k]]``, reading W along its rows."""
    for i in range(len(columns)):
        for k in range(len(lanes)):
            out[problems[k], columns[i]] = W[i, lanes[k]]
