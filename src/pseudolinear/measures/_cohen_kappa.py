"""Cohen's kappa: agreement beyond chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._over_classes import OverClassesMeasure


@dataclass(frozen=True, repr=False)
class CohenKappa(OverClassesMeasure):
    r"""Agreement beyond chance between the true and the predicted labels.

    .. math:: \kappa = \frac{PN - N fn - P fp}{PN + (N - P)(fp - fn)/2}, \quad N = 1 - P

    Of several classes the denominator is still linear in the errors:

    .. math:: \kappa = \frac{1 - \sum_k P_k^2 - \sum_k (1 - P_k) fn_k - \sum_k P_k fp_k}
        {1 - \sum_k P_k^2 + \sum_k P_k (fn_k - fp_k)}

    Parameters
    ----------
    average, zero_division, pos_label
        See :class:`Measure`; several classes without an average make it ``"multiclass"``, which is
        scikit-learn's `cohen_kappa_score`.

    Examples
    --------
    >>> CohenKappa().score([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """

    name: ClassVar[str] = "cohen_kappa"

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        half = (negatives - positives) / 2.0
        return Coefficients(
            positives * negatives,
            np.stack([-negatives, -positives], axis=-1),
            positives * negatives,
            np.stack([-half, half], axis=-1),
        )

    def of_classes(self, prevalence: NDArray[np.float64]) -> Coefficients:
        """Give the coefficients for all classes."""
        p = prevalence
        by_chance = 1.0 - p @ p
        gamma = np.stack([p - 1.0, -p], axis=-1)
        return Coefficients(by_chance, gamma, by_chance, np.stack([p, -p], axis=-1))
