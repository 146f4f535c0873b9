"""Sample: rows with the probabilities of their classes, and the classifier of least cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pseudolinear.rivals._confusion import confusion_matrix


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows with the probabilities of their classes.

    Attributes
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
        What predictions are made from.
    truth : ndarray of shape (n_samples, n_classes)
        What errors are counted with: known classes as 0 and 1, or the probabilities again.
    weight : ndarray of shape (n_samples,)
        Weight of each row.
    """

    probabilities: NDArray[np.float64]
    truth: NDArray[np.float64]
    weight: NDArray[np.float64]

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return self.truth.shape[1]

    @property
    def prevalence(self) -> NDArray[np.float64]:
        """Proportion of each class."""
        return np.average(self.truth, axis=0, weights=self.weight)

    def confusion(self, costs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Count the errors of predicting the cheapest class of each row."""
        return confusion_matrix(self.truth, cheapest(self.probabilities, costs), self.weight)


def cheapest(probabilities: NDArray[np.float64], costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the class of least expected cost; ``costs[i, j]`` is that of i predicted as j."""
    return np.argmin(probabilities @ costs, axis=1)


def equal_costs(n_classes: int) -> NDArray[np.float64]:
    """Return equal costs for all errors: the cheapest class is the most probable one."""
    return 1.0 - np.eye(n_classes)
