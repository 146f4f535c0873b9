"""Compiled loops of conjugate gradients on a face of the dual: variables strictly between bounds.

Arrays hold ``LANES`` problems side by side, as those of coordinate descent do.
"""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._lanes import ONE, add, scores

plain = compiled(plain=True, lanes=True, error_model="numpy")


@compiled(lanes=True)
def free_rows(A, U, live, rows):
    """Return those of ``rows`` whose variable is strictly between its bounds in a live lane."""
    kept = np.empty_like(rows)
    size = 0
    for i in rows:
        free = False
        for q in range(LANES):
            free = free or (live[q] > 0.0 and 0.0 < A[i, q] < U[i, q])
        if free:
            kept[size] = i
            size += 1
    return kept[:size]


@compiled(lanes=True)
def gather(indptr, indices, data, rows, W, constant, F):
    """Write ``x W + constant`` of every row into ``F``."""
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        for q in range(LANES):
            F[k, q] = constant[q]
        scores(indices, data, indptr[i], indptr[i + ONE], W, F[k])


@plain
def aim(going, G, inverse, Z, product):
    """Write the preconditioned derivatives into ``Z``, and their products with these."""
    for q in range(LANES):
        product[q] = 0.0
    for k in range(np.uint64(len(G))):
        for q in range(LANES):
            Z[k, q] = going[q] * G[k, q] * inverse[k, q]
            product[q] += G[k, q] * Z[k, q]


@plain
def turn(starts, indices, data, beta, Z, P, W, total, f):
    """Write the next direction, ``Z + beta P``, into ``P``, its sum of rows into ``W``."""
    for c in range(np.uint64(len(W))):
        for q in range(LANES):
            W[c, q] *= beta[q]
    for q in range(LANES):
        total[q] *= beta[q]
    for k in range(np.uint64(len(P))):
        for q in range(LANES):
            f[q] = Z[k, q]
            P[k, q] = f[q] + beta[q] * P[k, q]
            total[q] += f[q]
        add(indices, data, starts[k], starts[k + ONE], f, W)


@plain
def press(starts, indices, data, rho, total, P, W, H, curvature, f):
    """Write the curvature's product with ``P``, whose rows add up to ``W``, into ``H``."""
    for q in range(LANES):
        curvature[q] = 0.0
    for k in range(np.uint64(len(P))):
        for q in range(LANES):
            f[q] = rho * total[q]
        scores(indices, data, starts[k], starts[k + ONE], W, f)
        for q in range(LANES):
            H[k, q] = f[q]
            curvature[q] += P[k, q] * f[q]


@plain
def reach(low, high, inverse, D, P, least):
    """Write how far each lane can go along ``P`` to the first bound."""
    for q in range(LANES):
        least[q] = np.inf
    for k in range(np.uint64(len(D))):
        for q in range(LANES):
            p, lo, hi = P[k, q], low[k, q], high[k, q]
            free = inverse[k, q] if p != 0.0 else 0.0
            most = ((hi if p > 0.0 else lo) - D[k, q]) / (p if p != 0.0 else 1.0)
            most = most if free > 0.0 else np.inf
            least[q] = most if most < least[q] else least[q]


@plain
def advance(low, high, U, inverse, step, met, P, H, D, G, loss, f):
    """Move along ``P``, fix what has met its bound; sum the loss that is left on the face."""
    for q in range(LANES):
        loss[q] = 0.0
    for k in range(np.uint64(len(D))):
        for q in range(LANES):
            f[q] = D[k, q] + step[q] * P[k, q]
            G[k, q] -= step[q] * H[k, q]
        for q in range(LANES):
            loss[q] += U[k, q] * abs(G[k, q]) if inverse[k, q] > 0.0 else 0.0
        for q in range(LANES):
            lo, hi, d = low[k, q], high[k, q], f[q]
            out = met[q] if inverse[k, q] > 0.0 else 0.0
            out = (out if d >= hi else 0.0) if d > lo else out
            D[k, q] = (lo if P[k, q] < 0.0 else hi) if out > 0.0 else d
            inverse[k, q] = 0.0 if out > 0.0 else inverse[k, q]


@compiled(lanes=True)
def maximise(starts, indices, data, inverse, G, low, high, U, rho, enough, limit, W):
    """Maximise the dual on the face by conjugate gradients that stop at bounds.

    A variable that meets its bound leaves the face and the lane starts anew from there (Dostal
    1997, without his expansion steps: coordinate descent makes those).

    Parameters
    ----------
    starts, indices, data : ndarray
        The rows that are free in some lane, without the columns that they do not have.
    inverse : ndarray of shape (m, LANES)
        Inverse curvature of every variable; 0 for those that are not free. Written.
    G : ndarray of shape (m, LANES)
        Derivatives of the dual by the signed variables. Written.
    low, high, U : ndarray of shape (m, LANES)
        How far the signed variables may fall and grow, and the bounds.
    rho : float
        Weight of the penalty of their sum.
    enough : ndarray of shape (LANES,)
        Loss of the free rows at which a lane ends.
    limit : int
        Largest number of steps.
    W : ndarray of shape (d, LANES)
        Room to work in.

    Returns
    -------
    ndarray of shape (m, LANES)
        Change of the signed variables.
    """
    m = len(G)
    D, P = np.zeros((m, LANES)), np.zeros((m, LANES))
    Z, H = np.empty((m, LANES)), np.empty((m, LANES))
    total, before, met = np.zeros(LANES), np.ones(LANES), np.ones(LANES)
    product, curvature, least = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    going, loss, f = np.ones(LANES), np.empty(LANES), np.empty(LANES)
    W[:] = 0.0
    for _ in range(limit):
        aim(going, G, inverse, Z, product)
        beta = np.where(met > 0.0, 0.0, product / before)
        before = np.maximum(product, TINY)
        turn(starts, indices, data, beta, Z, P, W, total, f)
        press(starts, indices, data, rho, total, P, W, H, curvature, f)
        step = np.where(curvature > 0.0, product / np.maximum(curvature, TINY), 0.0)
        reach(low, high, inverse, D, P, least)
        met = np.where(least < step, 1.0, 0.0)
        step = np.where(least < step, np.maximum(least, 0.0), step)
        advance(low, high, U, inverse, step, met, P, H, D, G, loss, f)
        going = np.where((loss > enough) & (product > 0.0), going, 0.0)
        if not going.any():
            break
    return D
