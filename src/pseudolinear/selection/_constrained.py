"""Constrained: every label is chosen for a constraint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pseudolinear.errors import ErrorCurve
from pseudolinear.kinds import Goal
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice
from pseudolinear.selection._rule import Rule
from pseudolinear.thresholds import Objective, combine


@dataclass(frozen=True)
class Constrained(Rule):
    """Take what a constraint prefers, label by label; :meth:`MeasureClassifier.retarget` uses it.

    Parameters
    ----------
    objective : Objective
        Such as :class:`RecallAtPrecision`.
    """

    chooses: ClassVar[str] = "the best candidate and threshold that keep the constraint"
    assumes: ClassVar[str] = "what holds on the validation rows holds on others"

    objective: Objective

    def value(self, choices: Sequence[Choice]) -> float:
        """Return what the objective says of all labels together."""
        pairs = [(c.curve, i) for o in choices for c, i in zip(o.candidates, o.cuts, strict=True)]
        return self.objective.value(combine(*zip(*pairs, strict=True)))

    def choose_one(self, goal: Goal, candidates: Sequence[Candidate]) -> Choice:
        """Choose among all cuts of all candidates of each label."""
        kept, cuts = [], []
        for label in goal.labels:
            own = [candidate for candidate in candidates if candidate.label == label]
            best, cut = self._best([candidate.curve for candidate in own])
            kept.append(own[best])
            cuts.append(cut)
        return Choice.of(goal, kept, cuts)

    def cut(self, goal: Goal, candidate: Candidate) -> int:
        """Choose the cut that the constraint prefers; where none keeps it, predict nothing."""
        try:
            return self.objective.choose(candidate.curve)[0]
        except ValueError:
            return 0

    def recut_one(self, goal: Goal, candidates: Sequence[Candidate]) -> Choice:
        """Cut the given candidates, or say which constraint cannot be kept."""
        return self.choose_one(goal, candidates)

    def _best(self, curves: Sequence[ErrorCurve]) -> tuple[int, int]:
        """Return which curve the objective prefers, and where to cut it."""
        thresholds = np.concatenate([curve.thresholds for curve in curves])
        fn = np.concatenate([curve.fn for curve in curves])
        fp = np.concatenate([curve.fp for curve in curves])
        order = np.lexsort((fn[:, 0], fp[:, 0]))  # as on one curve: by ascending false positives
        together = ErrorCurve(fn[order], fp[order], curves[0].prevalence, thresholds[order])
        number = int(order[self.objective.choose(together)[0]])
        starts = np.cumsum([0, *(len(curve.thresholds) for curve in curves)])
        best = int(np.searchsorted(starts, number, side="right")) - 1
        return best, number - int(starts[best])
