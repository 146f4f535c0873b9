"""GMean, HMean and QMean: concave means of the recalls of all classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class RecallMean:
    """Base of the concave means of the recalls of all classes that occur."""

    concave: ClassVar[bool] = True

    def value(self, confusion: NDArray[np.float64]) -> Any:
        """Evaluate matrices.

        Parameters
        ----------
        confusion : ndarray of shape (..., n_classes, n_classes)
            Confusion matrices with the same prevalences.

        Returns
        -------
        float or ndarray
            One value per matrix.
        """
        right, mass = _right_of(confusion)
        values = self._of_recalls(right / mass)
        return values if np.ndim(values) else float(values)

    def gradient(self, confusion: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differentiate at one matrix.

        Parameters
        ----------
        confusion : ndarray of shape (n_classes, n_classes)
            Confusion matrix, with a correct prediction of each class.

        Returns
        -------
        ndarray of shape (n_classes, n_classes)
            Zero outside the diagonal.
        """
        right, mass = _right_of(confusion)
        diagonal = np.zeros(len(confusion))
        diagonal[confusion.sum(axis=1) > 0] = self._slopes(right / mass) / mass
        return np.diag(diagonal)

    def _of_recalls(self, recalls: NDArray[np.float64]) -> Any:
        raise NotImplementedError

    def _slopes(self, recalls: NDArray[np.float64]) -> NDArray[np.float64]:
        raise NotImplementedError


@dataclass(frozen=True)
class GMean(RecallMean):
    r"""Geometric mean of the recalls, :math:`(\prod_i r_i)^{1/n}`.

    Examples
    --------
    >>> from pseudolinear.rivals import GMean
    >>> GMean().value(np.array([[0.4, 0.1], [0.3, 0.2]]))  # recalls 0.8 and 0.4
    0.566
    """

    def _of_recalls(self, recalls: NDArray[np.float64]) -> Any:
        return np.prod(recalls ** (1 / recalls.shape[-1]), axis=-1)

    def _slopes(self, recalls: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._of_recalls(recalls) / (len(recalls) * recalls)


@dataclass(frozen=True)
class HMean(RecallMean):
    r"""Harmonic mean of the recalls, :math:`n / \sum_i (1 / r_i)`.

    Examples
    --------
    >>> from pseudolinear.rivals import HMean
    >>> HMean().value(np.array([[0.4, 0.1], [0.3, 0.2]]))  # recalls 0.8 and 0.4
    0.533
    """

    def _of_recalls(self, recalls: NDArray[np.float64]) -> Any:
        with np.errstate(divide="ignore"):
            return recalls.shape[-1] / (1 / recalls).sum(axis=-1)

    def _slopes(self, recalls: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._of_recalls(recalls) ** 2 / (len(recalls) * recalls**2)


@dataclass(frozen=True)
class QMean(RecallMean):
    r"""One minus the quadratic mean of the misses, one minus the recalls.

    .. math:: 1 - \sqrt{\tfrac1n \sum_i (1 - r_i)^2}

    Examples
    --------
    >>> from pseudolinear.rivals import QMean
    >>> QMean().value(np.array([[0.4, 0.1], [0.3, 0.2]]))  # recalls 0.8 and 0.4
    0.553
    """

    def _of_recalls(self, recalls: NDArray[np.float64]) -> Any:
        return 1 - np.sqrt(((1 - recalls) ** 2).mean(axis=-1))

    def _slopes(self, recalls: NDArray[np.float64]) -> NDArray[np.float64]:
        missed = 1 - self._of_recalls(recalls)
        if missed == 0:  # nothing is wrong, so zero is a gradient there
            return np.zeros_like(recalls)
        return (1 - recalls) / (len(recalls) * missed)


def _right_of(confusion: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the correct proportions of the classes that occur, and their prevalences."""
    mass = confusion.reshape(-1, *confusion.shape[-2:])[0].sum(axis=1)
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    return np.clip(right[..., mass > 0], 0.0, mass[mass > 0]), mass[mass > 0]
