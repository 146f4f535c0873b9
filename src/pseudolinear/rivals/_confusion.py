"""The confusion matrix, and what a measure of it can do.

A confusion matrix has the entries ``C[i, j]``, the proportion of rows of class i that are predicted
as class j. The sums of its rows are the prevalences of the classes, which no classifier changes.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


def confusion_matrix(
    truth: NDArray[np.float64], predicted: NDArray[np.intp], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Count true classes against predicted ones.

    Parameters
    ----------
    truth : ndarray of shape (n_samples, n_classes)
        Probability of each class; for known classes 0 and 1.
    predicted : ndarray of shape (n_samples,)
        Column of the predicted class.
    weight : ndarray of shape (n_samples,)
        Weight of each row.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Proportions, with sum 1.
    """
    n_classes = truth.shape[1]
    mass = truth * (weight / weight.sum())[:, None]
    columns = [np.bincount(predicted, m, n_classes) for m in mass.T]
    return np.array(columns)


class ConfusionMeasure(Protocol):
    """A smooth measure of the confusion matrix."""

    @property
    def concave(self) -> bool:
        """Whether a stationary point is the optimum."""

    def value(self, confusion: NDArray[np.float64]) -> Any:
        """Evaluate matrices of shape (..., n_classes, n_classes)."""

    def gradient(self, confusion: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differentiate at one matrix, with the sums of its rows held fixed."""
