"""Choices: which candidates, cut where, serve a goal."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pseudolinear._digits import in_digits
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.kinds import Goal
from pseudolinear.measures import rounding
from pseudolinear.selection._candidate import Candidate
from pseudolinear.thresholds import combine, first_best


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

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(300, weights=[0.8], random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    >>> choice = clf.sweep_.choices[0]
    >>> choice.value == clf.best_score_
    True
    """

    candidates: list[Candidate]
    cuts: list[int]
    value: float

    def __repr__(self) -> str:
        n_labels = len(self.candidates)
        cut = f"label {self.candidates[0].label}" if n_labels == 1 else f"{n_labels} labels"
        return f"<Choice: {cut}, value {in_digits(self.value)}>"

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
    return [
        goal.on(choice.profile.prevalence).weight if goal.weighted else goal.weight
        for goal, choice in pairs
    ]


def label_values(goal: Goal, candidate: Candidate) -> NDArray[np.float64]:
    """Evaluate every cut of a candidate by the measure of its label alone."""
    return cut_values(goal, [candidate])[0]


def cut_values(goal: Goal, candidates: Sequence[Candidate]) -> list[NDArray[np.float64]]:
    """Evaluate every cut of several candidates of one label by its measure alone, in one go."""
    fn, fp, starts = _side_by_side([candidate.curve for candidate in candidates])
    values = goal.label_measure.value(ErrorProfile(fn, fp, candidates[0].curve.prevalence))
    return [values[i:j] for i, j in pairwise([*starts.tolist(), len(values)])]


def by_label(goal: Goal, candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Return the candidates of each label of a goal."""
    own: dict[int, list[Candidate]] = {label: [] for label in goal.labels}
    for candidate in candidates:
        own[candidate.label].append(candidate)
    return list(own.values())


def best_choice(
    choices: Sequence[Choice], levels: Sequence[float], *, take_first: bool = False
) -> Choice:
    """Return the choice of largest value.

    Of equal values the one whose level is nearest to the value, where theory wants it, or the
    first one.
    """
    top = max(choice.value for choice in choices)
    ties = [i for i, choice in enumerate(choices) if choice.value >= top - rounding(top)]
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
    own = by_label(goal, candidates)
    totals, starts = _total_costs(own, goal.label_costs(level))
    lowest = np.minimum.reduceat(totals, starts)
    kept, cuts, first = [], [], 0
    for of_label in own:
        best = least(lowest[first : first + len(of_label)], take_first=take_first)
        start, curve = starts[first + best], of_label[best].curve
        kept.append(of_label[best])
        cuts.append(least(totals[start : start + len(curve)], take_first=take_first))
        first += len(of_label)
    return Choice.of(goal, kept, cuts)


def _total_costs(
    own: Sequence[Sequence[Candidate]], costs: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Price every cut of every label's candidates in one go, and say where each one begins."""
    fn, fp, starts = _side_by_side([c.curve for candidates in own for c in candidates])
    n_cuts = np.diff([*starts[_first(own)], len(fn)])
    prices = np.repeat(costs.reshape(len(own), -1, 2), n_cuts, axis=0)
    return (np.stack([fn, fp], axis=-1) * prices).sum(axis=(-2, -1)), starts


def _side_by_side(
    curves: Sequence[ErrorCurve],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Return the errors at all cuts of several curves, and where each curve begins."""
    fn, fp = [curve.fn for curve in curves], [curve.fp for curve in curves]
    return np.concatenate(fn), np.concatenate(fp), _first(fn)


def _first(parts: Sequence[Sized]) -> NDArray[np.intp]:
    """Return where each part begins when they are put one after the other."""
    return np.cumsum([0, *map(len, parts[:-1])])
