"""Costs by row: their mean as a function of sums over draws, and its intervals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.errors import Outcomes
from pseudolinear.evaluation._case import Case
from pseudolinear.evaluation._delta import EXTRA
from pseudolinear.evaluation._label_evaluation import LabelEvaluation, evaluate_labels
from pseudolinear.evaluation._label_intervals import quantile_of
from pseudolinear.evaluation._statistic import Statistic
from pseudolinear.evaluation._units import Units, membership
from pseudolinear.measures import ExpectedCost


@dataclass(frozen=True, eq=False)
class CostStatistic(Statistic):
    """Minus the mean cost of a row; the sums are the costs in each cell, and the weight.

    The costs in a cell (tp, fn, fp, tn) are relative to `means`, so that a row of mean costs adds
    1 to one of them, as it does to the cells of other measures.

    Attributes
    ----------
    means : ndarray of shape (4,)
        What a row costs in each cell, on average over all rows.
    best : float
        Minus the least cost of any row in any cell, above which no value is.
    """

    means: NDArray[np.float64]
    best: float

    @property
    def scale(self) -> NDArray[np.float64]:
        """What 1 in each cell stands for: its mean, if it is not 0."""
        return np.where(self.means == 0, 1.0, self.means)

    @classmethod
    def of(
        cls,
        measure: ExpectedCost,
        outcomes: Outcomes,
        sample_weight: NDArray[np.float64] | None = None,
        groups: ArrayLike | None = None,
    ) -> CostStatistic:
        """Add up what the rows of each draw cost, on average over the labels."""
        n_rows = len(outcomes.true)
        costs, weight = measure.rows(n_rows), sample_weight
        weight = np.ones(n_rows) if weight is None else weight
        true, predicted = outcomes.true, outcomes.predicted
        cells = (true & predicted, true & ~predicted, predicted & ~true, ~(true | predicted))
        by_cell = np.stack([costs.tp, costs.fn, costs.fp, costs.tn], axis=1)
        means = np.average(by_cell, axis=0, weights=weight)
        scale = np.where(means == 0, 1.0, means)
        shares = np.stack([cell.mean(axis=1) for cell in cells], axis=1)
        totals = weight[:, None] * np.column_stack([shares * by_cell / scale, np.ones(n_rows)])
        if groups is not None:
            totals = np.asarray(membership(groups, n_rows) @ totals)
        return cls(measure, totals, np.ones(len(totals)), means, 0.0 - float(by_cell.min()))

    @property
    def one_of_each(self) -> NDArray[np.float64]:
        """One row of mean costs in each cell, so four rows in all."""
        return np.append(self.means != 0, 4.0)

    def values(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate stacked sums."""
        return (0.0 - sums[:, :4] @ self.scale) / sums[:, 4]

    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives, which are exact: the value is a ratio of two sums."""
        value: Any = self.values(sums[None])[0]
        return np.append(-self.scale, -value) / sums[4]


@dataclass(frozen=True, eq=False)
class CostCase(Case):
    """Costs by row, and the ways to their interval.

    Attributes
    ----------
    costs : CostStatistic
        What the draws cost.
    """

    costs: CostStatistic | None = None

    @cached_property
    def statistic(self) -> Statistic:
        """The mean cost as a function of sums over the draws."""
        assert self.costs is not None
        return self.costs

    def delta(self) -> tuple[NDArray[np.float64], str]:
        """Return the interval by the delta method, corrected for skewness (Hall 1992).

        A few large costs decide the mean, so that it is below what it estimates more often than
        above, and by less. Half a row of mean costs is added to every cell, as for other measures.
        """
        statistic = self.statistic
        assert isinstance(statistic, CostStatistic)
        gradient = statistic.gradient(statistic.sums)
        seen = statistic.influence()
        more = self.units.row * (statistic.one_of_each[:4] * gradient[:4] + gradient[4])
        second, third = (
            statistic.count @ seen**power + EXTRA * (more**power).sum() for power in (2, 3)
        )
        error, quantile = np.sqrt(second), quantile_of(self.error, self.units)
        skewness = third / second**1.5 if second > 0 else 0.0
        ends = [statistic.value - error * _hall(q, skewness) for q in (quantile, -quantile)]
        return np.minimum(ends, statistic.best), "delta, corrected for skewness"

    def exact(self) -> tuple[NDArray[np.float64], str]:
        """Refuse: nothing is known of how much a row can cost at most."""
        raise ValueError(
            "Costs by row have no exact interval, since it is not known how much a row can cost; "
            "use method='delta' or 'bootstrap'."
        )

    betting = exact


def _hall(quantile: float, skewness: float) -> float:
    """Return the quantile of a studentised mean with this skewness, by Hall's cubic."""
    if abs(skewness) < 1e-9:
        return quantile
    return float(3 / skewness * (np.cbrt(1 + skewness * (quantile - skewness / 6)) - 1))


def cost_labels(
    measure: ExpectedCost,
    outcomes: Outcomes,
    units: Units,
    error: float,
    sample_weight: NDArray[np.float64] | None,
    groups: ArrayLike | None,
) -> tuple[LabelEvaluation, ...]:
    """Evaluate every label alone, by what its rows cost.

    Parameters
    ----------
    measure : ExpectedCost
        With costs by row.
    outcomes : Outcomes
        Of all labels.
    units : Units
        Draws with their cells.
    error : float
        Probability of missing a value.
    sample_weight, groups : array-like of shape (n_samples,) or None
        Of the rows.

    Returns
    -------
    tuple of LabelEvaluation
        Intervals of the costs are by the delta method.
    """
    found = []
    counted = evaluate_labels(outcomes.labels, None, units, error, exact=False)
    for i, label in enumerate(counted):
        true, predicted = outcomes.true[:, [i]], outcomes.predicted[:, [i]]
        own = Outcomes(true, predicted, outcomes.labels[i : i + 1])
        costs = CostStatistic.of(measure, own, sample_weight, groups)
        low, high = CostCase(measure, units, False, error, costs=costs).delta()[0].tolist()
        found.append(replace(label, value=costs.value, interval=(low, high)))
    return tuple(found)
