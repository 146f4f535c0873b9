"""Numbers on one scale."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import config_context
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

from pseudolinear._validation import check_magnitudes
from pseudolinear.features._number_sums import NumberSums
from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views
from pseudolinear.loops._crew import crew, row_blocks

SORTING = 32  # what a number costs in a median, in multiplications
GLANCE = 64  # rows that are enough to see that a column has more than two values
PART = 1 << 20  # numbers that are worked on at a time, so that few copies of the rows are made


class NumbersView(View):
    """Numbers without gaps and of a common scale.

    A missing number becomes the median, and a column says where one was missing. Dense columns get
    mean 0 and standard deviation 1, those of two values become 0 and 1. Sparse columns that exceed
    1 are divided by their largest absolute value, so zeros stay zeros and rows of text, which are
    on a scale of their own, stay as they are.
    """

    name = "numbers"
    imputer: Any
    scaler: Any

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn medians and scales; see :class:`View`."""
        X = check_magnitudes(table.numbers)
        self.imputer = self.scaler = None
        if sparse.issparse(X):
            self.scaler = MaxAbsScaler().fit(X[:1])
            NumberSums.of_sparse(X).settle(self.scaler)  # its own way sorts all entries by columns
        elif X.shape[1]:
            self.imputer = median_imputer(X)
            self._fit_scaler(X, weight)
        return self

    def _fit_scaler(self, X: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        self.scaler = StandardScaler()
        gaps = len(self.imputer.indicator_.features_) > 0
        low: Any = np.inf
        high: Any = -np.inf
        for part in cut(X):
            A = self.imputer.transform(X[part]) if gaps else X[part]
            with np.errstate(invalid="ignore"):  # weights far apart round a variance below 0
                self.scaler.partial_fit(A, sample_weight=None if weight is None else weight[part])
            low, high = np.minimum(low, A.min(axis=0)), np.maximum(high, A.max(axis=0))

        self.scaler.scale_[np.isnan(self.scaler.scale_)] = 1.0

        def has_two(part: slice) -> Any:
            A = self.imputer.transform(X[part]) if gaps else X[part]
            return ((low == A) | (high == A)).all(axis=0)

        two = (low < high) & has_two(slice(GLANCE))
        if two.any():  # which of most tables a few rows rule out
            two &= np.all(crew.share(has_two, cut(X)), axis=0)
        self.scaler.mean_[two], self.scaler.scale_[two] = low[two], (high - low)[two]

    def transform(self, table: Table, views: Views) -> Any:
        """Return numbers; see :class:`View`."""
        X = table.numbers
        kind = precision(X)
        if self.imputer is None:
            if self.scaler is None or (self.scaler.scale_ == 1.0).all():  # as of most text
                return X.astype(kind, copy=False)
            return self.scaler.transform(X)
        mean, scale = self.scaler.mean_.astype(kind), self.scaler.scale_.astype(kind)
        out = np.empty((len(X), len(mean)), kind)

        def write(part: slice) -> None:  # as the scaler does, which would make further copies
            with config_context(transform_output="default"):  # also in threads that help
                np.subtract(self._filled(X[part]), mean, out=out[part])
            out[part] /= scale

        crew.share(write, cut(X))
        return out

    def _filled(self, X: NDArray[Any]) -> Any:
        """Fill the gaps; where there are and were none, the imputer would only copy the rows."""
        if not len(self.imputer.indicator_.features_) and not np.isnan(X).any():
            return X
        return self.imputer.transform(X)

    def sums(self, table: Table, weight: NDArray[np.float64]) -> NumberSums:
        """Return what rows add to the scales, for rows that are not in memory all at once."""
        X = table.numbers
        if sparse.issparse(X):
            return NumberSums.of_sparse(X)
        some = weight > 0
        X = X[some] if self.imputer is None else self._filled(X[some])
        shift = self.scaler.mean_ if self.scaler is not None else np.zeros(X.shape[1])
        return NumberSums.of_dense(X, weight[some], shift)

    def settle(self, sums: NumberSums) -> None:
        """Take the scales of all rows in place of those of the rows that fitted it."""
        if self.scaler is not None:
            sums.settle(self.scaler)

    def unscaled(
        self, coef: NDArray[np.float64], intercept: Any
    ) -> tuple[NDArray[np.float64], Any]:
        """Turn a linear function of this view into one of the columns that it scales."""
        if self.imputer is not None and len(self.imputer.indicator_.features_):
            raise AttributeError(
                "This classifier has no coef_: some numbers were missing, and a classifier that "
                "fills gaps is not linear; fill them before."
            )
        coef = (coef.T / self.scaler.scale_).T
        return coef, intercept - getattr(self.scaler, "mean_", np.zeros(len(coef))) @ coef


def cut(X: NDArray[Any]) -> list[slice]:
    """Cut rows into parts, at least one."""
    size = max(PART // X.shape[1], 1)
    return [slice(start, start + size) for start in range(0, max(len(X), 1), size)]


def precision(X: NDArray[Any]) -> Any:
    """Return the type of floats that numbers become."""
    return X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)


def median_imputer(X: NDArray[Any]) -> SimpleImputer:
    """Return what fills gaps by the medians of the columns, and says where they were.

    Medians are found column by column, which needs neither masks nor a sorted copy of all rows; the
    imputer then learns them from two rows of medians, the second with the gaps.
    """
    kind = precision(X)
    rows = np.empty((2, X.shape[1]), kind)

    def find(columns: slice) -> None:
        for j in range(columns.start, columns.stop):
            column = X[:, j].astype(kind)
            gaps = np.isnan(column)
            some = gaps.any()
            known = column[~gaps] if some else column
            rows[:, j] = median(known) if len(known) else np.nan
            rows[1, j] = np.nan if some else rows[1, j]

    crew.share(find, row_blocks(X.shape[1], SORTING * X.size))
    imputer = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    return imputer.fit(rows)


def median(values: NDArray[Any]) -> Any:
    """Return the median of numbers, which are moved; numpy's looks for gaps as well.

    Examples
    --------
    >>> from pseudolinear.features._numbers import median
    >>> float(median(np.array([9.0, 1.0, 4.0, 2.0])))
    3.0
    """
    half = len(values) // 2
    values.partition(half)
    return values[half] if len(values) % 2 else (values[:half].max() + values[half]) / 2
