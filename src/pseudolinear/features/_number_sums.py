"""What rows add to the scales of numbers; sums of parts of the rows can be added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

GLANCE = 64  # rows that are enough to see that most columns have more than two values


@dataclass(frozen=True, eq=False)
class NumberSums:
    """Sums from which means, deviations and ranges of columns follow.

    Attributes
    ----------
    mass : float
        Weight of the rows.
    shift : ndarray of shape (n_columns,) or None
        What is subtracted before summing, so that squares do not drown in it; None of sparse rows,
        of which only the largest absolute values count.
    first, second : ndarray of shape (n_columns,)
        Sums of the shifted numbers and of their squares.
    low, high : ndarray of shape (n_columns,)
        Least and largest number.
    between : ndarray of shape (n_columns,)
        Whether a number lies strictly between `low` and `high`.

    Examples
    --------
    >>> from sklearn.preprocessing import StandardScaler
    >>> from pseudolinear.features._number_sums import NumberSums
    >>> X, weight = np.random.default_rng(0).normal(size=(100, 2)), np.ones(100)
    >>> parts = [NumberSums.of_dense(X[i : i + 50], weight[:50], np.zeros(2)) for i in (0, 50)]
    >>> scaler = StandardScaler().fit(X[:10])
    >>> (parts[0] + parts[1]).settle(scaler)
    >>> bool(np.allclose(scaler.scale_, X.std(axis=0)))
    True
    """

    mass: float
    shift: NDArray[np.float64] | None
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    between: NDArray[np.bool_]

    @classmethod
    def of_dense(
        cls, X: NDArray[np.float64], weight: NDArray[np.float64], shift: NDArray[np.float64]
    ) -> NumberSums:
        """Sum some rows without gaps."""
        if not len(X):
            zero = np.zeros(X.shape[1])
            return cls(0.0, shift, zero, zero, zero + np.inf, zero - np.inf, zero > 0)
        low, high, moved = X.min(axis=0), X.max(axis=0), X - shift
        between = ((low < X[:GLANCE]) & (high > X[:GLANCE])).any(axis=0)
        if not between.all():
            rest = np.flatnonzero(~between)
            between[rest] = ((low[rest] < X[:, rest]) & (high[rest] > X[:, rest])).any(axis=0)
        first = np.dot(weight, moved)  # which, unlike @, lets go of Python's lock
        second = np.dot(weight, np.square(moved, out=moved))
        return cls(float(weight.sum()), shift, first, second, low, high, between)

    @classmethod
    def of_sparse(cls, X: Any) -> NumberSums:
        """Find the largest absolute values of sparse rows."""
        if not X.has_canonical_format:  # entries that stand twice count as their sum
            X = X.copy()
            X.sum_duplicates()
        largest = np.zeros(X.shape[1])
        np.maximum.at(largest, X.indices, np.abs(X.data))
        zero = np.zeros(X.shape[1])
        return cls(0.0, None, zero, zero, -largest, largest, zero > 0)

    def __add__(self, other: NumberSums) -> NumberSums:
        """Add the sums of other rows."""
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        between = self.between | other.between
        for one in (self, other):  # an end of one may lie inside the range of both
            inside = [(low < end) & (end < high) for end in (one.low, one.high)]
            between = between | inside[0] | inside[1]
        return NumberSums(
            self.mass + other.mass,
            self.shift,
            self.first + other.first,
            self.second + other.second,
            low,
            high,
            between,
        )

    def settle(self, scaler: Any) -> None:
        """Give a scaler the scales of all rows; columns of two values become 0 and 1."""
        if self.shift is None:
            scaler.max_abs_, scaler.scale_ = self.high, np.maximum(self.high, 1.0)
            return
        mean = self.first / self.mass
        scaler.var_ = np.maximum(self.second / self.mass - mean**2, 0.0)
        scaler.mean_ = self.shift + mean
        spread = np.sqrt(scaler.var_)
        constant = spread <= 10 * np.finfo(np.float64).eps * np.abs(scaler.mean_)
        scaler.scale_ = np.where(constant, 1.0, spread)
        two = ~self.between & (self.low < self.high)
        scaler.mean_[two], scaler.scale_[two] = self.low[two], (self.high - self.low)[two]
