"""Selection: which candidates, cut where, make the classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.learners._base import Problem
from pseudolinear.measures._measure import Measure
from pseudolinear.thresholds._cut import combine
from pseudolinear.thresholds._labels import joint_cuts
from pseudolinear.thresholds._rounding import ROUNDING, first_best

RULES = ("f_max", "c_min", "joint", "shrunk", "both")
TRUST = 20.0  # positive rows at which a label weighs as much as all labels together


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

    @property
    def problem(self) -> Problem:
        """What was trained."""
        return Problem(self.label, self.costs, self.params)

    @property
    def kin(self) -> tuple[Any, ...]:
        """What this candidate shares with those of other labels: cost ratio and parameters."""
        share = round(self.costs[-1] / sum(self.costs), 9)
        return share, *sorted((name, repr(value)) for name, value in self.params.items())


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
    n_samples : int
        Number of rows.
    """

    labels: tuple[int | None, ...]
    measure: Measure
    prevalence: NDArray[np.float64]
    n_samples: int = 0

    @property
    def n_positive(self) -> float:
        """Number of positive rows, over all labels."""
        return float(np.sum(self.prevalence)) * self.n_samples

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


def select_all(
    groups: Sequence[Group], by_group: Sequence[Sequence[Candidate]], rule: str
) -> list[Choice]:
    """Choose for all groups together.

    Parameters
    ----------
    groups : sequence of Group
        One, or one per label.
    by_group : sequence of sequence of Candidate
        The candidates of each group.
    rule : {"f_max", "c_min", "joint", "shrunk", "both"}
        ``"f_max"``, ``"c_min"`` and ``"joint"`` choose group by group, see :func:`select`.
        ``"shrunk"`` lets rare labels lean on the others, see :func:`_lean_on_others`; ``"both"``
        serves the macro and the micro average together.

    Returns
    -------
    list of Choice
        One per group.
    """
    if rule == "shrunk" and len(groups) > 1:
        return _lean_on_others(groups, by_group)
    if rule == "both" and len(groups) > 1:
        return _serve_both(groups, by_group)
    pairs = zip(groups, by_group, strict=True)
    return [select(group, candidates, rule) for group, candidates in pairs]


def select(group: Group, candidates: Sequence[Candidate], rule: str) -> Choice:
    """Choose one candidate and threshold per label.

    Parameters
    ----------
    group : Group
        Labels and measure.
    candidates : sequence of Candidate
        Of these labels, at any levels.
    rule : str
        ``"c_min"``: within each level take the least cost at that level, and among the levels the
        largest value of all labels together (Algorithms 3 and 4). Costs of different levels are
        never compared: their scale changes with the level. ``"joint"``: within each level take
        the largest value of all labels together, whatever cost that means, and among the levels
        the largest. Any other rule: among all candidates of a label take the largest value of
        that label (Algorithm 2).

    Returns
    -------
    Choice
        Of equal values the one whose level is nearest to the value, where theory wants it.
    """
    if rule not in ("c_min", "joint"):
        return _largest_values(group, candidates)
    levels = sorted({candidate.level for candidate in candidates})
    own = [[c for c in candidates if c.level == level] for level in levels]
    choices = [least_costs(group, c, level) for c, level in zip(own, levels, strict=True)]
    if rule == "joint":
        choices = [_raise_level(group, c, o) for c, o in zip(own, choices, strict=True)]
    return _best(choices, levels)


def _raise_level(group: Group, candidates: Sequence[Candidate], choice: Choice) -> Choice:
    """Choose the candidates and cuts of largest value, by Dinkelbach's iteration."""
    while True:
        better = least_costs(group, candidates, choice.value)
        if better.value <= choice.value + ROUNDING:
            return choice
        choice = better


def recut(group: Group, choice: Choice, curves: Sequence[ErrorCurve], rule: str) -> Choice:
    """Choose the thresholds of the chosen candidates anew, on other curves of theirs."""
    pairs = zip(choice.candidates, curves, strict=True)
    candidates = [replace(candidate, curve=curve) for candidate, curve in pairs]
    if rule == "joint":
        return _joined(group, candidates, joint_cuts(curves, group.measure))
    cuts = [best_cut(group, candidate, candidate.curve, rule)[0] for candidate in candidates]
    return _joined(group, candidates, cuts)


def best_cut(group: Group, candidate: Candidate, curve: ErrorCurve, rule: str) -> tuple[int, float]:
    """Cut one curve of a candidate by the rule; return the cut and its value."""
    values = np.atleast_1d(group.label_measure.value(curve))
    if rule not in ("c_min", "joint"):
        cut = first_best(values)
    else:
        costs = group.label_costs(candidate.level)[group.labels.index(candidate.label)]
        cut = int(np.argmin(curve.total_cost(costs)))
    return cut, float(values[cut])


def lean(
    own: NDArray[np.float64], others: Any, n_positive: Any, trust: float
) -> NDArray[np.float64]:
    """Weigh the evidence of a label against that of all: n / (n + trust) to 1."""
    weight = n_positive / (n_positive + trust)
    return np.asarray(weight * own + (1.0 - weight) * others)


def _lean_on_others(
    groups: Sequence[Group], by_group: Sequence[Sequence[Candidate]]
) -> list[Choice]:
    """Choose for each label by its own evidence and that of the other labels.

    What counts is by how much a candidate is better than the mean of the label's, here and with
    the other labels; then the thresholds are adjusted, see :func:`even_out`.
    """
    values = [
        np.array([best_cut(group, c, c.curve, "f_max")[1] for c in candidates])
        for group, candidates in zip(groups, by_group, strict=True)
    ]
    gains = [value - value.mean() for value in values]
    kin: dict[tuple[Any, ...], list[float]] = {}
    for candidates, gain in zip(by_group, gains, strict=True):
        for candidate, g in zip(candidates, gain, strict=True):
            kin.setdefault(candidate.kin, []).append(g)
    mean = {key: float(np.mean(values)) for key, values in kin.items()}
    chosen = []
    for group, candidates, gain in zip(groups, by_group, gains, strict=True):
        others = np.array([mean[candidate.kin] for candidate in candidates])
        chosen.append(candidates[first_best(lean(gain, others, group.n_positive, TRUST))])
    return even_out(groups, chosen)


def even_out(groups: Sequence[Group], candidates: Sequence[Candidate]) -> list[Choice]:
    """Cut one candidate per label, rare labels not far from how the others are cut.

    What is evened out is the number of predicted positives for each true one, on a log scale:
    the best cut of a label with few positive rows is mostly chance.
    """
    pairs = list(zip(groups, candidates, strict=True))
    cuts = [best_cut(group, c, c.curve, "f_max")[0] for group, c in pairs]
    ratios = [_log_ratios(group, c.curve) for group, c in pairs]
    n_positive = np.array([group.n_positive for group in groups])
    best = np.array([ratio[cut] for ratio, cut in zip(ratios, cuts, strict=True)])
    wanted = lean(best, np.average(best, weights=n_positive), n_positive, TRUST)
    return [
        _joined(group, [candidate], [int(np.argmin(np.abs(ratio - want)))])
        for (group, candidate), ratio, want in zip(pairs, ratios, wanted, strict=True)
    ]


def _log_ratios(group: Group, curve: ErrorCurve) -> NDArray[np.float64]:
    """Return the log of predicted to true positives at every cut."""
    rate = curve.prevalence[0] - curve.fn[:, 0] + curve.fp[:, 0]
    return np.log((rate * group.n_samples + 0.5) / (group.n_positive + 0.5))


def _serve_both(groups: Sequence[Group], by_group: Sequence[Sequence[Candidate]]) -> list[Choice]:
    """Maximise the mean of the macro and the micro average.

    By (I2), raising label k's cost <a(t), e_k> lowers the micro average t by that over its
    denominator D; so at given t and D the labels fall apart, and (t, D) is iterated.
    """
    measure = replace(groups[0].measure, average="micro")
    prevalence = np.array([float(group.prevalence) for group in groups])
    choices = [select(g, own, "f_max") for g, own in zip(groups, by_group, strict=True)]
    best, best_value = choices, -np.inf
    c = measure.coefficients(prevalence)
    for _ in range(20):
        profile = combine([o.candidates[0].curve for o in choices], [o.cuts[0] for o in choices])
        micro = float(measure.value(profile))
        value = micro + float(np.mean([choice.value for choice in choices]))
        if value <= best_value + ROUNDING:
            return best
        best, best_value = choices, value
        denominator = float(c.alpha1 + (profile.errors * c.delta).sum())
        costs = measure.costs(micro, prevalence) / denominator
        choices = []
        for group, candidates, a in zip(groups, by_group, costs, strict=True):
            curves = [candidate.curve for candidate in candidates]
            goals = [group.measure.value(x) / len(groups) - x.total_cost(a) for x in curves]
            top = int(np.argmax([goal.max() for goal in goals]))
            choices.append(_joined(group, [candidates[top]], [first_best(goals[top])]))
    return best


def _largest_values(group: Group, candidates: Sequence[Candidate]) -> Choice:
    chosen = []
    for label in group.labels:
        own = [c for c in candidates if c.label == label]
        choices = [Choice([c], *_listed(best_cut(group, c, c.curve, "f_max"))) for c in own]
        chosen.append(_best(choices, [c.level for c in own]))
    if len(chosen) == 1:
        return chosen[0]
    return _joined(group, [c.candidates[0] for c in chosen], [c.cuts[0] for c in chosen])


def least_costs(group: Group, candidates: Sequence[Candidate], level: float) -> Choice:
    """Choose the cheapest candidate and cut of each label at a level."""
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
