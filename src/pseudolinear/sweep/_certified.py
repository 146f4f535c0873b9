"""What is possible on the validation rows, from all that a sweep has tried."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pseudolinear.bounds import (
    Certificate,
    LabelBounds,
    certify,
    certify_labels,
    mean_certificate,
)
from pseudolinear.errors import ErrorProfile
from pseudolinear.kinds import Goal
from pseudolinear.loops._label_curves import first_in_parts
from pseudolinear.selection import Candidate, Choice, LabelTable, cheapest, goal_weights
from pseudolinear.thresholds import combine, joint_cuts


def certify_choices(
    goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]], choices: Sequence[Choice]
) -> Certificate:
    """Bound what is possible; the bounds of several goals are averaged, as their values are.

    Parameters
    ----------
    goals : sequence of Goal
        Labels that share a level, with their measure.
    by_goal : sequence of sequence of Candidate
        What was tried for each goal.
    choices : sequence of Choice
        What was chosen for each goal.

    Returns
    -------
    Certificate
        On the validation rows.
    """
    if len(goals) > 1 and (table := LabelTable.of(goals, by_goal)).alike:
        return _certify_labels(table, choices)
    return mean_certificate(
        [_certify(*one) for one in zip(goals, by_goal, choices, strict=True)],
        goal_weights(goals, choices),
    )


def _certify(goal: Goal, candidates: Sequence[Candidate], choice: Choice) -> Certificate:
    """Bound what is possible for one goal on its validation rows."""
    if not goal.measure.collapses:
        return Certificate(choice.value, ())
    held_out = goal.on(choice.profile.prevalence)  # whose prevalence the values are of
    levels = sorted({candidate.level for candidate in candidates})
    profiles = [cheapest(held_out, candidates, level).profile for level in levels]
    return certify(
        goal.measure,
        levels,
        ErrorProfile.stack(profiles),
        value=choice.value,
        by_threshold=max(_best_by_threshold(goal, choice), choice.value),
    )


def _certify_labels(table: LabelTable, choices: Sequence[Choice]) -> Certificate:
    """Bound what is possible for labels of one measure, each on its validation rows."""
    chosen = LabelTable.of(table.goals, [choice.candidates for choice in choices])
    levels, p = _levels(table), chosen.prevalence
    curves, measure = table.curves, table.goals[0].measure
    _, gamma, _, delta = measure.of_pair(p, 1.0 - p)
    cuts = np.empty(levels.shape, dtype=np.intp)
    for k, level in enumerate(levels.T):
        price_fn, price_fp = map(table.spread, (level[:, None] * delta - gamma).T)
        costs = curves.fn * price_fn + curves.fp * price_fp
        cuts[:, k] = first_in_parts(-costs, table.starts, 0.0)
    value = np.array([choice.value for choice in choices])
    bounds = LabelBounds(measure, p, levels, curves.fn[cuts], curves.fp[cuts], value)
    by_threshold = np.maximum(chosen.best_values, value)
    return certify_labels(bounds, by_threshold, goal_weights(table.goals, choices))


def _levels(table: LabelTable) -> NDArray[np.float64]:
    """Return the levels that were tried for each goal; where there are fewer, the last again."""
    by_candidate = np.array([candidate.level for candidate in table.candidates])
    goal = np.repeat(np.arange(len(table.goals)), np.diff(table.first))
    order = np.lexsort((by_candidate, goal))
    level, goal = by_candidate[order], goal[order]
    new = np.append(True, (np.diff(level) != 0.0) | (np.diff(goal) != 0))
    counts = np.bincount(goal[new])
    place = np.minimum(np.arange(counts.max()), counts[:, None] - 1)
    return level[new][(np.cumsum(counts) - counts)[:, None] + place]


def _best_by_threshold(goal: Goal, choice: Choice) -> float:
    """Return the best value that any thresholds of the chosen scores give."""
    curves = [candidate.curve for candidate in choice.candidates]
    if len(curves) == 1:
        return float(np.max(goal.measure.value(curves[0])))
    return float(goal.measure.value(combine(curves, joint_cuts(curves, goal.measure))))
