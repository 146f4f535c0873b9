"""Gram matrices as the kernel solver sees them: whole, or rows within a bound of memory."""

from collections.abc import Callable
from functools import cached_property
from typing import Protocol

import numpy as np

from pseudolinear.loops._ascent import accumulate, combine, submatrix

BLOCK = 256  # rows that are computed at a time


class Gram(Protocol):
    """Inner products of the rows with each other."""

    diagonal: np.ndarray
    exact: bool  # whether products are as good as float64 can be
    capacity: int  # largest number of rows of a block
    scale: float  # of blocks

    def block(self, rows: np.ndarray) -> np.ndarray:
        """Return the inner products of some rows, times the scale, in single precision."""

    def times(self, coef: np.ndarray) -> np.ndarray:
        """Return the product with a vector, at the cost of its nonzero entries."""

    def exactly_times(self, coef: np.ndarray) -> np.ndarray:
        """Return the same in float64, whatever is held in memory."""


class WholeGram:
    """A Gram matrix in memory.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The matrix.
    """

    exact = True

    def __init__(self, K: np.ndarray) -> None:
        self.K = K
        self.diagonal = K.diagonal()
        self.capacity = len(K)
        self.scale = float(2.0 ** -np.frexp(self.diagonal.max(initial=0.0))[1])

    @cached_property
    def whole(self) -> np.ndarray:
        """The block of all rows."""
        whole = np.empty(self.K.shape, np.float32)
        return np.multiply(self.K, self.scale, out=whole, casting="same_kind")

    def block(self, rows: np.ndarray) -> np.ndarray:
        """Return the inner products of some rows, times the scale, in single precision."""
        if rows.size == len(self.K):
            return self.whole
        return submatrix(self.K, rows, rows, self.scale)

    def times(self, coef: np.ndarray) -> np.ndarray:
        """Return the product with a vector."""
        return combine(self.K, coef)

    exactly_times = times


class CachedGram:
    """Rows of a Gram matrix, computed when they are first needed and kept in single precision.

    Where memory is full, new rows take the place of those that were not used for longest.

    Parameters
    ----------
    kernel : callable
        From numbers of rows, their inner products with all rows, an array of shape (m, n).
    diagonal : ndarray of shape (n,)
        Inner products of the rows with themselves.
    megabytes : float
        Size of the rows that are kept.
    """

    exact = False
    scale = 1.0

    def __init__(
        self, kernel: Callable[[np.ndarray], np.ndarray], diagonal: np.ndarray, megabytes: float
    ) -> None:
        n = diagonal.size
        self.kernel, self.diagonal = kernel, diagonal
        self.capacity = int(np.clip(megabytes * 1e6 / (4 * n), min(BLOCK, n), n))
        self.kept = np.empty((self.capacity, n), np.float32)
        self.place = np.full(n, -1)  # of a row among those kept
        self.owner = np.full(self.capacity, -1)  # the row at a place
        self.last_use = np.full(self.capacity, -1)
        self.clock = 0

    def block(self, rows: np.ndarray) -> np.ndarray:
        """Return the inner products of some rows, at most `capacity`, with each other."""
        return submatrix(self.kept, self._places(rows), rows, self.scale)

    def times(self, coef: np.ndarray) -> np.ndarray:
        """Return the product with a vector: of rows that are kept, then of those that are not."""
        f = np.zeros(coef.size)
        used = np.flatnonzero(coef)
        there = self.place[used] >= 0
        order = np.concatenate([used[there], used[~there]])
        for start in range(0, order.size, BLOCK):
            rows = order[start : start + BLOCK]
            accumulate(self.kept, self._places(rows), coef[rows], f)
        return f

    def exactly_times(self, coef: np.ndarray) -> np.ndarray:
        """Return the product with a vector, every inner product computed anew in float64."""
        f = np.zeros(coef.size)
        used = np.flatnonzero(coef)
        for start in range(0, used.size, BLOCK):
            rows = used[start : start + BLOCK]
            f += coef[rows] @ self.kernel(rows)
        return f

    def _places(self, rows: np.ndarray) -> np.ndarray:
        """Return where the rows are kept, once those that are missing have been computed."""
        self.clock += 1
        present = self.place[rows]
        self.last_use[present[present >= 0]] = self.clock
        missing = rows[present < 0]
        free = np.argpartition(self.last_use, max(missing.size - 1, 0))[: missing.size]
        self.place[self.owner[free][self.owner[free] >= 0]] = -1
        self.owner[free], self.place[missing], self.last_use[free] = missing, free, self.clock
        for start in range(0, missing.size, BLOCK):
            part = slice(start, start + BLOCK)
            self.kept[free[part]] = self.kernel(missing[part])
        return self.place[rows]
