"""Ratio: measures that are a ratio of two linear functions of the cells."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import (
    BalancedAccuracy,
    LinearFractional,
    Measure,
    WeightedAccuracy,
    has_row_costs,
    rounding,
)
from pseudolinear.thresholds import (
    Budget,
    FalseNegativesAtFalsePositives,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtBudget,
    RecallAtPrecision,
)


class Ratio(NamedTuple):
    """What each of the cells (tp, fn, fp, tn) adds to numerator and denominator.

    Then "the value is at least t" is "the mean over the rows of ``t * denominator - numerator`` is
    at most 0", and that is bounded for a row.

    Examples
    --------
    >>> from pseudolinear.evaluation import ratio_of
    >>> ratio_of(FBeta()).numerator, ratio_of(FBeta()).denominator
    (array([2., 0., 0., 0.]), array([2., 1., 1., 0.]))
    """

    numerator: NDArray[np.float64]
    denominator: NDArray[np.float64]
    zero_division: float = 0.0

    def value(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate cells on the last axis."""
        below = cells @ self.denominator
        some = below > 0
        return np.where(some, cells @ self.numerator / np.where(some, below, 1), self.zero_division)

    @property
    def range(self) -> tuple[float, float]:
        """The least and the largest value: a ratio of sums lies between those of its terms."""
        some = self.denominator > 0
        terms = self.numerator[some] / self.denominator[some]
        return float(terms.min()), float(terms.max())


PRECISION = Ratio(np.array([1.0, 0.0, 0.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.0]))
RECALL = Ratio(np.array([1.0, 0.0, 0.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0]))
FALL_OUT = Ratio(np.array([0.0, 0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0, 1.0]))
SELECTED = Ratio(np.array([1.0, 0.0, 1.0, 0.0]), np.ones(4))


def ratio_of(objective: Any) -> Ratio | None:
    """Return an objective as a ratio of sums over the rows; None if its factors depend on them.

    Those of Cohen's kappa and of balanced accuracy depend on the prevalence.
    """
    if isinstance(objective, Ratio):
        return objective
    if isinstance(objective, RecallAtPrecision | RecallAtBudget | Budget):
        return RECALL
    if isinstance(objective, PrecisionAtRecall):
        return PRECISION
    if isinstance(objective, MinimalCost):
        return Ratio(np.array([0.0, -objective.cost_fn, -objective.cost_fp, 0.0]), np.ones(4))
    if isinstance(objective, FalseNegativesAtFalsePositives):
        return Ratio(np.array([0.0, -1.0, 0.0, 0.0]), np.ones(4))
    if not isinstance(objective, Measure) or not _is_of_pairs(objective):
        return None
    if has_row_costs(objective):
        return None
    ends = [objective.of_pair(np.float64(p), np.float64(1 - p)) for p in (1.0, 0.0, 0.3)]
    parts = []
    for constant, factors in (("alpha0", "gamma"), ("alpha1", "delta")):
        one, zero, between = (float(getattr(end, constant)) for end in ends)
        fn, fp = getattr(ends[2], factors)
        differs = [abs(getattr(end, factors) - (fn, fp)).max() for end in ends]
        differs.append(abs(between - 0.3 * one - 0.7 * zero))
        if max(differs) > rounding(one, zero, float(fn), float(fp)):
            return None
        parts.append(np.array([one, one + fn, zero + fp, zero]))
    if (parts[1] < 0).any() or parts[0][parts[1] == 0].any():
        return None
    return Ratio(parts[0], parts[1], objective.zero_division)


def is_accuracy(objective: Any) -> bool:
    """Return whether the objective is the share of right rows among several classes."""
    return isinstance(objective, WeightedAccuracy) and objective.average == "multiclass"


def is_mean_recall(objective: Any) -> bool:
    """Return whether the objective is the mean of the recalls of several classes."""
    return isinstance(objective, BalancedAccuracy) and objective.average == "multiclass"


def _is_of_pairs(measure: Measure) -> bool:
    """Return whether a row adds to numerator and denominator what its cells do."""
    if isinstance(measure, LinearFractional) and measure.average == "micro":
        return False  # its constants are for a row, not for each label of it
    return measure.collapses or measure.decomposes or is_accuracy(measure)
