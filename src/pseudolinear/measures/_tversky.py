"""The Tversky index: Jaccard with weighted errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pseudolinear.measures._checks import check_positive
from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, repr=False)
class Tversky(Measure):
    r"""Tversky index: the Jaccard index with weighted errors.

    .. math:: \frac{tp}{tp + u \, fn + v \, fp}

    Parameters
    ----------
    fn_weight : float, default=0.5
        Weight :math:`u`; must be positive.
    fp_weight : float, default=0.5
        Weight :math:`v`; must be positive.
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> Tversky(0.8, 0.2).costs(0.5) / FBeta(2.0).costs(0.5)  # the same ratio of costs
    array([0.2, 0.2])
    """

    name: ClassVar[str] = "tversky"
    fn_weight: float = 0.5
    fp_weight: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "fn_weight", "fp_weight")

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        delta = np.array([self.fn_weight - 1.0, self.fp_weight])
        return Coefficients(positives, np.array([-1.0, 0.0]), positives, delta)
