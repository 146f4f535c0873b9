"""Products of sparse rows with one column for each problem.

Loops for some numbers of columns are compiled with that number, so that a row of the result stays
in vector registers while the entries of a sparse row are added up: 1.2 to 3 times as fast as the
loop over any number of columns, which loads and stores it for every four entries. Indices are best
unsigned: of others Numba asks every time whether they count from the end.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from pseudolinear.loops import _compile
from pseudolinear.loops._smooth import FLAGS

Array = np.ndarray
WIDTHS = {1, 4, 8, 16, 24, 32}  # numbers of columns of which a row fits into the registers
ANY = 0
compiled = _compile.compiled(plain=True, lanes=True, **FLAGS)


def csr_times(indptr: Array, indices: Array, data: Array, B: Array, out: Array) -> None:
    """``out = A @ B``, A in CSR."""
    _times(width_of(B))(indptr, indices, data, B, out)


def csr_transpose_add(indptr: Array, indices: Array, data: Array, R: Array, out: Array) -> None:
    """``out += A.T @ R``, A in CSR, without a transpose of A."""
    _transpose_add(width_of(R))(indptr, indices, data, R, out)


def width_of(B: Array) -> int:
    """Return the number of columns if loops are compiled for it, and otherwise ``ANY``."""
    n_columns = B.shape[1]
    return n_columns if n_columns in WIDTHS else ANY


@cache
def _times(width: int) -> Callable[..., None]:
    @compiled
    def times(indptr: Array, indices: Array, data: Array, B: Array, out: Array) -> None:
        p = width if width > 0 else B.shape[1]
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

    return times


@cache
def _transpose_add(width: int) -> Callable[..., None]:
    @compiled
    def transpose_add(indptr: Array, indices: Array, data: Array, R: Array, out: Array) -> None:
        p = width if width > 0 else R.shape[1]
        for i in range(len(indptr) - 1):
            r = R[i]
            for k in range(indptr[i], indptr[i + 1]):
                x, o = data[k], out[indices[k]]
                for j in range(p):
                    o[j] += x * r[j]

    return transpose_add
