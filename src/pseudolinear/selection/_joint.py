"""Joint: all labels of a goal are chosen together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pseudolinear.kinds import Goal
from pseudolinear.measures import rounding
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice, cheapest
from pseudolinear.selection._least_cost import LeastCost
from pseudolinear.thresholds import joint_cuts


class Joint(LeastCost):
    """Within each level take the largest value of all labels together, whatever its cost.

    Candidates of one level share their costs, so that labels are treated alike; among the levels
    the largest value is taken.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(300, random_state=0)
    >>> clf = MeasureClassifier("linear", measure="f1_micro", random_state=0).fit(X, Y)
    >>> clf.sweep_.rule.name, clf.certificate_["threshold"].gap  # no thresholds are better
    ('joint', 0.0)
    """

    name: ClassVar[str] = "joint"
    chooses: ClassVar[str] = "within a level the largest value of all labels together"
    assumes: ClassVar[str] = "all labels together have validation rows enough"

    def _at(self, goal: Goal, candidates: Sequence[Candidate], level: float) -> Choice:
        """Raise the level to the value reached until it stops rising (Dinkelbach)."""
        choice = cheapest(goal, candidates, level, take_first=self.take_first)
        while True:
            better = cheapest(goal, candidates, choice.value, take_first=self.take_first)
            if better.value <= choice.value + rounding(choice.value):
                return choice
            choice = better

    def recut_one(self, goal: Goal, candidates: Sequence[Candidate]) -> Choice:
        """Cut all labels so that their value together is the largest."""
        if len(candidates) == 1:
            return self._at(goal, candidates, candidates[0].level)
        curves = [candidate.curve for candidate in candidates]
        return Choice.of(goal, candidates, joint_cuts(curves, goal.measure))
