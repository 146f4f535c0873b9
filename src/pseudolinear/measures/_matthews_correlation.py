"""Matthews' correlation coefficient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.measures._cohen_kappa import CohenKappa
from pseudolinear.measures._error_function import ErrorFunction
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True)
class MatthewsCorrelation(ErrorFunction):
    r"""Correlation of the true and the predicted label; the name ``"mcc"``.

    .. math:: \frac{PN - N fn - P fp}{\sqrt{PN \, q (1 - q)}}, \quad N = 1 - P,
        \quad q = P - fn + fp

    It is 0 where nothing or everything is predicted, and of several labels the mean.

    What is exact: the threshold. Where the coefficient is positive it falls in both errors, and
    what lies below a value is convex, so the best cut of a score is on its hull, which every
    candidate keeps. What is not: the costs. The coefficient is no ratio of affine functions, so
    candidates are trained with the costs of Cohen's kappa, which has the same numerator over the
    arithmetic in place of the geometric mean of :math:`P(1-q)` and :math:`Nq`; where as many
    positives are predicted as there are, both have the same value and the same gradient.

    Examples
    --------
    >>> round(MatthewsCorrelation().score([1, 1, 0, 0], [1, 0, 0, 0]), 3)
    0.577
    """

    name: ClassVar[str] = "mcc"

    def training_measure(self, average: str) -> Measure:
        """Return Cohen's kappa."""
        return CohenKappa(average=average)

    def in_words(self, n_labels: int = 1) -> str:
        """Say what its value is, in a few words."""
        return "Matthews correlation"

    def of_labels(self, profile: ErrorProfile) -> NDArray[np.float64]:
        """Return the value of each label."""
        p, fn, fp = profile.prevalence, profile.fn, profile.fp
        predicted = p - fn + fp
        variance = p * (1.0 - p) * np.maximum(predicted * (1.0 - predicted), 0.0)
        covariance = p * (1.0 - p) - (1.0 - p) * fn - p * fp
        some = variance > 0
        return np.where(some, covariance / np.sqrt(np.where(some, variance, 1.0)), 0.0)
