"""Balanced accuracy: the mean of the recalls of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._over_classes import OverClassesMeasure


@dataclass(frozen=True, repr=False)
class BalancedAccuracy(OverClassesMeasure):
    r"""Mean of the recalls of the classes; linear, so one pair of costs serves every level.

    .. math:: 1 - \frac{fn}{2P} - \frac{fp}{2(1 - P)}

    Of :math:`K` classes :math:`1 - \frac1K \sum_k fn_k / P_k`, over those that have rows; where all
    rows are of one class, it is the recall of that class.

    Parameters
    ----------
    average, zero_division, pos_label
        See :class:`Measure`; several classes without an average make it ``"multiclass"``, which is
        scikit-learn's `balanced_accuracy_score`. A macro average is the mean over the classes of
        the balanced accuracy of each against the rest.

    Examples
    --------
    >>> BalancedAccuracy().costs(level=0.7, prevalence=0.25)
    array([2.        , 0.66666667])
    """

    name: ClassVar[str] = "balanced_accuracy"

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        mass = np.stack([np.asarray(positives), np.asarray(negatives)], axis=-1)
        some = (mass > 0) | np.isnan(mass)  # NaN: unknown prevalence
        n_classes = some.sum(axis=-1, keepdims=True)
        gamma = -1.0 / (np.maximum(n_classes, 1) * np.where(some, mass, np.inf))
        one = (n_classes[..., 0] > 0).astype(np.float64)
        return Coefficients(one, gamma, one, np.zeros_like(gamma))

    def of_classes(self, prevalence: NDArray[np.float64]) -> Coefficients:
        """Give the coefficients for all classes."""
        some = prevalence > 0
        misses = -1.0 / (some.sum() * np.where(some, prevalence, np.inf))
        gamma = np.stack([misses, np.zeros_like(misses)], axis=-1)
        return Coefficients(1.0, gamma, 1.0, np.zeros_like(gamma))
