"""Balanced accuracy: the mean of the recalls of both classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, repr=False)
class BalancedAccuracy(Measure):
    r"""Mean of the recalls of both classes; linear, so one pair of costs serves every level.

    .. math:: 1 - \frac{fn}{2P} - \frac{fp}{2(1 - P)}

    Parameters
    ----------
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> BalancedAccuracy().costs(level=0.7, prevalence=0.25)
    array([2.        , 0.66666667])
    """

    name: ClassVar[str] = "balanced_accuracy"

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        mass = np.stack([np.asarray(positives), np.asarray(negatives)], axis=-1)
        some = (mass > 0).all(axis=-1) | np.isnan(mass).any(axis=-1)  # NaN: unknown prevalence
        gamma = -0.5 / np.where(some[..., None], mass, np.inf)
        one = some.astype(np.float64)  # 0/0, that is zero_division, where a class has no rows
        return Coefficients(one, gamma, one, np.zeros_like(gamma))
