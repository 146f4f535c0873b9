"""LabelTable: the candidates of many labels, with their cuts in flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurves, ErrorProfile
from pseudolinear.kinds import Goal
from pseudolinear.loops._label_curves import first_in_parts
from pseudolinear.measures import ROUNDING
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice


@dataclass(frozen=True, eq=False)
class LabelTable:
    """The candidates of goals of one label each, with all their cuts side by side.

    Attributes
    ----------
    goals : sequence of Goal
        One per label.
    candidates : list of Candidate
        Those of the first label, then those of the next.
    curves : ErrorCurves
        Their curves.
    first : ndarray of int, shape (n_goals + 1,)
        Where the candidates of each label begin.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(300, random_state=0)
    >>> sweep = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y).sweep_
    >>> table = LabelTable.of(sweep.goals, sweep.by_goal)
    >>> best = [max(own) for own in np.split(table.best_values, table.first[1:-1])]
    >>> bool(np.mean(best) >= sweep.value)
    True
    """

    goals: Sequence[Goal]
    candidates: list[Candidate]
    curves: ErrorCurves
    first: NDArray[np.intp]

    @classmethod
    def of(cls, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> Self:
        """Put the candidates of all goals into one table."""
        candidates = list(chain.from_iterable(by_goal))
        curves = ErrorCurves.of([candidate.curve for candidate in candidates])
        return cls(goals, candidates, curves, np.cumsum([0, *map(len, by_goal)]))

    @property
    def alike(self) -> bool:
        """Whether the measure of every goal is the same."""
        measure = self.goals[0].measure
        return all(goal.measure is measure or goal.measure == measure for goal in self.goals)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where the cuts of each goal begin: shape (n_goals + 1,)."""
        return self.curves.starts[self.first]

    @property
    def prevalence(self) -> NDArray[np.float64]:
        """Prevalence of each label on the rows of its curves."""
        return self.curves.prevalence[self.first[:-1]]

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """What every cut is worth by the measure of its label alone."""
        fn, fp = self.curves.fn, self.curves.fp
        if self.alike:
            p = self.spread(self.prevalence)
            return self.goals[0].label_measure.of_masses(fn, fp, p, 1.0 - p)
        found = []
        for goal, start, end, p in zip(
            self.goals, self.starts[:-1], self.starts[1:], self.prevalence, strict=True
        ):
            own = ErrorProfile(fn[start:end, None], fp[start:end, None], p)
            found.append(goal.label_measure.value(own))
        return np.concatenate(found)

    @property
    def best_values(self) -> NDArray[np.float64]:
        """The largest value of each candidate."""
        return np.maximum.reduceat(self.values, self.curves.starts[:-1])

    @property
    def best_cuts(self) -> NDArray[np.int64]:
        """The first cut of the largest value of each candidate, as a position among all cuts."""
        return first_in_parts(self.values, self.curves.starts, ROUNDING)

    def spread(self, by_goal: NDArray[np.float64]) -> NDArray[np.float64]:
        """Repeat what each goal has for all its cuts."""
        return np.repeat(by_goal, np.diff(self.starts), axis=0)

    def choices(self, cuts: NDArray[np.int64]) -> list[Choice]:
        """Return one cut, given by its position, of the only candidate of each goal."""
        own = (cuts - self.starts[:-1]).tolist()
        rows = zip(self.candidates, own, self.values[cuts].tolist(), strict=True)
        return [Choice([candidate], [cut], value) for candidate, cut, value in rows]
