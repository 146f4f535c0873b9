"""Shrunk: what rare labels choose is shrunk towards what all labels choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.kinds import Goal
from pseudolinear.loops._label_curves import first_in_parts
from pseudolinear.measures import label_mean
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice
from pseudolinear.selection._label_table import LabelTable
from pseudolinear.selection._largest_value import LargestValue
from pseudolinear.selection._rule import Rule
from pseudolinear.thresholds import first_best

TRUST = 20.0  # positive rows at which a label's own evidence weighs as much as that of all labels


class Shrunk(LargestValue):
    """Take each label's largest value, shrunk towards what is good for all labels.

    What counts is by how much a candidate is better than the mean of its label's, here and with
    the same cost ratio and hyper-parameters at the other labels. The best cut of a label with few
    positive rows is mostly chance, so the cuts are shrunk as well: the number of predicted
    positives for each true one, on a log scale, towards its mean over the labels.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(300, random_state=0)
    >>> MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y).sweep_.rule.name
    'shrunk'
    """

    name: ClassVar[str] = "shrunk"
    chooses: ClassVar[str] = "each label's largest value, shrunk towards the mean of all labels"
    assumes: ClassVar[str] = "what suits most labels suits a rare one, until its own rows tell"

    def choose(self, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> list[Choice]:
        """Choose for each label by its own evidence and that of the other labels."""
        if len(goals) == 1:
            return super().choose(goals, by_goal)
        table = LabelTable.of(goals, by_goal)
        values = np.split(table.best_values, table.first[1:-1])
        gains = [value - value.mean() for value in values]
        settings = _settings(by_goal)
        mean = _mean_by_setting(goals, settings, gains)
        chosen = []
        for goal, candidates, own, gain in zip(goals, by_goal, settings, gains, strict=True):
            others = np.array([mean[setting] for setting in own])
            evidence = shrink(gain, others, goal.n_positive, TRUST)
            chosen.append([candidates[first_best(evidence)]])
        return self.recut(goals, chosen)

    def recut(self, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> list[Choice]:
        """Cut one candidate per label, rare labels not far from how the others are cut."""
        if len(goals) == 1:
            return super().recut(goals, by_goal)
        table = LabelTable.of(goals, [own[:1] for own in by_goal])
        ratios = _log_ratios(table)
        n_positive = np.array([goal.n_positive for goal in goals])
        best = ratios[self._best_cuts(table)]
        wanted = shrink(best, np.average(best, weights=n_positive), n_positive, TRUST)
        return table.choices(
            first_in_parts(-np.abs(ratios - table.spread(wanted)), table.starts, 0.0)
        )

    def _best_cuts(self, table: LabelTable) -> NDArray[np.int64]:
        """Cut every label on its own; a child that cuts otherwise is asked for each."""
        if type(self).cut is Rule.cut:
            return table.best_cuts
        pairs = zip(table.goals, table.candidates, strict=True)
        return table.starts[:-1] + np.array([self.cut(*pair) for pair in pairs])


def shrink(
    own: NDArray[np.float64], others: Any, n_positive: Any, trust: float
) -> NDArray[np.float64]:
    """Weigh the evidence of a label against that of all labels.

    Parameters
    ----------
    own, others : ndarray
        Evidence of the label itself, and the mean over labels.
    n_positive : float or ndarray
        Positive rows of the label.
    trust : float
        Positive rows at which both weigh the same.

    Returns
    -------
    ndarray
        The weighted mean.

    Examples
    --------
    >>> shrink(np.array([1.0]), 0.0, n_positive=60, trust=20)
    array([0.75])
    """
    weight = n_positive / (n_positive + trust)
    return np.asarray(weight * own + (1.0 - weight) * others)


def _settings(by_goal: Sequence[Sequence[Candidate]]) -> list[list[tuple[Any, ...]]]:
    """Return the setting of every candidate; those of many labels have the same few."""
    known: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    found = []
    for candidates in by_goal:
        keys = [(candidate.costs, id(candidate.params)) for candidate in candidates]
        new = {k: c for k, c in zip(keys, candidates, strict=True) if k not in known}
        known |= {key: candidate.setting for key, candidate in new.items()}
        found.append([known[key] for key in keys])
    return found


def _mean_by_setting(
    goals: Sequence[Goal],
    settings: Sequence[Sequence[tuple[Any, ...]]],
    gains: Sequence[NDArray[np.float64]],
) -> dict[tuple[Any, ...], float]:
    """Return the mean gain of each setting over the labels, as the measure weighs them."""
    number: dict[tuple[Any, ...], int] = {}
    numbers = [number.setdefault(s, len(number)) for own in settings for s in own]
    weights = np.repeat([goal.weight for goal in goals], [len(own) for own in settings])
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers))[:-1]
    own_gains = np.split(np.concatenate(gains)[order], ends)
    means = map(label_mean, own_gains, np.split(weights[order], ends))
    return dict(zip(number, map(float, means), strict=True))


def _log_ratios(table: LabelTable) -> NDArray[np.float64]:
    """Return the log of predicted to true positives at every cut."""
    n = table.spread(np.array([goal.n_samples for goal in table.goals], dtype=np.float64))
    p = table.spread(np.array([float(goal.prevalence) for goal in table.goals]))
    rate = table.spread(table.prevalence) - table.curves.fn + table.curves.fp
    return np.log((rate * n + 0.5) / (p * n + 0.5))
