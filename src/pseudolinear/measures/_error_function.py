"""Functions of the errors that are no ratios of affine functions."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.measures._objective import Objective
from pseudolinear.measures._rounding import first_best


class ErrorFunction(Objective):
    """A function of the errors of one label, whichever class is positive.

    Not being a ratio of affine functions, it has no costs of its own: a child says of which
    relative it takes them (`training_measure`). There is no certificate.
    """

    @abstractmethod
    def of_labels(self, profile: ErrorProfile) -> NDArray[np.float64]:
        """Return the value of each label: shape (..., n_labels)."""

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the cut of the largest value, of equal ones the first, and that value."""
        values = self.of_labels(curve)[:, 0]
        best = first_best(values)
        return best, float(values[best])

    def value(self, profile: ErrorProfile) -> float:
        """Return the mean over the labels."""
        return float(self.of_labels(profile).mean())

    def score(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Evaluate predictions.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_labels)
            One of two classes, or the 0/1 matrix of a multilabel problem.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        float
            Of several labels the mean.
        """
        if np.ndim(y_true) == 1:
            classes = np.union1d(y_true, y_pred)
            if classes.size > 2:
                raise ValueError(f"{self!r} is for two classes, got {classes.size}.")
            y_true, y_pred = (np.asarray(y) == classes[-1] for y in (y_true, y_pred))
        return self.value(ErrorProfile.from_labels(y_true, y_pred, sample_weight=sample_weight))
