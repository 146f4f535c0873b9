"""Products with one-hot columns that are held as codes: a lookup per row and code.

Matrices are (rows or columns) x lanes in C order. The last row of a table stands for the code of no
column, so that no loop has to ask.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from pseudolinear.loops import _compile
from pseudolinear.loops._products import compiled as in_registers
from pseudolinear.loops._products import width_of

Array = np.ndarray
compiled = _compile.compiled(error_model="numpy", fastmath={"contract"})


def look_up(codes: Array, table: Array, out: Array) -> None:
    """``out[i]`` = sum of the rows of the table that row i has the codes of, four at a time."""
    _look_up(width_of(table))(codes, table, out)


def count_up(codes: Array, R: Array, table: Array) -> None:
    """Add every row of R to the rows of the table that it has the codes of."""
    _count_up(width_of(R))(codes, R, table)


@cache
def _look_up(width: int) -> Callable[..., None]:
    @in_registers
    def look_up(codes: Array, table: Array, out: Array) -> None:
        n, m = codes.shape
        p = width if width > 0 else table.shape[1]
        for i in range(n):
            o = out[i]
            for j in range(p):
                o[j] = 0.0
            k = 0
            while k + 4 <= m:
                t0, t1 = table[codes[i, k]], table[codes[i, k + 1]]
                t2, t3 = table[codes[i, k + 2]], table[codes[i, k + 3]]
                for j in range(p):
                    o[j] += (t0[j] + t1[j]) + (t2[j] + t3[j])
                k += 4
            while k < m:
                t0 = table[codes[i, k]]
                for j in range(p):
                    o[j] += t0[j]
                k += 1

    return look_up


@cache
def _count_up(width: int) -> Callable[..., None]:
    @in_registers
    def count_up(codes: Array, R: Array, table: Array) -> None:
        n, m = codes.shape
        p = width if width > 0 else R.shape[1]
        for i in range(n):
            r = R[i]
            for k in range(m):
                t = table[codes[i, k]]
                for j in range(p):
                    t[j] += r[j]

    return count_up


@compiled
def count_pairs(codes: Array, others: Array, weights: Array, table: Array) -> None:
    """Add the weight of every row to the pairs of its codes and its other codes."""
    n, m = codes.shape
    for i in range(n):
        w = weights[i]
        if w == 0.0:
            continue
        for k in range(m):
            t = table[codes[i, k]]
            for q in range(others.shape[1]):
                t[others[i, q]] += w


@compiled
def add_up(starts: Array, W: Array, table: Array) -> None:
    """Write the sums of W from the start of its group of rows into the table."""
    p = W.shape[1]
    for g in range(len(starts) - 1):
        for k in range(starts[g], starts[g + 1]):
            w, t = W[k], table[k]
            for j in range(p):
                t[j] = w[j]
            if k > starts[g]:
                last = table[k - 1]
                for j in range(p):
                    t[j] += last[j]


@compiled
def add_down(starts: Array, table: Array) -> None:
    """Replace the rows of a table by their sums to the end of their group."""
    p = table.shape[1]
    for g in range(len(starts) - 1):
        for k in range(starts[g + 1] - 2, starts[g] - 1, -1):
            t, following = table[k], table[k + 1]
            for j in range(p):
                t[j] += following[j]
