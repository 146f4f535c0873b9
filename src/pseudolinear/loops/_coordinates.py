"""Compiled loops of batched dual coordinate descent.

Arrays over rows or features hold the problems of a batch side by side, ``LANES`` of them, so that
one index of a sparse row advances them all.
"""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._constants import LANES


@compiled
def margins(indices, data, start, end, W, f):
    """Write ``x W`` into ``f``, for the sparse row of the given range.

    Written out because LLVM keeps ``LANES`` named sums in vector registers but not an array's.
    """
    f0 = f1 = f2 = f3 = f4 = f5 = f6 = f7 = 0.0
    for j in range(start, end):
        x, w = data[j], W[indices[j]]
        f0 += x * w[0]
        f1 += x * w[1]
        f2 += x * w[2]
        f3 += x * w[3]
        f4 += x * w[4]
        f5 += x * w[5]
        f6 += x * w[6]
        f7 += x * w[7]
    f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7] = f0, f1, f2, f3, f4, f5, f6, f7


@compiled
def add(indices, data, start, end, step, W):
    """Add ``x`` times a step for each problem to ``W``, for the sparse row of the given range.

    Written out for the same reason: LLVM cannot know that ``W`` does not hold the steps.
    """
    s0, s1, s2, s3 = step[0], step[1], step[2], step[3]
    s4, s5, s6, s7 = step[4], step[5], step[6], step[7]
    for j in range(start, end):
        x, w = data[j], W[indices[j]]
        w0, w1, w2, w3 = w[0] + x * s0, w[1] + x * s1, w[2] + x * s2, w[3] + x * s3
        w4, w5, w6, w7 = w[4] + x * s4, w[5] + x * s5, w[6] + x * s6, w[7] + x * s7
        w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7] = w0, w1, w2, w3, w4, w5, w6, w7


@compiled
def accumulate(indptr, indices, data, y, A, W):
    """Write ``W = sum_i A_i y_i x_i``."""
    W[:] = 0.0
    step = np.empty(LANES)
    for i in range(A.shape[0]):
        size = 0.0
        for q in range(LANES):
            step[q] = A[i, q] * y[i, q]
            size += A[i, q]
        if size > 0.0:
            add(indices, data, indptr[i], indptr[i + 1], step, W)


@compiled
def sweep(indptr, indices, data, norm2, rows, y, U, A, W, b, rho, live):
    """Minimise the dual along the coordinates of ``rows``, one after the other.

    ``rho`` is the weight of the penalty of the constraint on ``sum_i A_i y_i`` and ``live`` is 0
    for the problems of the batch that are solved.
    """
    f = np.empty(LANES)
    for i in rows:
        start, end = indptr[i], indptr[i + 1]
        margins(indices, data, start, end, W, f)
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


@compiled
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
    for i in range(A.shape[0]):
        margins(indices, data, indptr[i], indptr[i + 1], W, f)
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
