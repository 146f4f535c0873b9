"""Numbers on one scale."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import lru_cache, reduce
from operator import add
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
from pseudolinear.loops._crew import crew

PART = 1 << 18  # numbers that are worked on at a time, whose copies stay in the cache


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
            self.scaler = blank(MaxAbsScaler, X.shape[1])
            NumberSums.of_sparse(X).settle(self.scaler)  # its own way sorts all entries by columns
        elif X.shape[1]:
            self.imputer = median_imputer(X)
            self._fit_scaler(X, weight)
        return self

    def _fit_scaler(self, X: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        n_columns = X.shape[1] + len(self.imputer.indicator_.features_)
        self.scaler = blank(StandardScaler, n_columns)
        shift = np.zeros(self.scaler.n_features_in_)
        shift[: X.shape[1]] = np.nan_to_num(self.imputer.statistics_)
        sums = self._sum(X, np.ones(len(X)) if weight is None else weight, shift)
        if weight is not None:  # by which rows far from the medians may count most
            sums = self._sum(X, weight, shift + sums.first / sums.mass)
        sums.settle(self.scaler)

    def _sum(
        self, X: NDArray[Any], weight: NDArray[np.float64], shift: NDArray[np.float64]
    ) -> NumberSums:
        def of_part(part: slice) -> NumberSums:
            return NumberSums.of_dense(self._filled(X[part]), weight[part], shift)

        return reduce(add, crew.share(of_part, cut(X)))

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
            np.subtract(self._filled(X[part]), mean, out=out[part])
            out[part] /= scale

        crew.share(write, cut(X))
        return out

    def _filled(self, X: NDArray[Any]) -> Any:
        """Fill the gaps; where there are and were none, the imputer would only copy the rows."""
        if not len(self.imputer.indicator_.features_) and not np.isnan(X).any():
            return X
        with config_context(transform_output="default"):  # also in threads that help
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
    n, size = max(len(X), 1), max(PART // X.shape[1], 1)
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def precision(X: NDArray[Any]) -> Any:
    """Return the type of floats that numbers become."""
    return X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)


def median_imputer(X: NDArray[Any]) -> SimpleImputer:
    """Return what fills gaps by the medians of the columns, and says where they were.

    Medians are found some columns at a time, which needs neither masks nor a sorted copy of all
    rows; where there are gaps, the imputer then learns them from two rows of medians, the second
    with the gaps.
    """
    kind = precision(X)
    rows = np.empty((2, X.shape[1]), kind)

    def find(columns: slice) -> None:
        values = X[:, columns].T.astype(kind, order="C")
        gaps = np.isnan(values).any(axis=1)
        rows[:, columns] = median(values)
        for j in np.flatnonzero(gaps):
            known = values[j][~np.isnan(values[j])]
            rows[:, columns.start + j] = median(known) if len(known) else np.nan, np.nan

    crew.share(find, cut(X.T))
    if np.isnan(rows[1]).any():
        return _imputer().fit(rows)
    imputer = blank(_imputer, X.shape[1], kind)
    imputer.statistics_ = rows[0]
    return imputer


def _imputer() -> SimpleImputer:
    return SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)


def blank(make: Callable[[], Any], n_columns: int, dtype: Any = np.float64) -> Any:
    """Return what scikit-learn fits to so many columns of zeros, to be told what rows say.

    For every fold, the checks of a fit take longer than what there is to learn.

    Examples
    --------
    >>> from pseudolinear.features._numbers import blank
    >>> blank(MaxAbsScaler, 3).n_features_in_
    3
    """
    return copy(_blank(make, n_columns, np.dtype(dtype)))


@lru_cache(maxsize=16)
def _blank(make: Callable[[], Any], n_columns: int, dtype: Any) -> Any:
    return make().fit(np.zeros((1, n_columns), dtype))


def median(values: NDArray[Any]) -> Any:
    """Return the median of each row of numbers, which are moved; numpy's looks for gaps as well.

    Examples
    --------
    >>> from pseudolinear.features._numbers import median
    >>> median(np.array([[9.0, 1.0, 4.0, 2.0]]))
    array([3.])
    """
    n = values.shape[-1]
    values.partition(n // 2)
    middle = values[..., n // 2]
    return middle if n % 2 else (values[..., : n // 2].max(axis=-1) + middle) / 2
