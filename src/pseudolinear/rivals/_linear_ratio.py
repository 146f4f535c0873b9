"""LinearRatio: a ratio of two linear functions of the confusion matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import Measure


@dataclass(frozen=True, eq=False)
class LinearRatio:
    r"""A ratio of two linear functions of the confusion matrix.

    .. math:: \frac{\sum_{ij} A_{ij} C_{ij}}{\sum_{ij} B_{ij} C_{ij}}

    Parameters
    ----------
    A, B : array-like of shape (n_classes, n_classes)
        Factors of numerator and denominator; the denominator must be positive for every
        classifier. Rows are true classes and columns predicted ones, both sorted.

    Examples
    --------
    Micro F1 over the classes 1 and 2, with the default class 0 left out:

    >>> from pseudolinear.rivals import LinearRatio
    >>> micro = LinearRatio([[0, 0, 0], [0, 2, 0], [0, 0, 2]], [[0, 1, 1], [1, 2, 1], [1, 1, 2]])
    >>> micro.value(np.array([[0.5, 0.1, 0.0], [0.1, 0.1, 0.0], [0.0, 0.0, 0.2]]))
    0.75
    """

    A: Any
    B: Any

    def __post_init__(self) -> None:
        for name in ("A", "B"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        a, b = np.shape(self.A), np.shape(self.B)
        if a != b or len(a) != 2 or a[0] != a[1]:
            raise ValueError(
                f"LinearRatio: A and B must be square and of one size, got the shapes {a} and {b}."
            )
        if not (np.isfinite(self.A).all() and np.isfinite(self.B).all()):
            raise ValueError("LinearRatio: A and B must be finite.")

    @classmethod
    def from_measure(cls, measure: Measure, prevalence: NDArray[np.float64]) -> LinearRatio:
        """Write a measure as a ratio of two linear functions.

        Parameters
        ----------
        measure : Measure
            A micro average, or a binary measure.
        prevalence : ndarray of shape (n_classes,)
            Proportion of each class, in the order of ``measure.order_classes``; for a binary
            measure that of the negative class, then that of the positive one.

        Returns
        -------
        LinearRatio
            The same values on every confusion matrix with these prevalences.
        """
        if measure.average == "binary":
            alpha0, gamma, alpha1, delta = measure.coefficients(prevalence[1])
            gamma, delta = (np.stack([np.zeros(2), factors]) for factors in (gamma, delta))
        else:
            alpha0, gamma, alpha1, delta = measure.coefficients(prevalence)
        wrong = 1.0 - np.eye(len(prevalence))
        a, b = (wrong * (f[:, [0]] + f[:, 1]) for f in (gamma, delta))
        return cls(alpha0 + a, alpha1 + b)

    def value(self, confusion: NDArray[np.float64]) -> float:
        """Evaluate one confusion matrix; 0 where the denominator is 0."""
        denominator = float((self.B * confusion).sum())
        return float((self.A * confusion).sum()) / denominator if denominator > 0 else 0.0

    def costs(self, level: float) -> NDArray[np.float64]:
        r"""Return the cost of each true class predicted as each other: :math:`tB - A`."""
        return level * self.B - self.A
