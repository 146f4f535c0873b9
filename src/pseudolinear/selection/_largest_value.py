"""LargestValue: every label takes its largest value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pseudolinear.kinds import Goal
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice, best_choice, by_label, cut_values
from pseudolinear.selection._rule import Rule
from pseudolinear.thresholds import first_best


@dataclass(frozen=True)
class LargestValue(Rule):
    """Take the candidate and cut of each label's largest value (Algorithm 2; `F_max`).

    Parameters
    ----------
    take_first : bool, default=False
        Whether of candidates with equal values the first is taken, as the published loops do;
        otherwise the one whose level is nearest to the value.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> clf = MeasureClassifier("linear", selection="largest_value", random_state=0)
    >>> sweep = clf.fit(X, y).sweep_
    >>> sweep.choices[0].value == max(row["value"] for row in sweep.rows() if row["fold"] == -1)
    True
    """

    name: ClassVar[str] = "largest_value"
    chooses: ClassVar[str] = "the candidate and threshold of each label's largest value"
    assumes: ClassVar[str] = "every label has validation rows enough to trust its own values"

    take_first: bool = False

    def choose_one(self, goal: Goal, candidates: Sequence[Candidate]) -> Choice:
        """Choose the largest value of each label."""
        chosen = [self._of_label(goal, own) for own in by_label(goal, candidates)]
        if len(chosen) == 1:
            return chosen[0]
        return Choice.of(goal, [c.candidates[0] for c in chosen], [c.cuts[0] for c in chosen])

    def _of_label(self, goal: Goal, own: Sequence[Candidate]) -> Choice:
        values = cut_values(goal, own)
        cuts = [first_best(value) for value in values]
        choices = [
            Choice([candidate], [cut], float(value[cut]))
            for candidate, cut, value in zip(own, cuts, values, strict=True)
        ]
        levels = [candidate.level for candidate in own]
        return best_choice(choices, levels, take_first=self.take_first)
