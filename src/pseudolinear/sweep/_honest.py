"""The honest value: what a choice is worth beyond the rows that made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from pseudolinear.errors import ErrorProfile
from pseudolinear.kinds import Goal
from pseudolinear.selection import Candidate, Choice, Constrained, Rule

RATE = 2 / 3  # what choosing a cut gains falls with this power of the rows (Kim and Pollard 1990)
LARGEST_SHARE = 0.7  # two folds have 0.5; folds that overlap more have too little to tell


def honest_value(value: float, own_value: float, shares: Sequence[float]) -> float:
    r"""Correct a value for the choice having been made on the rows that it is measured on.

    What is chosen on n rows seems better there than the best choice is, by :math:`g n^{-r}`, and
    is worse than it elsewhere, by :math:`(2r - 1) g n^{-r}`, with r = 2/3 for a cut of a score. A
    fold that decides for itself has n / K rows, so it gains :math:`K^r` times as much, and the
    difference between both tells g.

    Parameters
    ----------
    value : float
        On all validation rows, of what was chosen on them.
    own_value : float
        On the same rows, if every fold decides for itself.
    shares : sequence of float
        Weight of each fold, relative to that of all validation rows.

    Returns
    -------
    float
        What to expect on other rows.

    Examples
    --------
    >>> honest_value(0.70, 0.72, shares=[1 / 3, 1 / 3, 1 / 3])
    0.675
    """
    n_folds = 1.0 / float(np.mean(shares))
    gain = max(own_value - value, 0.0)  # rules that look beyond the value can lose by choosing
    return value - 2 * RATE / (n_folds**RATE - 1) * gain


def are_parts(shares: Sequence[float]) -> bool:
    """Return whether folds are so much smaller than all validation rows that they can be compared.

    Examples
    --------
    >>> are_parts([0.5, 0.5]), are_parts([1.0]), are_parts([1.0, 1.0])
    (True, False, False)
    """
    return bool(shares) and sum(shares) / len(shares) < LARGEST_SHARE


def choose_by_fold(
    goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]], rule: Rule, n_folds: int
) -> list[list[Choice]]:
    """Let every fold choose for itself, among the same candidates; return its choices."""
    given = all(len(own) == len(g.labels) for g, own in zip(goals, by_goal, strict=True))
    choose = rule.recut if given else rule.choose  # of given candidates the cuts are all there is
    if isinstance(rule, Constrained):  # which a fold alone need not be able to keep
        choose = partial(_choose_each, rule)
    return [
        choose(goals, [[replace(c, curve=c.fold_curves[k]) for c in own] for own in by_goal])
        for k in range(n_folds)
    ]


def _choose_each(
    rule: Rule, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]
) -> list[Choice]:
    return [rule.choose_one(goal, own) for goal, own in zip(goals, by_goal, strict=True)]


def pool(goal: Goal, choices: Sequence[Choice], shares: Sequence[float]) -> Choice:
    """Evaluate what the folds have chosen for a goal on the rows of all of them together."""
    profiles = [choice.profile for choice in choices]
    weight = np.divide(shares, sum(shares))
    fn, fp, prevalence = (
        weight @ np.array([getattr(profile, name) for profile in profiles])
        for name in ("fn", "fp", "prevalence")
    )
    return replace(choices[0], value=float(goal.measure.value(ErrorProfile(fn, fp, prevalence))))


def spoil(goal: Goal, choice: Choice) -> Choice:
    """Give a choice the value of being wrong on every row, below which nothing can be."""
    share = choice.profile.prevalence
    return replace(choice, value=float(goal.measure.value(ErrorProfile(share, 1.0 - share, share))))
