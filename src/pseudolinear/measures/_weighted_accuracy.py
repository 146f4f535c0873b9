"""Accuracy, with costs of the errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pseudolinear.measures._checks import check_positive
from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, repr=False)
class WeightedAccuracy(Measure):
    r"""One minus the mean cost of the errors; with equal costs of 1, plain accuracy.

    .. math:: 1 - c_{fn} \, fn - c_{fp} \, fp

    Parameters
    ----------
    cost_fn, cost_fp : float, default=1.0
        Cost of a false negative and of a false positive; must be positive.
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> WeightedAccuracy(cost_fn=2.0).score([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """

    name: ClassVar[str] = "accuracy"
    cost_fn: float = 1.0
    cost_fp: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "cost_fn", "cost_fp")

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        mass = positives + negatives
        return Coefficients(mass, -np.array([self.cost_fn, self.cost_fp]), mass, np.zeros(2))
