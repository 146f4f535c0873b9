"""LabelStream: an objective over several labels, evaluated on batches of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import Outcomes
from pseudolinear.evaluation._delta import around, standard_error
from pseudolinear.evaluation._label_evaluation import LabelEvaluation, evaluate_labels
from pseudolinear.evaluation._label_intervals import known_labels, quantile_of
from pseudolinear.evaluation._label_sums import LabelSums
from pseudolinear.evaluation._label_values import limits_of
from pseudolinear.evaluation._mean import mean_interval
from pseudolinear.evaluation._part import assumption_of, broken_note, unknown_note
from pseudolinear.evaluation._statistic import MeanStatistic, statistic_of
from pseudolinear.evaluation._units import Units
from pseudolinear.measures import Measure

Ends = tuple[NDArray[np.float64], str]
Batch = tuple[Outcomes, NDArray[np.float64] | None]


@dataclass(frozen=True, eq=False)
class LabelStream:
    """An objective over several labels, and the rows it is evaluated on, batch by batch.

    It is what a :class:`Part` is for rows in memory, with the methods of a :class:`Case` that sums
    over rows are enough for.

    Attributes
    ----------
    objective : Measure or Objective
        What is evaluated.
    names : tuple
        Of the labels.
    sums : LabelSums
        Over all rows.
    batches : callable
        Yields outcomes and weights anew.
    error : float
        Probability of missing the value.
    """

    objective: Any
    names: tuple[Any, ...]
    sums: LabelSums
    batches: Callable[[], Iterator[Batch]]
    error: float = 0.05

    clusters: None = None
    confusion: None = None
    classes: tuple[Any, ...] = ()

    def case(self, error: float, random_state: Any) -> LabelStream:
        """Return the ways to the interval of the value."""
        return LabelStream(self.objective, self.names, self.sums, self.batches, error)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.sums.n

    @property
    def reached(self) -> float:
        """The value of the objective."""
        return float(self.objective.value(self.sums.profile()))

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Of which labels the rows say anything."""
        return known_labels(self.objective, self.sums)  # type: ignore[arg-type]

    def note(self, *, exact: bool) -> str:
        """Say that a constraint is broken, and of which labels the rows say nothing."""
        broken = broken_note(self.objective, self.sums.profile, self.names)
        return f"{broken} {unknown_note(self.known)}".strip()

    def assumption(self, *, exact: bool) -> str:
        """Say what an interval rests on, in one sentence."""
        return assumption_of("rows", exact=exact)

    def labels(self, error: float, *, exact: bool) -> tuple[LabelEvaluation, ...]:
        """Evaluate every label alone."""
        return evaluate_labels(
            self.names,
            self.objective,
            self.sums,  # type: ignore[arg-type]
            error,
            exact=exact,
        )

    def auto(self) -> Ends:
        """Take the delta method, as for labels in memory."""
        return self.delta()

    def delta(self) -> Ends:
        """Return the interval by the delta method, with one more pass over the rows."""
        limits, known = np.array(limits_of(self.objective)), self.known
        if not known.any():
            return limits, "delta"
        whole = statistic_of(self.objective, self.sums.as_one_draw(), merge=False)
        if not isinstance(whole, MeanStatistic) or known.all():
            return self._delta(np.ones_like(known)), "delta"
        share = whole.label_shares[known].sum()
        return share * self._delta(known) + (1 - share) * limits, "delta"

    def exact(self) -> Ends:
        """Return an interval of a mean over labels that holds at every number of rows."""
        measure = self.objective
        if not self.sums.plain or (isinstance(measure, Measure) and not measure.decomposes):
            return self._refuse("exact")
        return mean_interval(measure, self.sums, self.error), "union over labels"  # type: ignore[arg-type]

    def wilson(self) -> Ends:
        """Refuse: no mean over labels is a proportion."""
        return self._refuse("wilson")

    def betting(self) -> Ends:
        """Refuse."""
        return self._refuse("betting")

    def bootstrap(self) -> Ends:
        """Refuse."""
        return self._refuse("bootstrap")

    def _delta(self, labels: NDArray[np.bool_]) -> NDArray[np.float64]:
        sums = self.sums.take(labels)
        statistic = statistic_of(self.objective, sums.as_one_draw(), merge=False)

        def squares_of(gradient: NDArray[np.float64]) -> float:
            return sum(
                float(((self._totals(batch, labels) @ gradient) ** 2).sum())
                for batch in self.batches()
            )

        error, at = standard_error(statistic, sums.row, squares_of)
        quantile = quantile_of(self.error, sums)  # type: ignore[arg-type]
        limits = limits_of(self.objective)
        return around(statistic.value, error, at, quantile, limits)

    def _totals(self, batch: Batch, labels: NDArray[np.bool_]) -> Any:
        """Return what each row of a batch adds to the sums."""
        outcomes, weight = batch
        some = Outcomes(
            outcomes.true[:, labels],
            outcomes.predicted[:, labels],
            tuple(np.array(self.names, dtype=object)[labels]),
        )
        units = Units.of(some, weight, merge=False)
        return statistic_of(self.objective, units, merge=False).totals

    def _refuse(self, method: str) -> Ends:
        raise ValueError(
            f"method={method!r} is not for batches of several labels with {self.objective!r}; use "
            "'auto' or 'delta', or evaluate on rows in memory."
        )
