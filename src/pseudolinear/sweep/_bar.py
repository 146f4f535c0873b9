"""Bar: what a further learner must reach on the first fold to be worth its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from pseudolinear.errors import ErrorCurve
from pseudolinear.kinds import Goal, standard_error
from pseudolinear.measures import Measure
from pseudolinear.selection import Choice

ERRORS = 2.0  # standard errors below the best that may still be chance


class HopelessError(Exception):
    """A learner is so far below the bar after one fold that the others are not tried."""

    def __str__(self) -> str:
        """Say it in a table."""
        return "far below the best on the first fold"


@dataclass(frozen=True, eq=False)
class Bar:
    """What all labels together must reach on the first fold.

    Attributes
    ----------
    measures : mapping
        The measure of each label.
    least : float
        The least mean value over the labels.
    """

    measures: Mapping[int, Measure]
    least: float

    @classmethod
    def below(cls, goals: Sequence[Goal], choices: Sequence[Choice]) -> Self | None:
        """Set the bar two standard errors below what was chosen; None for labels that are tied."""
        if any(len(goal.labels) > 1 for goal in goals):
            return None
        chosen = {c.label: c for choice in choices for c in choice.candidates}
        if any(len(candidate.fold_curves) < 2 for candidate in chosen.values()):
            return None
        measures = {goal.labels[0]: goal.measure for goal in goals}
        folds = {label: candidate.fold_curves[0] for label, candidate in chosen.items()}
        value = float(np.mean([np.max(measures[k].value(curve)) for k, curve in folds.items()]))
        n_positive = sum(
            goal.n_positive / len(chosen[goal.labels[0]].fold_curves) for goal in goals
        )
        worst, best = np.mean([goal.value_range for goal in goals], axis=0).tolist()
        return cls(measures, value - ERRORS * standard_error(value, (worst, best), n_positive))

    def missed(self, curves: Sequence[tuple[int, ErrorCurve]]) -> bool:
        """Tell whether curves of all labels on the first fold stay below the bar."""
        best: dict[int, float] = {}
        for label, curve in curves:
            value = float(np.max(self.measures[label].value(curve)))
            best[label] = max(best.get(label, value), value)
        return best.keys() == self.measures.keys() and bool(
            np.mean(list(best.values())) < self.least
        )
