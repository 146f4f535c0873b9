"""The fit of a portfolio: several learners on the same folds, and their combination."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pseudolinear.portfolio._blend import Blend, BlendScorer, Part
from pseudolinear.portfolio._combination import Entry, Shares, combine_members
from pseudolinear.portfolio._common import Common, Fitted, decide
from pseudolinear.portfolio._member import Member
from pseudolinear.selection import Candidate, Choice
from pseudolinear.sweep import OutOfTimeError, SweepResult


def fit_portfolio(members: Sequence[Member], common: Common, max_seconds: float | None) -> Fitted:
    """Sweep every member on the same folds, combine them, and train what is used on all rows.

    Parameters
    ----------
    members : sequence of Member
        The learners, the cheapest first.
    common : Common
        Rows, splits and rule.
    max_seconds : float or None
        Once so much of it is spent that training the chosen ones on all rows would not fit in,
        no further member is tried; the first one always is.

    Returns
    -------
    Fitted
        What predicts, what was seen, and what each member contributed.
    """
    entries, sweeps, table = _sweep_members(members, common, max_seconds)
    choices, shares = combine_members(common, entries)
    models = _train(common, entries, shares)
    for number, entry in enumerate(entries):
        row = next(row for row in table if row["learner"] == entry.member.name)
        row |= {"labels": sum(own[number] > 0 for own in shares.values()), "note": ""}
    found = _together(common, sweeps, choices)
    scorer = BlendScorer(tuple(entry.member.learner for entry in entries))
    return Fitted(decide(found, scorer, models), found, table)


def _sweep_members(
    members: Sequence[Member], common: Common, max_seconds: float | None
) -> tuple[list[Entry], list[SweepResult], list[dict[str, Any]]]:
    """Sweep one member after the other while there is time."""
    start, n_folds = time.monotonic(), len(common.splits)
    entries, sweeps, table = [], [], []
    for i, member in enumerate(members):
        deadline = None
        if max_seconds is not None and i > 0:
            deadline = start + max_seconds * n_folds / (n_folds + 1)
        trainer, began = common.trainer(member, deadline), time.monotonic()
        row: dict[str, Any] = {"learner": member.name, "value": np.nan, "candidates": 0}
        table.append(row)
        try:
            found = common.sweep(member, trainer, keep_scores=True)
        except OutOfTimeError:
            row |= {"seconds": time.monotonic() - began, "labels": 0, "note": "out of time"}
            continue
        entries.append(Entry(member, trainer, found.chosen))
        sweeps.append(_without_scores(found, member.name))
        row |= {"value": found.value, "candidates": len(found)}
        row |= {"seconds": time.monotonic() - began}
    return entries, sweeps, table


def _without_scores(found: SweepResult, name: str) -> SweepResult:
    """Drop the scores, which only the chosen candidates still need, and name the learner."""
    return replace(found, by_goal=[[_named(c, name) for c in own] for own in found.by_goal])


def _named(candidate: Candidate, name: str) -> Candidate:
    params = {"learner": name, **candidate.params}
    return replace(candidate, problem=replace(candidate.problem, params=params), scores=None)


def _together(common: Common, sweeps: Sequence[SweepResult], choices: list[Choice]) -> SweepResult:
    """Join the chosen combinations and the candidates of all members."""
    by_goal = [
        [*choice.candidates, *(c for found in sweeps for c in found.by_goal[i])]
        for i, choice in enumerate(choices)
    ]
    return SweepResult(common.cutter.kind, common.goals, by_goal, common.rule, choices)


def _train(common: Common, entries: Sequence[Entry], shares: Shares) -> list[Blend]:
    """Train on all rows what the combinations use."""
    parts: dict[int, list[Part]] = {label: [] for label in shares}
    for i, entry in enumerate(entries):
        labels = [label for label in parts if shares[label][i] > 0]
        if not labels:
            continue
        own = [entry.candidates[label] for label in labels]
        models = entry.trainer.fit([candidate.problem for candidate in own], common.all_rows)
        for candidate, model in zip(own, models, strict=True):
            assert candidate.scores is not None
            scale = common.scale(candidate.scores)
            parts[candidate.label].append(Part(i, model, scale, shares[candidate.label][i]))
    return [Blend(tuple(own)) for own in parts.values()]
