"""Compiled loops of batched dual coordinate descent.

Arrays over rows or features hold the problems of a batch side by side, ``LANES`` of them.
"""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._constants import LANES
from pseudolinear.loops._lanes import ONE, add, scores


@compiled(lanes=True)
def accumulate(indptr, indices, data, y, A, W):
    """Write ``W = sum_i A_i y_i x_i``."""
    W[:] = 0.0
    step = np.empty(LANES)
    for i in range(np.uint64(A.shape[0])):
        size = 0.0
        for q in range(LANES):
            step[q] = A[i, q] * y[i, q]
            size += A[i, q]
        if size > 0.0:
            add(indices, data, indptr[i], indptr[i + ONE], step, W)


@compiled(lanes=True)
def sweep(indptr, indices, data, norm2, rows, y, U, A, W, b, rho, live):
    """Minimise the dual along the coordinates of ``rows``, one after the other.

    ``rho`` is the weight of the penalty of the constraint on ``sum_i A_i y_i`` and ``live`` is 0
    for the problems of the batch that are solved.
    """
    f = np.empty(LANES)
    for i in rows:
        start, end = indptr[i], indptr[i + ONE]
        f[:] = 0.0
        scores(indices, data, start, end, W, f)
        size = 0.0
        for q in range(LANES):
            new = A[i, q] + live[q] * (1.0 - y[i, q] * (f[q] + b[q])) / (norm2[i] + rho)
            new = min(max(new, 0.0), U[i, q])
            f[q] = (new - A[i, q]) * y[i, q]
            A[i, q] = new
            size += abs(f[q])
        if size > 0.0:
            for q in range(LANES):
                b[q] += rho * f[q]
            add(indices, data, start, end, f, W)


@compiled(lanes=True)
def inspect(indptr, indices, data, y, U, A, W, b, live, distance, active, F):
    """Sum what the duality gap needs and find the rows that may still move; ``F`` becomes X W.

    Returns
    -------
    sums : ndarray of shape (5, LANES)
        Hinge loss weighted by U; A of negative rows; A of positive rows; ``A y w x`` of both.
    n_active : int
        Number of rows, listed in ``active``, that are not at a bound with a margin at least
        ``distance`` on the right side of 1 in every live problem.
    """
    sums = np.zeros((5, LANES))
    f = np.empty(LANES)
    n_active = 0
    for i in range(np.uint64(A.shape[0])):
        f[:] = 0.0
        scores(indices, data, indptr[i], indptr[i + ONE], W, f)
        moving = 0
        for q in range(LANES):
            a = A[i, q]
            F[i, q] = f[q]
            r = 1.0 - y[i, q] * (f[q] + b[q])
            c = 1 if y[i, q] > 0 else 0
            sums[0, q] += U[i, q] * max(r, 0.0)
            sums[1 + c, q] += a
            sums[3 + c, q] += a * y[i, q] * f[q]
            settled = (a == 0.0 and r < -distance) or (a == U[i, q] and r > distance)
            moving += live[q] > 0.0 and not settled
        if moving:
            active[n_active] = i
            n_active += 1
    return sums, n_active
