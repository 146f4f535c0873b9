"""Accuracy, with costs of the errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures._checks import check_positive
from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._over_classes import OverClassesMeasure


@dataclass(frozen=True, repr=False)
class WeightedAccuracy(OverClassesMeasure):
    r"""One minus the mean cost of the errors; with equal costs of 1, plain accuracy.

    .. math:: 1 - c_{fn} \, fn - c_{fp} \, fp

    Parameters
    ----------
    cost_fn, cost_fp : float, default=1.0
        Cost of a false negative and of a false positive; must be positive.
    average, zero_division, pos_label
        See :class:`Measure`; several classes without an average make it ``"multiclass"``, the share
        of right rows, where the costs are equal. A macro average is the mean over the classes of
        the accuracy of each against the rest.

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
        if self.average == "multiclass" and self.cost_fn != self.cost_fp:
            raise ValueError(
                "WeightedAccuracy: an error between two of several classes is a false negative and "
                f"a false positive at once; its costs must be equal, got {self.cost_fn:g} and "
                f"{self.cost_fp:g}."
            )

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        mass = positives + negatives
        return Coefficients(mass, -np.array([self.cost_fn, self.cost_fp]), mass, np.zeros(2))

    def for_classes(self, n_classes: int) -> Self:
        """Return the measure of all classes, if there are several and the costs are equal."""
        return super().for_classes(n_classes) if self.cost_fn == self.cost_fp else self

    def of_classes(self, prevalence: NDArray[np.float64]) -> Coefficients:
        """Give the coefficients for all classes."""
        gamma = np.tile([-self.cost_fn, 0.0], (len(prevalence), 1))
        return Coefficients(1.0, gamma, 1.0, np.zeros_like(gamma))
