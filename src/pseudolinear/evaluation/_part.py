"""Part: all rows, or those of one group, and what is evaluated on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile, Outcomes
from pseudolinear.evaluation._case import Case
from pseudolinear.evaluation._gap import Gap, largest_gap, pairs_of
from pseudolinear.evaluation._group_evaluations import Rate
from pseudolinear.evaluation._label_evaluation import LabelEvaluation, evaluate_labels
from pseudolinear.evaluation._label_intervals import CELLS, known_labels, proportion_intervals
from pseudolinear.evaluation._label_values import limits_of
from pseudolinear.evaluation._proportion import Proportion
from pseudolinear.evaluation._ratio import FALL_OUT, RECALL, SELECTED, is_mean_recall
from pseudolinear.evaluation._row_costs import CostCase, CostStatistic, cost_labels
from pseudolinear.evaluation._units import Units
from pseudolinear.measures import Objective, has_row_costs
from pseudolinear.thresholds import Budget

DRAWN = "the {} were drawn alike and independently, and were not used to decide anything before"
NEARLY = ", and are enough for the approximation"
RATES = {"recall": RECALL, "false_positive_rate": FALL_OUT, "selection_rate": SELECTED}
SHARES = {name: Proportion.of(ratio, CELLS) for name, ratio in RATES.items()}


@dataclass(frozen=True, eq=False)
class Part:
    """All rows, or those of one group.

    Attributes
    ----------
    group : object
        Its name.
    objective : Measure or Objective
        What is evaluated.
    outcomes : Outcomes
        Truth and prediction.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    clusters : ndarray of shape (n_samples,) or None
        What rows that need not be independent have in common.
    n_classes : int
        How many classes there are, of which some may not occur in the rows.
    counted : Units or None
        The draws, where every row of the outcomes stands for several, with their weight.
    """

    group: Any
    objective: Any
    outcomes: Outcomes
    weight: NDArray[np.float64] | None
    clusters: NDArray[Any] | None
    n_classes: int
    counted: Units | None = None

    def take(self, group: Any, rows: NDArray[np.bool_]) -> Part:
        """Return the part that some of the rows are."""
        outcomes, objective, weight = self.outcomes, self.objective, self.weight
        if weight is not None and not weight[rows].any():
            raise ValueError(f"All rows of the group {group!r} have the weight 0; leave them out.")
        part = outcomes.take(rows)
        if outcomes.exclusive:  # as of all rows: the classes that occur, and a default class
            true, predicted = part.true, part.predicted
            occur = np.asarray((true | predicted).any(axis=0))
            occur[0] |= getattr(objective, "has_default_class", False)
            labels = tuple(np.array(outcomes.labels, dtype=object)[occur])
            part = Outcomes(true[:, occur], predicted[:, occur], labels, exclusive=True)
        if has_row_costs(objective):
            objective = objective.take(rows)
        weight, clusters = (None if q is None else q[rows] for q in (weight, self.clusters))
        return Part(group, objective, part, weight, clusters, self.n_classes)

    @cached_property
    def units(self) -> Units:
        """What was drawn."""
        if self.counted is not None:
            return self.counted
        return Units.of(self.outcomes, self.weight, self.clusters)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.outcomes.n_rows if self.counted is None else self.counted.n

    @property
    def reached(self) -> float:
        """The value of the objective."""
        return float(self.objective.of_outcomes(self.outcomes, self.weight))

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, if every row has exactly one of several."""
        return self.outcomes.labels if self.outcomes.exclusive else ()

    @property
    def confusion(self) -> NDArray[np.float64] | None:
        """The weight of the rows of each true class that were given each class."""
        if not self.outcomes.exclusive:
            return None
        n_classes = len(self.classes)
        true, predicted = self.outcomes.true, self.outcomes.predicted
        codes = true.argmax(axis=1) * n_classes + predicted.argmax(axis=1)
        weights = np.bincount(codes, self.weight, n_classes**2)
        return weights.reshape(n_classes, n_classes).astype(float)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Of which labels the rows say anything."""
        return known_labels(self.objective, self._all_units)

    @property
    def averages_classes(self) -> bool:
        """Whether the value is a mean over classes."""
        average = getattr(self.objective, "decomposes", False) or is_mean_recall(self.objective)
        return self.outcomes.exclusive and average

    @cached_property
    def _all_units(self) -> Units:
        """What was drawn, with the classes that do not occur where they count."""
        n_unseen = self.n_classes - self.units.n_labels
        if self.averages_classes or getattr(self.objective, "has_default_class", False):
            return self.units.with_unseen(max(n_unseen, 0))
        return self.units

    def note(self, *, exact: bool) -> str:
        """Say what is to be known besides: that a constraint is broken, of which labels nothing is.

        Empty if there is no such thing.
        """
        if isinstance(self.objective, Budget):
            broken = self.objective.overspent(self.outcomes.predicted, self._number)
        else:
            broken = broken_note(
                self.objective, lambda: self.outcomes.profile(self.weight), self.outcomes.labels
            )
        return f"{broken} {self._unknown(exact=exact)}".strip()

    @property
    def _number(self) -> NDArray[np.float64] | None:
        """How many rows each row of the outcomes stands for; None if each is itself."""
        if self.counted is None:
            return None
        return self.counted.count.reshape(-1, self.outcomes.n_rows).sum(axis=0)

    def _unknown(self, *, exact: bool) -> str:
        """Say of which labels the rows say nothing, in one sentence; empty if of all something."""
        if self.units.single and not exact and np.isfinite(limits_of(self.objective)).all():
            return (
                "These rows are a single draw, which does not say how far others differ from it, "
                "so any value is possible; give more rows or groups."
            )
        return unknown_note(self.known, "classes" if self.outcomes.exclusive else "labels")

    def assumption(self, *, exact: bool) -> str:
        """Say what an interval rests on, in one sentence."""
        return assumption_of("rows" if self.clusters is None else "groups", exact=exact)

    def value(self) -> float:
        """Return the value of the objective; NaN where the rows say nothing of it."""
        if self.units.single or not self.known.any():
            return np.nan
        return self.reached

    def case(self, error: float, random_state: Any) -> Case:
        """Return the ways to the interval of the value."""
        if not has_row_costs(self.objective):
            exclusive = self.outcomes.exclusive
            return Case(self.objective, self._all_units, exclusive, error, random_state)
        costs = CostStatistic.of(self.objective, self.outcomes, self.weight, self.clusters)
        return CostCase(self.objective, self.units, False, error, random_state, costs)

    def labels(self, error: float, *, exact: bool) -> tuple[LabelEvaluation, ...]:
        """Evaluate every label alone."""
        if has_row_costs(self.objective):
            return cost_labels(
                self.objective, self.outcomes, self.units, error, self.weight, self.clusters
            )
        return evaluate_labels(self.outcomes.labels, self.objective, self.units, error, exact=exact)

    def rates(self, error: float, *, exact: bool) -> dict[str, Rate]:
        """Return the rates of one label with their intervals; of several labels none."""
        if self.units.n_labels > 1:
            return {}
        return {name: self._rate(name, error, exact=exact) for name in RATES}

    def _rate(self, name: str, error: float, *, exact: bool) -> Rate:
        ratio, share = RATES[name], SHARES[name]
        assert share is not None  # of a hit and a miss
        low, high = proportion_intervals(share, self.units, error, exact=exact)[0].tolist()
        (cells,) = self.units.cells
        value = float(ratio.value(cells)) if cells @ ratio.denominator > 0 else np.nan
        return Rate(value, (low, high))


def assumption_of(drawn: str, *, exact: bool) -> str:
    """Say what an interval rests on, in one sentence."""
    return DRAWN.format(drawn) + ("" if exact else NEARLY)


def broken_note(objective: Any, errors: Callable[[], ErrorProfile], names: Sequence[Any]) -> str:
    """Say that a constraint is broken on rows; empty if it is kept, or there is none."""
    return objective.broken(errors(), names) if isinstance(objective, Objective) else ""


def unknown_note(known: NDArray[np.bool_], what: str = "labels") -> str:
    """Say of how many labels rows say nothing, in one sentence; empty if of all something."""
    unknown = int((~known).sum())
    if not unknown:
        return ""
    kind = "" if what == "classes" else "positive "
    if len(known) == 1:
        return (
            "With no positive row and no positive prediction, any value is possible; give more "
            "rows."
        )
    return (
        f"{unknown} of {len(known)} {what} {'has' if unknown == 1 else 'have'} no {kind}row and no "
        f"{kind}prediction, so any value is possible there; give more rows."
    )


def gaps_between(
    parts: Sequence[Part],
    name: str,
    *,
    method: str,
    exact: bool,
    error: float,
    random_state: Any,
) -> list[Gap]:
    """Find the largest gaps between groups: of the objective and, of one label, of the rates.

    Exact intervals, and those of groups that share clusters, are joined as they are.
    """
    independent = not exact and not _share_clusters(parts)
    each = error / (pairs_of(len(parts)) if independent else len(parts))
    values = np.array([part.value() for part in parts])
    ends = np.array([getattr(part.case(each, random_state), method)()[0] for part in parts])
    low, high = np.minimum(ends[:, 0], values), np.maximum(ends[:, 1], values)
    columns = {name: (values, np.stack([low, high], axis=1))}
    rates = [part.rates(each, exact=exact) for part in parts]
    for rate in rates[0] if all(rates) else ():
        of_groups = [found[rate] for found in rates]
        columns[rate] = (
            np.array([one.value for one in of_groups]),
            np.array([one.interval for one in of_groups]),
        )
    names = [part.group for part in parts]
    gaps = (largest_gap(of, names, *both, independent=independent) for of, both in columns.items())
    return [gap for gap in gaps if gap is not None]


def _share_clusters(parts: Sequence[Part]) -> bool:
    """Return whether rows that need not be independent are in different groups."""
    found = [set(part.clusters.tolist()) for part in parts if part.clusters is not None]
    return sum(map(len, found)) > len(set().union(*found))
