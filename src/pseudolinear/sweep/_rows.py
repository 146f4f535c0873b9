"""Rows: what a fit is given, checked and read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import take_rows

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
    """

    X: Any
    codes: NDArray[Any]
    sample_weight: NDArray[np.float64] | None = None
    pairwise: bool = False

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes)

    def features(self, numbers: Numbers, train: Numbers) -> Any:
        """Return the features of some rows; of a Gram matrix only the columns of training rows."""
        X = take_rows(self.X, numbers)
        return X[:, train] if self.pairwise else X

    def weight(self, numbers: Numbers) -> NDArray[np.float64] | None:
        """Return the weights of some rows."""
        return None if self.sample_weight is None else self.sample_weight[numbers]
