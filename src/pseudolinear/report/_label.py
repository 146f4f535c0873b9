"""LabelPart: what a page knows of one label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import Measure, Objective, has_row_costs
from pseudolinear.report._calibration import Bin
from pseudolinear.report._cuts import Cuts

Interval = tuple[float, float]


@dataclass(frozen=True, eq=False)
class LabelPart:
    """What a page knows of one label, or of one class against the others.

    Attributes
    ----------
    name : object
        The label.
    cuts : Cuts
        Its errors along the thresholds.
    measure : Measure, Objective or None
        What is aimed at, for this label alone; None where the aim is no function of one label.
    interval : (float, float) or None
        Of its value.
    spread : float or None
        Standard deviation of the thresholds that the folds would choose.
    bins : list of Bin
        Calibration; empty without probabilities.
    costs : tuple of float
        Of costs by row, minus the mean cost at every cut.
    """

    name: Any
    cuts: Cuts
    measure: Measure | Objective | None
    interval: Interval | None = None
    spread: float | None = None
    bins: tuple[Bin, ...] = ()
    costs: tuple[float, ...] = ()

    @property
    def ratio(self) -> list[float] | None:
        """The measure on proportions: constant, factors of fn and fp; above and below the line."""
        if not isinstance(self.measure, Measure):
            return None
        prevalence = self.cuts.positives / self.cuts.total
        above, gamma, below, delta = self.measure.of_pair(prevalence, 1.0 - prevalence)
        return [float(c) for c in (above, *gamma, below, *delta)]

    @property
    def values(self) -> list[float] | None:
        """What an objective that is no ratio says at every cut."""
        if self.costs:
            return list(self.costs)
        if not isinstance(self.measure, Objective):
            return None
        cuts = self.cuts
        errors = np.array([cuts.fn, cuts.fp, np.full(len(cuts.fn), cuts.positives)]).T
        return [self.measure.value(ErrorProfile(*one)) for one in errors / cuts.total]


def measure_of_label(objective: Measure | Objective) -> Measure | Objective | None:
    """Return an objective for a single label, if it has a meaning there."""
    if has_row_costs(objective):
        return None
    if isinstance(objective, Measure):
        alone = objective.binary()
        return alone if objective.decomposes or alone.collapses else None
    return objective
