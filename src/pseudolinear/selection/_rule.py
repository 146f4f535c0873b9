"""Rules: how candidates and thresholds are chosen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pseudolinear._discovery import Named
from pseudolinear.errors import ErrorCurve
from pseudolinear.kinds import Goal
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice, label_values
from pseudolinear.thresholds import first_best


class Rule(Named, ABC):
    """How candidates and thresholds are chosen on validation rows.

    A rule of your own is a child with :meth:`choose_one`; with a `name` it can also be given to
    :class:`MeasureClassifier` by that name.

    Attributes
    ----------
    name : str
        What `MeasureClassifier(selection=...)` calls it.
    chooses, assumes : str
        What it takes, and what makes that a good choice, in words.

    Examples
    --------
    The first candidate that was trained, cut at its largest value:

    >>> from sklearn.datasets import make_classification
    >>> class First(Rule):
    ...     def choose_one(self, goal, candidates):
    ...         return self.recut_one(goal, candidates[:1])
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> MeasureClassifier("linear", selection=First(), random_state=0).fit(X, y).best_params_
    {'C': 0.0625}
    """

    known: ClassVar[dict[str, type[Any]]] = {}
    chooses: ClassVar[str] = ""
    assumes: ClassVar[str] = ""

    def value(self, choices: Sequence[Choice]) -> float:
        """Return what is reported of the choice: the mean over the goals."""
        return float(np.mean([choice.value for choice in choices]))

    def check(self, goals: Sequence[Goal]) -> None:
        """Raise an error unless the rule can serve these goals."""

    def choose(self, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> list[Choice]:
        """Choose for all goals together.

        Parameters
        ----------
        goals : sequence of Goal
            One, or one per label.
        by_goal : sequence of sequence of Candidate
            The candidates of each goal, at any levels.

        Returns
        -------
        list of Choice
            One per goal.
        """
        return [self.choose_one(g, own) for g, own in zip(goals, by_goal, strict=True)]

    @abstractmethod
    def choose_one(self, goal: Goal, candidates: Sequence[Candidate]) -> Choice:
        """Choose one candidate and cut per label of a goal on its own."""

    def recut(self, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> list[Choice]:
        """Choose the cuts alone, of one given candidate per label."""
        return [self.recut_one(g, own) for g, own in zip(goals, by_goal, strict=True)]

    def recut_one(self, goal: Goal, candidates: Sequence[Candidate]) -> Choice:
        """Choose the cuts of one given candidate per label of a goal on its own."""
        return Choice.of(goal, candidates, [self.cut(goal, c) for c in candidates])

    def cut(self, goal: Goal, candidate: Candidate) -> int:
        """Choose the cut of one candidate on its own: of its label's largest value."""
        return first_best(label_values(goal, candidate))

    def cut_curve(self, goal: Goal, candidate: Candidate, curve: ErrorCurve) -> tuple[int, float]:
        """Cut another curve of a candidate, as of one fold; return the cut and its value."""
        other = replace(candidate, curve=curve)
        cut = self.cut(goal, other)
        return cut, self.label_value(goal, other, cut)

    def label_value(self, goal: Goal, candidate: Candidate, cut: int) -> float:
        """Return what is reported of a label alone: the value of its measure."""
        return float(label_values(goal, candidate)[cut])


def check_one_cost(rule: Rule, goals: Sequence[Goal]) -> None:
    """Raise an error unless errors of the goals have a cost at every level."""
    for goal in goals:
        if not goal.has_costs:
            raise ValueError(
                f"{goal.measure!r} is an average over classes, whose errors have no cost at a "
                f"level, which selection={rule.name!r} needs; use 'auto'."
            )
