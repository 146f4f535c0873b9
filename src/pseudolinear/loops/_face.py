"""Compiled loops of conjugate gradients on a face of the dual: variables strictly between bounds.

Arrays hold ``LANES`` problems side by side, as those of coordinate descent do.
"""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._lanes import ONE, scores, spread


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


@compiled(lanes=True)
def reach(low, high, inverse, D, P, step):
    """Shorten each lane's ``step`` along ``P`` to the first bound; return which lanes meet one."""
    met = np.zeros(LANES)
    for k in range(D.shape[0]):
        for q in range(LANES):
            p = P[k, q]
            if inverse[k, q] > 0.0 and p != 0.0:
                most = ((high[k, q] if p > 0.0 else low[k, q]) - D[k, q]) / p
                if most < step[q]:
                    step[q] = max(most, 0.0)
                    met[q] = 1.0
    return met


@compiled(lanes=True)
def advance(low, high, U, inverse, D, G, P, H, step, met):
    """Move along ``P``, fix what has met its bound; return the loss that is left on the face."""
    loss = np.zeros(LANES)
    for k in range(D.shape[0]):
        for q in range(LANES):
            D[k, q] += step[q] * P[k, q]
            G[k, q] -= step[q] * H[k, q]
            if inverse[k, q] > 0.0:
                loss[q] += U[k, q] * abs(G[k, q])
                if met[q] > 0.0 and not low[k, q] < D[k, q] < high[k, q]:
                    D[k, q] = low[k, q] if P[k, q] < 0.0 else high[k, q]
                    inverse[k, q] = 0.0
    return loss


@compiled(lanes=True)
def maximise(indptr, indices, data, rows, inverse, G, low, high, U, rho, enough, limit, W):
    """Maximise the dual on the face by conjugate gradients that stop at bounds.

    A variable that meets its bound leaves the face and the lane starts anew from there (Dostal
    1997, without his expansion steps: coordinate descent makes those).

    Parameters
    ----------
    indptr, indices, data : ndarray
        The rows of X.
    rows : ndarray of shape (m,)
        The rows that are free in some lane.
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
    m = rows.size
    D, P = np.zeros((m, LANES)), np.zeros((m, LANES))
    Z, H = np.zeros((m, LANES)), np.empty((m, LANES))
    total, before, met = np.zeros(LANES), np.ones(LANES), np.ones(LANES)
    going = np.ones(LANES)
    W[:] = 0.0
    for _ in range(limit):
        product = np.zeros(LANES)
        for k in range(m):
            for q in range(LANES):
                Z[k, q] = going[q] * G[k, q] * inverse[k, q]
                product[q] += G[k, q] * Z[k, q]
        beta = np.where(met > 0.0, 0.0, product / before)
        before = np.maximum(product, TINY)
        for j in range(W.shape[0]):
            for q in range(LANES):
                W[j, q] *= beta[q]
        total *= beta
        for k in range(m):
            for q in range(LANES):
                P[k, q] = Z[k, q] + beta[q] * P[k, q]
                total[q] += Z[k, q]
        spread(indptr, indices, data, rows, Z, W)
        gather(indptr, indices, data, rows, W, rho * total, H)
        curvature = np.zeros(LANES)
        for k in range(m):
            for q in range(LANES):
                curvature[q] += P[k, q] * H[k, q]
        step = np.where(curvature > 0.0, product / np.maximum(curvature, TINY), 0.0)
        met = reach(low, high, inverse, D, P, step)
        loss = advance(low, high, U, inverse, D, G, P, H, step, met)
        going = np.where((loss > enough) & (product > 0.0), going, 0.0)
        if not going.any():
            break
    return D
