"""Both: the mean of the macro and the micro average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.kinds import Goal
from pseudolinear.measures import rounding
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice
from pseudolinear.selection._largest_value import LargestValue
from pseudolinear.thresholds import combine, first_best

MAX_STEPS = 20  # the iteration ends after a few; this only bounds it


class Both(LargestValue):
    """Maximise the mean of the macro (or weighted) and the micro average.

    By (I2), raising label k's cost <a(t), e_k> lowers the micro average t by that over its
    denominator D; so at given t and D the problem decomposes into labels, and (t, D) is iterated.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(300, random_state=0)
    >>> clf = MeasureClassifier("linear", measure="f1_macro", selection="both", random_state=0)
    >>> clf = clf.fit(X, Y)
    >>> clf.sweep_.rule.name
    'both'
    """

    name: ClassVar[str] = "both"
    chooses: ClassVar[str] = "the largest mean of the macro and the micro average"
    assumes: ClassVar[str] = "every label has validation rows enough to trust its own values"

    def choose(self, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> list[Choice]:
        """Iterate from the largest values of the labels until the mean stops rising."""
        best = super().choose(goals, by_goal)
        if len(goals) == 1:
            return best
        choices, best_value = best, -np.inf
        measure = replace(goals[0].measure, average="micro")
        prevalence = np.array([float(goal.prevalence) for goal in goals])
        c = measure.coefficients(prevalence)
        shares = np.array([goal.weight for goal in goals])
        shares /= shares.sum()
        for _ in range(MAX_STEPS):
            curves = [choice.candidates[0].curve for choice in choices]
            profile = combine(curves, [choice.cuts[0] for choice in choices])
            micro = float(measure.value(profile))
            value = micro + self.value(goals, choices)
            if value <= best_value + rounding(best_value):
                break
            best, best_value = choices, value
            denominator = float(c.alpha1 + (profile.errors * c.delta).sum())
            prices = measure.costs(micro, prevalence) / denominator
            choices = [
                _priced(goal, own, a, share)
                for goal, own, a, share in zip(goals, by_goal, prices, shares, strict=True)
            ]
        return best

    def recut(self, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> list[Choice]:
        """Choose among one candidate per label."""
        return self.choose(goals, by_goal)


def _priced(
    goal: Goal, candidates: Sequence[Candidate], prices: NDArray[np.float64], share: float
) -> Choice:
    """Choose a label's largest part of the mean over labels less the price of its errors."""
    curves = [candidate.curve for candidate in candidates]
    gains = [share * goal.measure.value(curve) - curve.total_cost(prices) for curve in curves]
    top = int(np.argmax([gain.max() for gain in gains]))
    return Choice.of(goal, [candidates[top]], [first_best(gains[top])])
