"""A sweep for another measure, constraint or population: other choices of the same candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pseudolinear.kinds import Goal
from pseudolinear.measures import Measure
from pseudolinear.search import level_at, share_of
from pseudolinear.selection import Candidate, get_rule
from pseudolinear.sweep._population import move_candidate
from pseudolinear.thresholds import Objective

if TYPE_CHECKING:
    from pseudolinear.sweep._result import SweepResult


def keep_by_fold(sweep: SweepResult) -> SweepResult:
    """Remember which models each fold would keep, so that choosing them is not forgotten."""
    if sweep.kept_by_fold or not sweep.has_folds:
        return sweep
    kept = [[choice.candidates for choice in own] for own in sweep.choose_by_fold()]
    return replace(sweep, kept_by_fold=kept)


def move_sweep(sweep: SweepResult, prevalence: Mapping[int, float]) -> SweepResult:
    """Return all candidates, also the chosen ones, in another population; nothing is chosen."""
    goals = [goal.at_prevalence(prevalence) for goal in sweep.goals]

    def move(candidates: Sequence[Candidate], i: int) -> list[Candidate]:
        old, new = sweep.goals[i], goals[i]
        return [move_candidate(candidate, prevalence, old, new) for candidate in candidates]

    by_goal = [move(own, i) for i, own in enumerate(sweep.by_goal)]
    choices = [
        replace(choice, candidates=move(choice.candidates, i))
        for i, choice in enumerate(sweep.choices)
    ]
    kept = [[move(of_goal, i) for i, of_goal in enumerate(own)] for own in sweep.kept_by_fold]
    return replace(sweep, goals=goals, by_goal=by_goal, choices=choices, kept_by_fold=kept)


def choose_for(
    sweep: SweepResult, objective: Measure | Objective, selection: Any, *, keep_models: bool
) -> SweepResult:
    """Choose in the population at hand."""
    goals = sweep.goals
    if isinstance(objective, Measure):
        goals = sweep.kind.regroup(goals, objective)
    elif not sweep.kind.separable:
        raise ValueError(f"{objective!r} is for labels; this sweep has several classes.")
    rule = get_rule(selection if isinstance(objective, Measure) else "auto", goals, objective)
    old = [choice.candidates for choice in sweep.choices] if keep_models else sweep.by_goal
    by_goal = _at_other_levels(sweep.goals, old, goals)
    choices = (rule.recut if keep_models else rule.choose)(goals, by_goal)
    return replace(
        sweep,
        goals=goals,
        by_goal=by_goal,
        rule=rule,
        choices=choices,
        blended=sweep.blended and keep_models,
        promised=False,
        models_kept=keep_models,
        kept_by_fold=[_at_other_levels(sweep.goals, own, goals) for own in sweep.kept_by_fold],
    )


def _at_other_levels(
    old: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]], goals: Sequence[Goal]
) -> list[list[Candidate]]:
    """Share candidates among other goals, at the levels where these have the same cost ratio."""
    if goals is old:
        return [list(candidates) for candidates in by_goal]
    pairs = [
        (candidate, share_of(goal.measure, goal.prevalence, candidate.level))
        for goal, candidates in zip(old, by_goal, strict=True)
        for candidate in candidates
    ]
    return [
        [
            replace(c, level=float(level_at(goal.measure, goal.prevalence, np.array([share]))[0]))
            for c, share in pairs
            if c.label in goal.labels
        ]
        for goal in goals
    ]
