"""Constrained: every label is chosen for a constraint, or another objective."""

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
    """Take what an objective prefers, label by label: the rule of a constraint as measure.

    Parameters
    ----------
    objective : Objective
        Such as :class:`RecallAtPrecision` or :class:`MatthewsCorrelation`.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> clf = MeasureClassifier("linear", measure=RecallAtPrecision(0.9), random_state=0)
    >>> clf.fit(X, y).sweep_.rule
    Constrained(objective=RecallAtPrecision(min_precision=0.9))
    """

    chooses: ClassVar[str] = "the best candidate and threshold for the objective"
    assumes: ClassVar[str] = "what holds on the validation rows holds on others"

    objective: Objective

    def value(self, goals: Sequence[Goal], choices: Sequence[Choice]) -> float:
        """Return what the objective says of all labels together."""
        pairs = [(c.curve, i) for o in choices for c, i in zip(o.candidates, o.cuts, strict=True)]
        return self.objective.value(combine(*zip(*pairs, strict=True)))

    def choose(self, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> list[Choice]:
        """Choose for each label, or say which constraint cannot be kept."""
        pairs = zip(goals, by_goal, strict=True)
        return [self._choose(goal, candidates, strict=True) for goal, candidates in pairs]

    recut = choose

    def choose_one(self, goal: Goal, candidates: Sequence[Candidate]) -> Choice:
        """Choose among all cuts of all candidates of each label.

        A part of the candidates, as those of one level, need not keep the constraint: then nothing
        is predicted.
        """
        return self._choose(goal, candidates, strict=False)

    recut_one = choose_one

    def cut(self, goal: Goal, candidate: Candidate) -> int:
        """Choose the cut that the constraint prefers; where none keeps it, predict nothing."""
        return self._best([candidate.curve], strict=False)[1]

    def label_value(self, goal: Goal, candidate: Candidate, cut: int) -> float:
        """Return what the objective says of a label."""
        return self.objective.value(candidate.curve.profile(cut))

    def _choose(self, goal: Goal, candidates: Sequence[Candidate], *, strict: bool) -> Choice:
        kept, cuts = [], []
        for label in goal.labels:
            own = [candidate for candidate in candidates if candidate.label == label]
            best, cut = self._best([candidate.curve for candidate in own], strict=strict)
            kept.append(own[best])
            cuts.append(cut)
        return Choice.of(goal, kept, cuts)

    def _best(self, curves: Sequence[ErrorCurve], *, strict: bool) -> tuple[int, int]:
        """Return which curve the objective prefers, and where to cut it."""
        thresholds = np.concatenate([curve.thresholds for curve in curves])
        fn = np.concatenate([curve.fn for curve in curves])
        fp = np.concatenate([curve.fp for curve in curves])
        order = np.lexsort((fn[:, 0], fp[:, 0]))  # as on one curve: by ascending false positives
        together = ErrorCurve(fn[order], fp[order], curves[0].prevalence, thresholds[order])
        try:
            number = int(order[self.objective.choose(together)[0]])
        except ValueError:
            if strict:
                raise
            return 0, 0
        starts = np.cumsum([0, *(len(curve.thresholds) for curve in curves)])
        best = int(np.searchsorted(starts, number, side="right")) - 1
        return best, number - int(starts[best])
