"""Choices: which candidates, cut where, serve a goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.kinds import Goal
from pseudolinear.selection._candidate import Candidate
from pseudolinear.thresholds import ROUNDING, combine, first_best


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen for a goal.

    Attributes
    ----------
    candidates : list of Candidate
        One per label of the goal.
    cuts : list of int
        Position on each candidate's curve.
    value : float
        What the goal's measure gives for them together.
    """

    candidates: list[Candidate]
    cuts: list[int]
    value: float

    @classmethod
    def of(cls, goal: Goal, candidates: Sequence[Candidate], cuts: Sequence[int]) -> Choice:
        """Cut one candidate per label and evaluate them together."""
        profile = combine([candidate.curve for candidate in candidates], cuts)
        return cls(list(candidates), list(cuts), float(goal.measure.value(profile)))

    @property
    def thresholds(self) -> list[float | NDArray[np.float64]]:
        """The chosen threshold of each label."""
        pairs = zip(self.candidates, self.cuts, strict=True)
        return [candidate.curve.thresholds[cut] for candidate, cut in pairs]

    @property
    def profile(self) -> ErrorProfile:
        """The errors of all labels together."""
        return combine([candidate.curve for candidate in self.candidates], self.cuts)


def goal_weights(goals: Sequence[Goal], choices: Sequence[Choice]) -> list[float]:
    """Return the weight of each goal in the mean over them, on the rows of the choices."""
    pairs = zip(goals, choices, strict=True)
    return [goal.on(choice.profile.prevalence).weight for goal, choice in pairs]


def label_values(goal: Goal, candidate: Candidate) -> NDArray[np.float64]:
    """Evaluate every cut of a candidate by the measure of its label alone."""
    return np.atleast_1d(goal.label_measure.value(candidate.curve))


def best_choice(
    choices: Sequence[Choice], levels: Sequence[float], *, take_first: bool = False
) -> Choice:
    """Return the choice of largest value.

    Of equal values the one whose level is nearest to the value, where theory wants it, or the
    first one.
    """
    top = max(choice.value for choice in choices)
    ties = [i for i, choice in enumerate(choices) if choice.value >= top - ROUNDING]
    if take_first:
        return choices[ties[0]]
    return choices[min(ties, key=lambda i: (abs(levels[i] - choices[i].value), levels[i]))]


def least(costs: NDArray[np.float64], *, take_first: bool = False) -> int:
    """Return the position of the least cost, or of the first that rounding alone puts above it."""
    return first_best(-costs) if take_first else int(np.argmin(costs))


def cheapest(
    goal: Goal, candidates: Sequence[Candidate], level: float, *, take_first: bool = False
) -> Choice:
    """Choose the cheapest candidate and cut of each label at a level; see :func:`least`."""
    kept, cuts = [], []
    for label, costs in zip(goal.labels, goal.label_costs(level), strict=True):
        own = [candidate for candidate in candidates if candidate.label == label]
        totals = [candidate.curve.total_cost(costs) for candidate in own]
        best = least(np.array([total.min() for total in totals]), take_first=take_first)
        kept.append(own[best])
        cuts.append(least(totals[best], take_first=take_first))
    return Choice.of(goal, kept, cuts)
