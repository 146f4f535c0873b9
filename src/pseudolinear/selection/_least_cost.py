"""LeastCost: within a level the least cost, among levels the largest value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pseudolinear.kinds import Goal
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice, best_choice, by_label, cheapest, least
from pseudolinear.selection._rule import Rule, check_one_cost


@dataclass(frozen=True)
class LeastCost(Rule):
    """Within each level take the least cost, among the levels the largest value.

    These are Algorithms 3 and 4 (`C_min`). Costs of different levels are never compared: their
    scale changes with the level.

    Parameters
    ----------
    take_first : bool, default=False
        Whether the first is taken of costs, and of levels' values, that are equal up to rounding,
        as the published loops do; otherwise the least cost as it is computed, and of equal values
        the one whose level is nearest.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> clf = MeasureClassifier("linear", selection="least_cost", random_state=0)
    >>> clf.fit(X, y).sweep_.rule.name
    'least_cost'
    """

    name: ClassVar[str] = "least_cost"
    chooses: ClassVar[str] = "within a level the least cost, among levels the largest value"
    assumes: ClassVar[str] = "the level's cost is the right one: it is that of the optimum"

    take_first: bool = False

    def check(self, goals: Sequence[Goal]) -> None:
        """Raise an error where errors have no cost."""
        check_one_cost(self, goals)

    def choose_one(self, goal: Goal, candidates: Sequence[Candidate]) -> Choice:
        """Choose the level, and what is cheapest there."""
        levels = sorted({candidate.level for candidate in candidates})
        own = [_nearest(goal, candidates, level) for level in levels]
        choices = [self._at(goal, c, level) for c, level in zip(own, levels, strict=True)]
        return best_choice(choices, levels, take_first=self.take_first)

    def _at(self, goal: Goal, candidates: Sequence[Candidate], level: float) -> Choice:
        return cheapest(goal, candidates, level, take_first=self.take_first)

    def cut(self, goal: Goal, candidate: Candidate) -> int:
        """Choose the cheapest cut at the candidate's level."""
        costs = goal.label_costs(candidate.level)[goal.labels.index(candidate.label)]
        return least(candidate.curve.total_cost(costs), take_first=self.take_first)


def _nearest(goal: Goal, candidates: Sequence[Candidate], level: float) -> list[Candidate]:
    """Return what was tried at a level, or nearest to it.

    Labels have other levels than each other where a macro average is retargeted to a micro one.
    """
    kept = []
    for own in by_label(goal, candidates):
        nearest = min({c.level for c in own}, key=lambda one: (abs(one - level), one))
        kept += [c for c in own if c.level == nearest]
    return kept
