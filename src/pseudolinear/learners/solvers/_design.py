"""The design matrix as the solver sees it: products with many weight vectors at once."""

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from pseudolinear.loops._smooth import csr_gram, csr_times


def aligned(shape: tuple[int, ...]) -> np.ndarray:
    """Return an empty array that starts at a cache line, so that no vector load straddles two."""
    size = int(np.prod(shape)) * 8
    buffer = np.empty(size + 64, np.uint8)
    start = -buffer.ctypes.data % 64
    return buffer[start : start + size].view(np.float64).reshape(shape)


class DenseDesign:
    """A dense matrix; the products are left to BLAS."""

    def __init__(self, X: np.ndarray):
        self.X = X
        self.shape = X.shape
        self.squares = X * X
        self.radius = np.sqrt(self.squares.sum(axis=1).max(initial=0.0))

    def times(self, W: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Scores ``X @ W``."""
        return np.matmul(self.X, W, out=out)

    def transpose_times(self, R: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Row sums ``X.T @ R``."""
        return np.matmul(self.X.T, R, out=out)

    def squares_times(self, D: np.ndarray) -> np.ndarray:
        """Diagonals of ``X.T @ diag(D[:, j]) @ X``, one column per lane."""
        return self.squares.T @ D

    def gram(self, weights: np.ndarray) -> np.ndarray:
        """Upper triangle of ``X.T @ diag(weights) @ X``."""
        rows = np.flatnonzero(weights)
        A = self.X[rows] * np.sqrt(weights[rows])[:, None]
        return A.T @ A

    @cached_property
    def kernel(self) -> np.ndarray:
        """Inner products of the rows."""
        return self.X @ self.X.T


class SparseDesign:
    """A CSR matrix together with its transpose, so that both products run along rows."""

    def __init__(self, X: sp.csr_array):
        self.X = X
        self.T = _csr(X.T)
        self.shape = X.shape
        self.squares = self.T.data**2
        self.radius = np.sqrt(X.multiply(X).sum(axis=1).max()) if X.nnz else 0.0

    def times(self, W: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Scores ``X @ W``."""
        csr_times(self.X.indptr, self.X.indices, self.X.data, W, out)
        return out

    def transpose_times(self, R: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Row sums ``X.T @ R``."""
        csr_times(self.T.indptr, self.T.indices, self.T.data, R, out)
        return out

    def squares_times(self, D: np.ndarray) -> np.ndarray:
        """Diagonals of ``X.T @ diag(D[:, j]) @ X``, one column per lane."""
        out = aligned((self.shape[1], D.shape[1]))
        csr_times(self.T.indptr, self.T.indices, self.squares, D, out)
        return out

    def gram(self, weights: np.ndarray) -> np.ndarray:
        """Upper triangle of ``X.T @ diag(weights) @ X``."""
        out = np.empty((self.shape[1], self.shape[1]))
        csr_gram(self.X.indptr, self.X.indices, self.X.data, weights, out)
        return out

    @cached_property
    def kernel(self) -> np.ndarray:
        """Inner products of the rows."""
        return (self.X @ self.X.T).toarray()


def _csr(X: Any) -> sp.csr_array:
    """Return X as CSR with sorted 32-bit indices and float64 values."""
    X = sp.csr_array(X, dtype=np.float64)
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
    return DenseDesign(np.ascontiguousarray(X, dtype=np.float64)), np.arange(X.shape[1])
