"""Case: an objective, the draws it is evaluated on, and the ways to its interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import Outcomes
from pseudolinear.evaluation._betting import betting_interval
from pseudolinear.evaluation._bootstrap import bootstrap_interval
from pseudolinear.evaluation._delta import around, standard_error
from pseudolinear.evaluation._label_intervals import (
    CELLS,
    effective_number,
    known_labels,
    label_intervals,
    proportion_intervals,
    quantile_of,
)
from pseudolinear.evaluation._label_values import limits_of, of_one_label
from pseudolinear.evaluation._mean import mean_interval
from pseudolinear.evaluation._proportion import Proportion, clopper_pearson, wilson
from pseudolinear.evaluation._ratio import RECALL, Ratio, is_mean_recall, ratio_of
from pseudolinear.evaluation._statistic import (
    MeanStatistic,
    PairStatistic,
    Statistic,
    pair_cells,
    statistic_of,
)
from pseudolinear.evaluation._units import Units
from pseudolinear.measures import Measure


@dataclass(frozen=True, eq=False)
class Case:
    """An objective and the draws it is evaluated on.

    Every method returns the interval and the name of what was used.

    Attributes
    ----------
    objective : Measure or Objective
        What is evaluated.
    units : Units
        Draws with their cells.
    exclusive : bool
        Whether every row has exactly one of several classes.
    error : float
        Probability of missing the value.
    random_state : object
        Seed of resamples.
    """

    objective: Any
    units: Units
    exclusive: bool
    error: float
    random_state: Any = 0

    @cached_property
    def statistic(self) -> Statistic:
        """The objective as a function of sums over the draws."""
        return statistic_of(self.objective, self.units)

    @cached_property
    def ratio(self) -> Ratio | None:
        """The objective as a ratio of sums over the rows, if it is one."""
        return ratio_of(self.objective) if isinstance(self.statistic, PairStatistic) else None

    @property
    def _is_mean(self) -> bool:
        """Whether the value is a mean over several labels."""
        measure = self.objective
        return not isinstance(measure, Measure) or measure.decomposes

    @cached_property
    def possible(self) -> NDArray[np.float64]:
        """Cells of the rows that are possible, or of extreme ones."""
        n_labels = self.units.n_labels
        if n_labels == 1:
            return CELLS
        if not self.exclusive:
            return CELLS * n_labels
        some = np.arange(min(n_labels, 3))  # others are as the second and the third class
        true, predicted = (np.eye(n_labels, dtype=bool)[i.ravel()] for i in np.meshgrid(some, some))
        rows = Units.of(Outcomes(true, predicted, (), exclusive=True))
        return pair_cells(self.objective, rows)

    @cached_property
    def proportion(self) -> Proportion | None:
        """The proportion that the value grows with, if there is one."""
        one_kind_each = self.units.n_labels == 1 or self.exclusive
        if self.ratio is None or not one_kind_each:
            return None
        return Proportion.of(self.ratio, self.possible)

    def auto(self) -> tuple[NDArray[np.float64], str]:
        """Take Wilson's interval where the value grows with a proportion, else the delta method."""
        return self.wilson() if self.proportion else self.delta()

    def wilson(self) -> tuple[NDArray[np.float64], str]:
        """Return Wilson's interval, of weighted rows or groups with an effective number of them."""
        if not self.proportion:
            raise ValueError(
                f"{self.objective!r} does not grow with one proportion, so it has no interval by "
                "Wilson; use method='delta', 'bootstrap' or 'exact'."
            )
        name = "Wilson" if self.units.plain else "Wilson, with an effective number of rows"
        return self._of_known(Case._wilson), name

    def exact(self) -> tuple[NDArray[np.float64], str]:
        """Return an interval that holds at every number of rows."""
        self._check_plain("exact")
        if self.proportion:
            share, tried, _ = self._hits()
            ends = clopper_pearson(np.round(share * tried), np.round(tried), self.error)
            return self.proportion.value(ends), "Clopper-Pearson"
        if self.ratio:
            return self.betting()
        one = of_one_label(self.objective)
        if self.units.n_labels == 1:
            return label_intervals(one, self.units, self.error, exact=True)[0], "box"
        if self._is_mean:
            return mean_interval(self.objective, self.units, self.error), "union over labels"
        if is_mean_recall(self.objective):
            return self._mean_recall(), "union over classes"
        raise ValueError(
            f"There is no exact interval of {self.objective!r} over several labels or classes; use "
            "method='bootstrap' or 'delta'."
        )

    def betting(self) -> tuple[NDArray[np.float64], str]:
        """Return the interval by betting, which holds at every number of rows."""
        self._check_plain("betting")
        if self.ratio is None:
            raise ValueError(
                f"{self.objective!r} is no ratio of means over rows, which betting needs; use "
                "method='exact', 'delta' or 'bootstrap'."
            )
        count, kinds = self.statistic.count, self.statistic.totals
        return betting_interval(count, kinds, self.possible, self.ratio, self.error), "betting"

    def delta(self) -> tuple[NDArray[np.float64], str]:
        """Return the interval by the delta method."""
        return self._of_known(Case._delta), "delta"

    def bootstrap(self) -> tuple[NDArray[np.float64], str]:
        """Return the interval by the bootstrap over the draws."""
        if self.units.single:
            self._check_limits()
        return self._of_known(Case._bootstrap), "bootstrap (BCa)"

    def _of_known(self, approximate: Callable[[Case], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return an approximate interval; labels of which nothing is known may have any value.

        So may all of them, if there is one draw only. Where values have no limits, all is known.
        """
        limits, known = (
            np.array(limits_of(self.objective)),
            known_labels(self.objective, self.units),
        )
        if not known.any() or (self.units.single and np.isfinite(limits).all()):
            return limits
        if known.all() or self._shares is None:
            return approximate(self)
        share = self._shares[known].sum()
        ends = replace(self, units=self.units.take(known))._of_known(approximate)
        return share * ends + (1 - share) * limits

    @property
    def _shares(self) -> NDArray[np.float64] | None:
        """The share of each label or class in a mean over them; None of anything else."""
        if isinstance(self.statistic, MeanStatistic):
            return self.statistic.label_shares
        n_labels = self.units.n_labels
        return np.full(n_labels, 1 / n_labels) if is_mean_recall(self.objective) else None

    def _wilson(self) -> NDArray[np.float64]:
        assert self.proportion
        share, _, number = self._hits()
        return self.proportion.value(wilson(share, number, quantile_of(self.error, self.units)))

    def _delta(self) -> NDArray[np.float64]:
        error, at = standard_error(self.statistic, self.units.row)
        quantile = quantile_of(self.error, self.units)
        return around(self.statistic.value, error, at, quantile, limits_of(self.objective))

    def _bootstrap(self) -> NDArray[np.float64]:
        return bootstrap_interval(self.statistic, 1 - self.error, self.random_state)

    def _hits(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the share of hits, what was tried, and the number of rows it is worth."""
        assert self.proportion
        count = self.statistic.count
        hits, misses = (self.statistic.totals @ self.proportion.factors.T).T
        tried = hits + misses
        total = count @ tried
        share = count @ hits / total if total > 0 else np.zeros(())
        deviations = count @ (hits - share * tried) ** 2
        number = effective_number(share, total, deviations, count @ tried**2)
        return np.asarray(share), np.asarray(total), number

    def _mean_recall(self) -> NDArray[np.float64]:
        """Return the mean of the intervals of the recalls, which may be any without a row."""
        some = self.units.cells[:, :2].sum(axis=1) > 0  # given these, recalls are binomial
        recall = Proportion.of(RECALL, CELLS)
        assert recall
        ends = proportion_intervals(recall, self.units, self.error / some.sum(), exact=True)
        return ends.mean(axis=0)

    def _check_limits(self) -> None:
        if not np.isfinite(limits_of(self.objective)).all():
            raise ValueError(
                "The bootstrap needs two rows or groups at least, got one; give more of them."
            )

    def _check_plain(self, method: str) -> None:
        if not self.units.plain:
            raise ValueError(
                f"method={method!r} needs rows of equal weight that are independent of each other; "
                "with sample_weight or groups use 'auto', 'delta' or 'bootstrap'."
            )
