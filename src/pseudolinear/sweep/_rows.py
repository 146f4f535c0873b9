"""Rows: what a fit is given, checked and read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import take_rows
from pseudolinear.features import GIVEN, Features, FoldFeatures, MatrixSchema

Numbers = NDArray[np.intp]
Split = tuple[Numbers, Numbers]


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a fit.

    Attributes
    ----------
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        Features.
    codes : ndarray of shape (n_samples, n_labels)
        0/1 labels, or the class codes of a multiclass problem in one column.
    sample_weight : ndarray of shape (n_samples,) or None
        Weight of each row, in training and validation.
    pairwise : bool
        Whether X is a Gram matrix.
    folds : FoldFeatures or None
        What makes views of the rows; None where every learner takes them as they are.
    """

    X: Any
    codes: NDArray[Any]
    sample_weight: NDArray[np.float64] | None = None
    pairwise: bool = False
    folds: FoldFeatures | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes)

    @property
    def n_effective(self) -> float:
        """Number of rows of equal weight whose means vary as much (Kish 1965)."""
        if self.sample_weight is None:
            return float(len(self))
        return float(self.sample_weight.sum() ** 2 / (self.sample_weight @ self.sample_weight))

    def features(self, view: str, numbers: Numbers, train: Numbers) -> Any:
        """Return a view of some rows, fitted on the training rows.

        Of a Gram matrix these are the columns of the training rows.
        """
        if view != GIVEN and self.folds is not None:
            return self.folds.view(view, numbers, train)
        X = take_rows(self.X, numbers)
        return X[:, train] if self.pairwise else X

    def fitted(self, views: Sequence[str], train: Numbers) -> Features:
        """Return what makes these views, fitted on the training rows."""
        names = sorted(set(views) - {GIVEN})
        return self.folds.fitted(names, train) if self.folds else Features(MatrixSchema())

    def prepare(self, view: str, splits: Sequence[Split]) -> None:
        """Make a view for all splits here, so that other processes need not."""
        if view != GIVEN:
            for train, test in splits:
                self.features(view, train, train)
                self.features(view, test, train)

    def forget(self, view: str) -> None:
        """Drop the rows of a view that no learner needs any more."""
        if self.folds is not None:
            self.folds.forget(view)

    def weight(self, numbers: Numbers) -> NDArray[np.float64] | None:
        """Return the weights of some rows."""
        return None if self.sample_weight is None else self.sample_weight[numbers]
