"""Rows: what a fit is given, checked and read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.features import (
    GIVEN,
    Encoded,
    Features,
    FoldFeatures,
    MatrixSchema,
    row_key,
)
from pseudolinear.loops._constants import TINY
from pseudolinear.sweep._source import Given, Made, Numbers, Split

Source = Given | Made


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
    _made: dict[str, dict[bytes, Made]] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes)

    def n_effective(self, numbers: Numbers) -> float:
        """Count rows of equal weight whose means vary as much as those of some rows (Kish 1965)."""
        weight = self.weight(numbers)
        if weight is None:
            return float(len(numbers))
        share = weight / max(weight.max(), TINY)  # the squares of tiny weights vanish
        return float(share.sum() ** 2 / max(share @ share, TINY))

    def features(self, view: str, numbers: Numbers, train: Numbers) -> Any:
        """Return a view of some rows, fitted on the training rows.

        Of a Gram matrix these are the columns of the training rows.
        """
        if view != GIVEN and self.folds is not None:
            return self.folds.view(view, numbers, train)
        return self._given(numbers, train)

    def fitted(self, views: Sequence[str], train: Numbers) -> Features:
        """Return what makes these views, fitted on the training rows."""
        names = sorted(set(views) - {GIVEN})
        return self.folds.fitted(names, train) if self.folds else Features(MatrixSchema())

    def encoded(self, features: Features, train: Numbers) -> Encoded:
        """Return all rows, as given and for views that the training rows have fitted."""
        if self.folds is None:
            return features.encode(self.X)
        rows = self.folds.encoded(np.arange(len(self)), train)
        rows.give(self.X)
        return rows

    def source(self, view: str, splits: Sequence[Split]) -> Source:
        """Return a view of the rows of splits, made here, so that other processes need not.

        The same splits have the same source until the view is forgotten.
        """
        if view == GIVEN or self.folds is None:
            return self._given
        made = self._made.setdefault(view, {})
        key = row_key(np.concatenate([rows for split in splits for rows in split]))
        if key not in made:
            made[key] = Made.of(self.folds, view, splits)
        return made[key]

    def forget(self, view: str) -> list[Made]:
        """Drop the rows of a view that no learner needs any more, and return their sources."""
        if self.folds is not None:
            self.folds.forget(view)
        return list(self._made.pop(view, {}).values())

    @cached_property
    def _given(self) -> Given:
        return Given(self.X, self.pairwise)

    def weight(self, numbers: Numbers) -> NDArray[np.float64] | None:
        """Return the weights of some rows."""
        return None if self.sample_weight is None else self.sample_weight[numbers]
