"""The Jaccard index: intersection over union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._default_class import DefaultClassMeasure


@dataclass(frozen=True, repr=False)
class Jaccard(DefaultClassMeasure):
    r"""Intersection over union of the true and the predicted positives.

    .. math:: J = \frac{P - fn}{P + fp}

    It is an increasing function of F1, :math:`J = F_1 / (2 - F_1)`, so both have the same
    best classifiers.

    Parameters
    ----------
    default_class : object, default=None
        As in :class:`FBeta`.
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> Jaccard().score([1, 1, 0], [1, 0, 1])
    0.333
    """

    name: ClassVar[str] = "jaccard"

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        return Coefficients(positives, np.array([-1.0, 0.0]), positives, np.array([0.0, 1.0]))
