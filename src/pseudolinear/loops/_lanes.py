"""Compiled loops over sparse rows that advance ``LANES`` problems side by side.

Arrays over rows or features hold the problems of a batch beside each other, so that one index of a
sparse row is one vector register. Indices are best unsigned: of others Numba asks every time
whether they count from the end.
"""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._constants import LANES

ONE = np.uint64(1)


@compiled(plain=True, lanes=True)
def scores(indices, data, start, end, W, f):
    """Add ``x W`` to ``f``, for the sparse row of the given range.

    Two entries at a time: an addition then waits for half as many before it.
    """
    j = start
    while j + ONE < end:
        x, c, y, d = data[j], indices[j], data[j + ONE], indices[j + ONE]
        for q in range(LANES):
            f[q] += x * W[c, q] + y * W[d, q]
        j += ONE + ONE
    if j < end:
        x, c = data[j], indices[j]
        for q in range(LANES):
            f[q] += x * W[c, q]


@compiled(plain=True, lanes=True)
def add(indices, data, start, end, step, W):
    """Add ``x`` times a step for each problem to ``W``, for the sparse row of the given range."""
    for j in range(start, end):
        x, c = data[j], indices[j]
        for q in range(LANES):
            W[c, q] += x * step[q]


@compiled(plain=True, lanes=True)
def spread(indptr, indices, data, rows, steps, W):
    """Add ``steps x`` of every row to ``W``."""
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        add(indices, data, indptr[i], indptr[i + ONE], steps[k], W)


@compiled(plain=True)
def compact(indptr, indices, data, rows, place, starts, own, values, single, columns):
    """Copy some rows, their columns numbered as they come; return how many columns they have.

    Values are copied in double and in single precision.
    ``place`` is 0 for every column of X, before and after.
    """
    end, d = np.uint32(0), np.uint32(0)
    starts[0] = end
    for k in range(np.uint64(rows.size)):
        i = rows[k]
        for j in range(indptr[i], indptr[i + ONE]):
            c = indices[j]
            if place[c] == 0:
                columns[d] = c
                d += np.uint32(1)
                place[c] = d
            own[end] = place[c] - np.uint32(1)
            values[end] = data[j]
            single[end] = data[j]
            end += np.uint32(1)
        starts[k + ONE] = end
    for k in range(np.uint64(d)):
        place[columns[k]] = 0
    return d
