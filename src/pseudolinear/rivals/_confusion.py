"""Measures of the confusion matrix that are no ratio of two affine functions, and those that are.

A confusion matrix has the entries ``C[i, j]``, the proportion of rows of class i that are predicted
as class j. The sums of its rows are the prevalences of the classes, which no classifier changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import Measure


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
            Confusion matrix, with some row of each class right.

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
    r"""One minus the quadratic mean of what the recalls miss.

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
    """Return what is right of the classes that occur, and their prevalences."""
    mass = confusion.reshape(-1, *confusion.shape[-2:])[0].sum(axis=1)
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    return np.clip(right[..., mass > 0], 0.0, mass[mass > 0]), mass[mass > 0]


@dataclass(frozen=True)
class MacroAverage:
    """A macro average over the classes of a single-label problem; not concave.

    Parameters
    ----------
    measure : Measure
        With ``average="macro"``.
    """

    measure: Measure
    concave: ClassVar[bool] = False

    def value(self, confusion: NDArray[np.float64]) -> Any:
        """Evaluate matrices of shape (..., n_classes, n_classes)."""
        return self.measure.value(_profile(confusion))

    def gradient(self, confusion: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differentiate at one matrix: one false negative and one false positive at a time."""
        profile, binary = _profile(confusion), self.measure.binary()
        fn, fp, prevalence = profile.fn, profile.fp, profile.prevalence
        columns = zip(fn, fp, prevalence, strict=True)
        values = np.array([binary.value(ErrorProfile(*column)) for column in columns])
        _, _, alpha1, delta = self.measure.of_pair(prevalence, 1.0 - prevalence)
        denominator = alpha1 + delta[..., 0] * fn + delta[..., 1] * fp
        scale = len(fn) * np.where(denominator > 0, denominator, np.inf)
        costs = self.measure.costs(values, prevalence) / scale[:, None]
        gradient = np.tile(-costs[:, 1], (len(fn), 1))
        np.fill_diagonal(gradient, costs[:, 0])
        return gradient


def _profile(confusion: NDArray[np.float64]) -> ErrorProfile:
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    prevalence = confusion.reshape(-1, *confusion.shape[-2:])[0].sum(axis=1)
    fn = np.maximum(confusion.sum(axis=-1) - right, 0.0)
    fp = np.maximum(confusion.sum(axis=-2) - right, 0.0)
    return ErrorProfile(fn, fp, prevalence)


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
        """Read a measure as a ratio of two linear functions.

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
        r"""Price each pair of a true and a predicted class: :math:`tB - A`."""
        return level * self.B - self.A
