"""Selection: which candidates, cut where, make the classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._measure import Measure
from pseudolinear._profiles import ErrorCurve, ErrorProfile
from pseudolinear._thresholds import ROUNDING, combine, first_best


@dataclass(frozen=True, eq=False)
class Candidate:
    """A trained problem with everything that its threshold can make of it.

    Attributes
    ----------
    label : int or None
        Label of the problem; None for a multiclass problem.
    level : float
        Level whose costs it was trained for.
    costs : tuple of float
        Costs that the learner was given, by class.
    params : mapping
        Hyper-parameters of the learner.
    curve : ErrorCurve
        Errors on all validation rows together, along the thresholds worth choosing.
    fold_curves : tuple of ErrorCurve
        The same for the validation rows of each fold.
    optimality : float
        The worst optimality that the learner states over the folds; NaN if it states none.
    converged : bool
        Whether the learner reached its tolerance on every fold.
    """

    label: int | None
    level: float
    costs: tuple[float, ...]
    params: Mapping[str, Any]
    curve: ErrorCurve
    fold_curves: tuple[ErrorCurve, ...]
    optimality: float
    converged: bool


@dataclass(frozen=True, eq=False)
class Group:
    """Labels that share one level, with the measure of them together.

    Attributes
    ----------
    labels : tuple of int or None
        ``(None,)`` for a multiclass problem.
    measure : Measure
        Pseudo-linear: a macro average gives one group per label.
    prevalence : ndarray
        Proportion of positives: a scalar for one label, otherwise one per label or class.
    """

    labels: tuple[int | None, ...]
    measure: Measure
    prevalence: NDArray[np.float64]

    @property
    def label_measure(self) -> Measure:
        """The measure of one of the labels alone."""
        return self.measure.binary() if len(self.labels) > 1 else self.measure

    def label_costs(self, level: float) -> NDArray[np.float64]:
        """Return the costs of each label at a level: what `ErrorProfile.total_cost` takes."""
        costs = self.measure.costs(level, self.prevalence)
        return costs if len(self.labels) > 1 else costs[None]


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen for a group.

    Attributes
    ----------
    candidates : list of Candidate
        One per label of the group.
    cuts : list of int
        Position on each candidate's curve.
    value : float
        What the group's measure gives for them together.
    """

    candidates: list[Candidate]
    cuts: list[int]
    value: float

    @property
    def thresholds(self) -> NDArray[np.float64]:
        """The chosen threshold of each label."""
        pairs = zip(self.candidates, self.cuts, strict=True)
        return np.array([candidate.curve.thresholds[cut] for candidate, cut in pairs])

    @property
    def profile(self) -> ErrorProfile:
        """The errors of all labels together."""
        return combine([candidate.curve for candidate in self.candidates], self.cuts)


def select(group: Group, candidates: Sequence[Candidate], rule: str) -> Choice:
    """Choose one candidate and threshold per label.

    Parameters
    ----------
    group : Group
        Labels and measure.
    candidates : sequence of Candidate
        Of these labels, at any levels.
    rule : {"f_max", "c_min"}
        Among all candidates of a label take the largest value of that label (Algorithm 2); or
        within each level take the least cost at that level, and among the levels the largest
        value of all labels together (Algorithms 3 and 4). Costs of different levels are never
        compared: their scale changes with the level.

    Returns
    -------
    Choice
        Of equal values the one whose level is nearest to the value, where theory wants it.
    """
    if rule == "f_max":
        return _largest_values(group, candidates)
    levels = sorted({candidate.level for candidate in candidates})
    choices = [
        _least_costs(group, [c for c in candidates if c.level == level], level) for level in levels
    ]
    return _best(choices, levels)


def recut(group: Group, choice: Choice, curves: Sequence[ErrorCurve], rule: str) -> Choice:
    """Choose the thresholds of the chosen candidates anew, on other curves of theirs."""
    pairs = zip(choice.candidates, curves, strict=True)
    candidates = [replace(candidate, curve=curve) for candidate, curve in pairs]
    cuts = [best_cut(group, candidate, candidate.curve, rule)[0] for candidate in candidates]
    return _joined(group, candidates, cuts)


def best_cut(group: Group, candidate: Candidate, curve: ErrorCurve, rule: str) -> tuple[int, float]:
    """Cut one curve of a candidate by the rule; return the cut and its value."""
    values = np.atleast_1d(group.label_measure.value(curve))
    if rule == "f_max":
        cut = first_best(values)
    else:
        costs = group.label_costs(candidate.level)[group.labels.index(candidate.label)]
        cut = int(np.argmin(curve.total_cost(costs)))
    return cut, float(values[cut])


def _largest_values(group: Group, candidates: Sequence[Candidate]) -> Choice:
    chosen = []
    for label in group.labels:
        own = [c for c in candidates if c.label == label]
        choices = [Choice([c], *_listed(best_cut(group, c, c.curve, "f_max"))) for c in own]
        chosen.append(_best(choices, [c.level for c in own]))
    if len(chosen) == 1:
        return chosen[0]
    return _joined(group, [c.candidates[0] for c in chosen], [c.cuts[0] for c in chosen])


def _least_costs(group: Group, candidates: Sequence[Candidate], level: float) -> Choice:
    kept, cuts = [], []
    for label, costs in zip(group.labels, group.label_costs(level), strict=True):
        own = [c for c in candidates if c.label == label]
        totals = [c.curve.total_cost(costs) for c in own]
        best = int(np.argmin([total.min() for total in totals]))
        kept.append(own[best])
        cuts.append(int(np.argmin(totals[best])))
    return _joined(group, kept, cuts)


def _joined(group: Group, candidates: list[Candidate], cuts: list[int]) -> Choice:
    profile = combine([candidate.curve for candidate in candidates], cuts)
    return Choice(candidates, cuts, float(group.measure.value(profile)))


def _listed(cut_and_value: tuple[int, float]) -> tuple[list[int], float]:
    return [cut_and_value[0]], cut_and_value[1]


def _best(choices: Sequence[Choice], levels: Sequence[float]) -> Choice:
    top = max(choice.value for choice in choices)
    ties = [i for i, choice in enumerate(choices) if choice.value >= top - ROUNDING]
    return choices[min(ties, key=lambda i: (abs(levels[i] - choices[i].value), levels[i]))]
