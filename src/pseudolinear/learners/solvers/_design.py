"""The design matrix as the solver sees it: products with many weight vectors at once.

Rows stay in the precision they came in, and so may what is kept of rows and lanes. A product is
computed in the wider precision of both: rows of float32 are made float64 part by part where that is
asked for, so that no second copy of them is ever held.
"""

from collections.abc import Iterator
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import scipy.sparse as sp

from pseudolinear.loops._blas import takes_small_matrices
from pseudolinear.loops._crew import crew, row_blocks, sum_in_order
from pseudolinear.loops._products import csr_times, csr_transpose_add
from pseudolinear.loops._smooth import csr_gram, csr_products

PART = 1 << 18  # numbers in a part of the rows and its lanes, which then stays in the cache
LANES = 64  # that a batch of more than a few rows has at the most
# multiplications up to which OpenBLAS takes matrices of double precision as they lie, where it has
# loops for that (AVX-512), and the rows that these need; larger ones it copies first
SMALL, FEW_ROWS = 1_000_000, 32
ALL = slice(None)
SPARSE = 4  # what an entry of a sparse matrix costs in a product, in those of a dense one
CACHED = 1 << 21  # bytes that a cache close to the processor holds
SPARSE_PART = 1 << 15  # rows in a part of a sparse matrix


def aligned(shape: tuple[int, ...], dtype: Any = np.float64) -> np.ndarray:
    """Return an empty array that starts at a cache line, so that no vector load straddles two."""
    size = prod(shape) * np.dtype(dtype).itemsize
    buffer = np.empty(size + 64, np.uint8)
    start = -buffer.__array_interface__["data"][0] % 64
    return buffer[start : start + size].view(dtype).reshape(shape)


def cut(n: int, size: int) -> Iterator[slice]:
    """Cut n rows into parts."""
    return (slice(start, start + size) for start in range(0, n, size))


def stack(A: np.ndarray, n_parts: int) -> np.ndarray:
    """Return the rows as parts of equal size, one upon the other, without a copy."""
    return A.reshape(n_parts, len(A) // n_parts, A.shape[1])


class DenseDesign:
    """A dense matrix; the products are left to BLAS."""

    def __init__(self, X: np.ndarray):
        self.X = X
        self.shape = X.shape
        self.size = max(PART // (X.shape[1] + LANES), 64)

    @cached_property
    def radius(self) -> float:
        """Largest norm of a row."""
        squares = (np.square(A, dtype=np.float64).sum(axis=1).max() for _, A in self._cut())
        return float(np.sqrt(max(squares, default=0.0)))

    def _size(self, other: np.ndarray) -> int:
        """Return how many rows to multiply at a time with the columns of another matrix."""
        small = min(SMALL // max(self.shape[1] * other.shape[1], 1), self.size)
        suits = small >= FEW_ROWS and other.dtype == np.float64 and takes_small_matrices()
        return small if suits else self.size

    def _cut(
        self, dtype: Any = np.float32, block: slice | None = None, size: int | None = None
    ) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield the rows part by part, of that precision or a wider one of their own."""
        dtype, (start, end, _) = np.result_type(self.X, dtype), (block or ALL).indices(len(self.X))
        for part in cut(end - start, size or self.size):
            rows = slice(start + part.start, min(start + part.stop, end))
            yield rows, self.X[rows].astype(dtype, copy=False)

    def _stacks(self, block: slice, other: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield the rows of a block as stacks of parts, to be multiplied with another matrix.

        A stack is one call, during which NumPy lets go of Python's lock. Rows that are made of a
        wider precision come part by part.
        """
        size, (start, end, _) = self._size(other), block.indices(len(self.X))
        if np.result_type(self.X, other) != self.X.dtype:
            yield from ((rows, A[None]) for rows, A in self._cut(other.dtype, block, size))
            return
        n_parts = max(-(-(end - start) // size), 1)
        middle = end - (end - start) % n_parts
        yield slice(start, middle), stack(self.X[start:middle], n_parts)
        if middle < end:
            yield slice(middle, end), self.X[None, middle:end]

    def pieces(self) -> Iterator[tuple[slice, "DenseDesign"]]:
        """Yield parts of the rows as designs of their own."""
        return ((part, DenseDesign(A)) for part, A in self._cut())

    def times(self, W: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Scores ``X @ W``."""

        def times(block: slice) -> None:
            for part, A in self._stacks(block, out):
                np.matmul(A, W.astype(A.dtype, copy=False), out=stack(out[part], len(A)))

        crew.share(times, row_blocks(len(self.X), self.X.size * W.shape[1]))
        return out

    def transpose_times(self, R: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Row sums ``X.T @ R``; errors of single precision are those of a part, not of the sum."""

        def times(block: slice) -> np.ndarray:
            total = np.zeros_like(out)
            for part, A in self._stacks(block, R):
                B = stack(R[part], len(A)).astype(A.dtype, copy=False)
                for product in np.matmul(A.transpose(0, 2, 1), B):
                    total += product
            return total

        blocks = row_blocks(len(self.X), self.X.size * R.shape[1])
        out[:] = sum_in_order(crew.share(times, blocks))
        return out

    def squares_times(self, D: np.ndarray) -> np.ndarray:
        """Diagonals of ``X.T @ diag(D[:, j]) @ X``, one column per lane."""
        out = np.zeros((self.shape[1], D.shape[1]))
        for part, A in self._cut():
            out += np.dot((A * A).T, D[part].astype(A.dtype, copy=False))
        return out

    def gram(
        self, weights: np.ndarray, centre: np.ndarray | float = 0.0, dtype: Any = np.float64
    ) -> np.ndarray:
        """Upper triangle of ``A.T @ diag(weights) @ A`` for A = X - centre, in that precision."""
        d, rows = self.shape[1], np.flatnonzero(weights)
        every = len(rows) == len(weights)  # rows next to each other are not copied

        def gram(block: slice) -> np.ndarray:
            out = np.zeros((d, d), dtype)
            for part in cut(block.stop - block.start, self.size):
                own = slice(block.start + part.start, min(block.start + part.stop, block.stop))
                some = own if every else rows[own]
                A = np.empty((own.stop - own.start, d), dtype)
                np.subtract(self.X[some], centre, out=A, casting="same_kind")
                A *= np.sqrt(weights[some])[:, None].astype(dtype)
                out += A.T @ A
            return out

        most = max(len(rows) // (8 * d), 1)  # a block is much larger than what it gives
        return sum_in_order(crew.share(gram, row_blocks(len(rows), len(rows) * d * d // 2, most)))

    def grams(self, weights: np.ndarray, centres: np.ndarray, dtype: Any) -> np.ndarray:
        """Matrices ``A.T @ diag(weights[:, k]) @ A``, A = X - centres[k], of few features.

        One for every column k, in the given precision. That of A is relative to the distance from
        the mean row, which all centres are near to.
        """
        (n, d), k = self.shape, weights.shape[1]
        middle = self.X.mean(axis=0, dtype=np.float64)
        X = np.subtract(self.X, middle).astype(dtype)
        roots = np.sqrt(weights.T, dtype=dtype, casting="same_kind")
        centres, out = (centres - middle).astype(dtype), np.empty((k, d, d), dtype)
        size = max(PART // X.size, 1)

        def grams(block: slice) -> None:
            room = np.empty((size, n, d), dtype)  # new for every part, it would take as long again
            for part in cut(block.stop - block.start, size):
                some = slice(block.start + part.start, min(block.start + part.stop, block.stop))
                A = np.subtract(X, centres[some, None], out=room[: some.stop - some.start])
                A *= roots[some, :, None]
                np.matmul(A.transpose(0, 2, 1), A, out=out[some])

        crew.share(grams, row_blocks(k, n * d * d * k))
        return out

    @cached_property
    def kernel(self) -> np.ndarray:
        """Inner products of the rows, which are few where they are asked for."""
        X = self.X.astype(np.float64, copy=False)
        return X @ X.T


class SparseDesign:
    """A CSR matrix, and where it is asked for its transpose: products run along rows."""

    def __init__(self, X: sp.csr_array):
        self.X = X
        self.shape = X.shape

    @cached_property
    def transposed(self) -> sp.csr_array:
        """The transpose."""
        return _csr(self.X.T)

    @cached_property
    def squares(self) -> np.ndarray:
        """Squared values of the transpose."""
        return self.transposed.data**2

    @cached_property
    def norms2(self) -> np.ndarray:
        """Squared norms of the rows."""
        X = self.X
        squares = sp.csr_array((np.square(X.data, dtype=np.float64), X.indices, X.indptr), X.shape)
        return np.asarray(squares.sum(axis=1)).ravel()

    @cached_property
    def radius(self) -> float:
        """Largest norm of a row."""
        return float(np.sqrt(self.norms2.max(initial=0.0)))

    def pieces(self) -> Iterator[tuple[slice, "SparseDesign"]]:
        """Yield parts of the rows as designs of their own; few rows are one part."""
        if self.shape[0] <= SPARSE_PART:
            return iter([(slice(None), self)])
        parts = cut(self.shape[0], SPARSE_PART)
        return ((part, SparseDesign(_csr(self.X[part]))) for part in parts)

    def take(self, rows: np.ndarray) -> "SparseDesign":
        """Return the design of some rows; what is known of their inner products stays known."""
        some = SparseDesign(_csr(self.X[rows]))
        if "kernel" in self.__dict__:
            some.kernel = self.kernel[np.ix_(rows, rows)]
        return some

    def times(self, W: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Scores ``X @ W``."""
        W = W.astype(out.dtype, copy=False)
        return _times(self.X, self.X.data, W, out)

    def transpose_times(self, R: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Row sums ``X.T @ R``.

        Along the rows of the transpose, R is read here and there; where it is too large for that,
        and larger than what is written, along the rows of X.
        """
        if R.nbytes < CACHED or len(out) >= len(R):
            return _times(self.transposed, self.transposed.data, R, out)
        X, R = self.X, np.ascontiguousarray(R)
        indptr, indices = unsigned(X)

        def times(rows: slice) -> np.ndarray:
            total = np.zeros(out.shape, out.dtype)
            csr_transpose_add(indptr[rows.start : rows.stop + 1], indices, X.data, R[rows], total)
            return total

        most = max(X.nnz // (8 * self.shape[1]), 1)  # a block is much larger than what it gives
        blocks = row_blocks(len(R), SPARSE * X.nnz * R.shape[1], most)
        out[:] = sum_in_order(crew.share(times, blocks))
        return out

    def squares_times(self, D: np.ndarray) -> np.ndarray:
        """Diagonals of ``X.T @ diag(D[:, j]) @ X``, one column per lane."""
        return _times(self.transposed, self.squares, D, aligned((self.shape[1], D.shape[1])))

    def gram(self, weights: np.ndarray) -> np.ndarray:
        """Upper triangle of ``X.T @ diag(weights) @ X``."""
        out = np.empty((self.shape[1], self.shape[1]))
        csr_gram(*unsigned(self.X), self.X.data, weights, out)
        return out

    @cached_property
    def kernel(self) -> np.ndarray:
        """Inner products of the rows, which are few where they are asked for."""
        X, T, out = self.X, self.transposed, np.zeros((self.shape[0], self.shape[0]))
        csr_products(*unsigned(X), X.data, *unsigned(T), T.data, out)
        return out


def unsigned(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return where the rows of a CSR matrix begin, and its columns, as unsigned numbers.

    Of others a compiled loop asks every time whether they count from the end.
    """
    indptr, indices = (a.astype(np.int32, copy=False) for a in (X.indptr, X.indices))
    return indptr.view(np.uint32), indices.view(np.uint32)


def times(X: Any, W: np.ndarray) -> np.ndarray:
    """Return ``X @ W`` for rows as they come, in double precision and without a copy of X."""
    if isinstance(X, np.ndarray) and X.dtype == np.float32:
        return DenseDesign(X).times(W, np.empty((len(X), W.shape[1])))
    return np.asarray(X @ W)


def _times(X: sp.csr_array, data: np.ndarray, W: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return the product of a CSR matrix, whose values may be others, and W."""
    indptr, indices = unsigned(X)

    W = np.ascontiguousarray(W)

    def product(rows: slice) -> None:
        csr_times(indptr[rows.start : rows.stop + 1], indices, data, W, out[rows])

    crew.share(product, row_blocks(len(out), SPARSE * X.nnz * W.shape[1]))
    return out


def precision(X: Any) -> type[np.floating]:
    """Return float32 for rows of that kind, float64 for all others."""
    return np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64


def _csr(X: Any) -> sp.csr_array:
    """Return X as CSR with sorted 32-bit indices and values of single or double precision."""
    X = sp.csr_array(X, dtype=precision(X))
    X.sum_duplicates()
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X


def make_design(X: Any) -> tuple[DenseDesign | SparseDesign, np.ndarray]:
    """Return the design without its all-zero columns, and the numbers of the columns kept."""
    if sp.issparse(X):
        X = _csr(X)
        counts = np.bincount(X.indices, minlength=X.shape[1])
        counts[0] += 1  # a design has at least one column
        columns = np.flatnonzero(counts)
        return SparseDesign(X if len(columns) == X.shape[1] else _csr(X[:, columns])), columns
    return DenseDesign(np.ascontiguousarray(X, dtype=precision(X))), np.arange(X.shape[1])
