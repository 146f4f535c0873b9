"""The geometric mean of the recalls of both classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.measures._balanced_accuracy import BalancedAccuracy
from pseudolinear.measures._error_function import ErrorFunction
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True)
class GeometricMean(ErrorFunction):
    r"""Geometric mean of the recalls of both classes; the name ``"g_mean"``.

    .. math:: \sqrt{(1 - fn / P) (1 - fp / (1 - P))}

    It is 0 where a class has no rows, and of several labels the mean.

    What is exact: the threshold of a fit. The best cut need not be on the hull of a score's curve,
    so a fit for this objective looks at every cut; `retarget` from another measure chooses among
    the cuts that were kept, which are at most a tenth of the predicted positives apart. What is
    not: the costs. Candidates are trained with those of balanced accuracy, the arithmetic mean of
    the same recalls; where they are equal, both have the same value and the same gradient.

    Examples
    --------
    >>> round(GeometricMean().score([1, 1, 0, 0], [1, 0, 0, 0]), 3)
    0.707
    """

    name: ClassVar[str] = "g_mean"

    def training_measure(self, average: str) -> Measure:
        """Return balanced accuracy."""
        return BalancedAccuracy(average=average)

    def in_words(self, n_labels: int = 1) -> str:
        """Say what its value is, in a few words."""
        return "geometric mean"

    def of_labels(self, profile: ErrorProfile) -> NDArray[np.float64]:
        """Return the value of each label."""
        p, fn, fp = profile.prevalence, profile.fn, profile.fp
        some = (p > 0) & (p < 1)
        p = np.where(some, p, 0.5)
        product = (1.0 - fn / p) * (1.0 - fp / (1.0 - p))
        return np.where(some, np.sqrt(np.maximum(product, 0.0)), 0.0)
