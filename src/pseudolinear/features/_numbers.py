"""Numbers on one scale."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

from pseudolinear.features._number_sums import NumberSums
from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views


class NumbersView(View):
    """Numbers without gaps and of a common scale.

    A missing number becomes the median, and a column says where one was missing. Dense columns get
    mean 0 and standard deviation 1, those of two values become 0 and 1. Sparse columns that exceed
    1 are divided by their largest absolute value, so zeros stay zeros and rows of text, which are
    on a scale of their own, stay as they are.
    """

    name = "numbers"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn medians and scales; see :class:`View`."""
        X = table.numbers
        self.imputer = self.scaler = None
        if sparse.issparse(X):
            self.scaler = MaxAbsScaler().fit(X)
            self.scaler.scale_ = np.maximum(self.scaler.scale_, 1.0)
        elif X.shape[1]:
            self.imputer = SimpleImputer(
                strategy="median", add_indicator=True, keep_empty_features=True
            )
            X = self.imputer.fit_transform(X)
            self.scaler = StandardScaler().fit(X, sample_weight=weight)
            low, high = X.min(axis=0), X.max(axis=0)
            two = ((low == X) | (high == X)).all(axis=0) & (low < high)
            self.scaler.mean_[two], self.scaler.scale_[two] = low[two], (high - low)[two]
        return self

    def transform(self, table: Table, views: Views) -> Any:
        """Return numbers; see :class:`View`."""
        X = table.numbers
        if self.imputer is not None:
            X = self.imputer.transform(X)
        return X if self.scaler is None else self.scaler.transform(X)

    def sums(self, table: Table, weight: NDArray[np.float64]) -> NumberSums:
        """Return what rows add to the scales, for rows that are not in memory all at once."""
        X = table.numbers
        if sparse.issparse(X):
            return NumberSums.of_sparse(X)
        some = weight > 0
        scaler: Any = self.scaler
        X = self.imputer.transform(X[some]) if self.imputer is not None else X[some]
        shift = scaler.mean_ if scaler is not None else np.zeros(X.shape[1])
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
        scaler: Any = self.scaler
        coef = (coef.T / scaler.scale_).T
        return coef, intercept - getattr(scaler, "mean_", np.zeros(len(coef))) @ coef
