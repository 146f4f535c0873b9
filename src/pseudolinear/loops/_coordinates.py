"""Compiled loops of batched dual coordinate descent.

Arrays over rows or features hold the problems of a batch side by side, ``LANES`` of them.
"""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._constants import LANES
from pseudolinear.loops._lanes import ONE, add, scores

plain = compiled(plain=True, lanes=True, error_model="numpy")


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


@plain
def sweep(indptr, indices, data, norm2, rows, y, U, A, W, b, rho, live, f):
    """Minimise the dual along the coordinates of ``rows``, one after the other.

    ``rho`` is the weight of the penalty of the constraint on ``sum_i A_i y_i`` and ``live`` is 0
    for the problems of the batch that are solved.
    """
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        start, end = indptr[i], indptr[i + ONE]
        for q in range(LANES):
            f[q] = b[q]
        scores(indices, data, start, end, W, f)
        size = 0.0
        for q in range(LANES):
            new = A[i, q] + live[q] * (1.0 - y[i, q] * f[q]) / (norm2[i] + rho)
            new = new if new > 0.0 else 0.0
            new = new if new < U[i, q] else U[i, q]
            f[q] = (new - A[i, q]) * y[i, q]
            A[i, q] = new
            size += abs(f[q])
        if size > 0.0:
            for q in range(LANES):
                b[q] += rho * f[q]
            add(indices, data, start, end, f, W)


@plain
def inspect(
    indptr, indices, data, y, U, A, W, b, live, distance, active, F,
    loss, below, above, turned_below, turned_above, f,
):  # fmt: skip
    """Sum what the duality gap needs and find the rows that may still move; ``F`` becomes X W.

    ``loss`` becomes the hinge loss weighted by U, ``below`` and ``above`` the sums of A of negative
    and of positive rows, and those turned the sums of ``A y w x``.

    Returns
    -------
    int
        Number of rows, listed in ``active``, that are not at a bound with a margin at least
        ``distance`` on the right side of 1 in every live problem.
    """
    n_active = 0
    for q in range(LANES):
        loss[q] = 0.0
        below[q] = 0.0
        above[q] = 0.0
        turned_below[q] = 0.0
        turned_above[q] = 0.0
    for i in range(np.uint64(A.shape[0])):
        for q in range(LANES):
            f[q] = 0.0
        scores(indices, data, indptr[i], indptr[i + ONE], W, f)
        moving = 0.0
        for q in range(LANES):
            a, t = A[i, q], y[i, q] * f[q]
            F[i, q] = f[q]
            up = 1.0 if y[i, q] > 0.0 else 0.0
            above[q] += up * a
            below[q] += (1.0 - up) * a
            turned_above[q] += up * a * t
            turned_below[q] += (1.0 - up) * a * t
        for q in range(LANES):
            r = 1.0 - y[i, q] * (f[q] + b[q])
            loss[q] += U[i, q] * r if r > 0.0 else 0.0
            free = live[q] if A[i, q] > 0.0 else (live[q] if r >= -distance else 0.0)
            moving += free if A[i, q] < U[i, q] else (live[q] if r <= distance else 0.0)
        if moving > 0.0:
            active[n_active] = i
            n_active += 1
    return n_active


@plain
def best_intercepts(y, U, F, limit, bends, b, loss, low, above, middle, slope):
    """Write the best intercepts for the scores ``F`` into ``b``, and their losses into ``loss``.

    The loss falls below the bend ``y - F`` of a positive row and rises above that of a negative
    one, by U: its slope is what the bends below an intercept weigh, less the weight of all positive
    rows. An interval around its zero is halved ``limit`` times, which takes less than sorting; the
    first bend that is left in it is the answer.
    """
    for q in range(LANES):
        low[q] = np.inf
        b[q] = -np.inf
        above[q] = 0.0
    for i in range(np.uint64(len(F))):
        for q in range(LANES):
            t = y[i, q] - F[i, q]
            bends[i, q] = t
            low[q] = t if t < low[q] else low[q]
            b[q] = t if t > b[q] else b[q]
            above[q] += U[i, q] if y[i, q] > 0.0 else 0.0
    for q in range(LANES):
        low[q] -= b[q] - low[q]  # below the first bend, which may be the best
    for _ in range(limit):
        for q in range(LANES):
            middle[q] = 0.5 * (low[q] + b[q])
            slope[q] = -above[q]
        for i in range(np.uint64(len(F))):
            for q in range(LANES):
                slope[q] += U[i, q] if bends[i, q] <= middle[q] else 0.0
        for q in range(LANES):
            rises = slope[q] >= 0.0
            b[q] = middle[q] if rises else b[q]
            low[q] = low[q] if rises else middle[q]
    for i in range(np.uint64(len(F))):
        for q in range(LANES):
            t = bends[i, q] if bends[i, q] > low[q] else b[q]
            b[q] = t if t < b[q] else b[q]
    for q in range(LANES):
        loss[q] = 0.0
    for i in range(np.uint64(len(F))):
        for q in range(LANES):
            r = y[i, q] * (bends[i, q] - b[q])
            loss[q] += U[i, q] * r if r > 0.0 else 0.0
