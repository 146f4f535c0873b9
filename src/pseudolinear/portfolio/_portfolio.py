"""The fit of a portfolio: several learners on the same folds, and their combination."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pseudolinear._decision import Decision
from pseudolinear._journal import COMBINING, TRAINING
from pseudolinear.portfolio._blend import Blend, BlendProblem, BlendScorer
from pseudolinear.portfolio._combination import Entry, alone, combine_members
from pseudolinear.portfolio._common import Common, Fitted, decide
from pseudolinear.portfolio._floor import lift_to_floor
from pseudolinear.portfolio._member import Member
from pseudolinear.selection import Candidate
from pseudolinear.sweep import Bar, HopelessError, OutOfTimeError, SweepResult


def fit_portfolio(members: Sequence[Member], common: Common) -> Fitted:
    """Sweep every member on the same folds, combine them, and train what is used on all rows.

    Parameters
    ----------
    members : sequence of Member
        The learners, the cheapest first.
    common : Common
        Rows, splits, rule and time; the first member is always tried.

    Returns
    -------
    Fitted
        What predicts, what was seen, and what each member contributed.
    """
    entries, sweeps, table = _sweep_members(members, common)
    with common.journal.stage(COMBINING):
        choices = combine_members(common, entries)
        by_goal = [
            [*(c for found in sweeps for c in found.by_goal[i]), *choice.candidates]
            for i, choice in enumerate(choices)
        ]
        found = SweepResult(
            common.cutter.kind, common.goals, by_goal, common.rule, choices, sweeps[0].shares,
            blended=True,
        )  # fmt: skip
    return train_blends(members, common, found)._replace(table=_complete(table, found))


def train_blends(members: Sequence[Member], common: Common, found: SweepResult) -> Fitted:
    """Train the blends that a sweep has chosen on all rows."""
    problems = [candidate.problem for candidate in found.chosen.values()]
    blends = [problem for problem in problems if isinstance(problem, BlendProblem)]
    with common.journal.stage(TRAINING, len(members), open_ended=True):
        models = _train_shares(members, common, blends)
    used = sorted({i for i, _ in models})
    scorer = BlendScorer(tuple(m.learner for m in members), tuple(m.view for m in members))
    features = common.rows.fitted([members[i].view for i in used], common.all_rows)
    calibration = common.calibration(found)
    decision = Decision(found.kind, features, None, scorer, [], None, calibration, common.policy)
    kept = [
        Blend(p.shares, tuple(models[s.member, k] for s in p.shares), p.log_odds)
        for k, p in enumerate(blends)
    ]
    return lift_to_floor(common, Fitted(decide(found, decision, kept), found), common.all_rows)


def _train_shares(
    members: Sequence[Member], common: Common, blends: Sequence[BlendProblem]
) -> dict[tuple[int, int], Any]:
    """Train what members bring to blends on all rows; return it by member and blend."""
    models: dict[tuple[int, int], Any] = {}
    for i, member in enumerate(members):
        own = [(k, s.problem) for k, p in enumerate(blends) for s in p.shares if s.member == i]
        if own:
            trained = common.trainer(member).fit([p for _, p in own], common.all_rows)
            models.update({(i, k): model for (k, _), model in zip(own, trained, strict=True)})
            common.forget(member.view)
    return models


def _sweep_members(
    members: Sequence[Member], common: Common
) -> tuple[list[Entry], list[SweepResult], list[dict[str, Any]]]:
    """Sweep one member after the other while there is time."""
    entries: list[Entry] = []
    sweeps: list[SweepResult] = []
    table: list[dict[str, Any]] = []
    for i, member in enumerate(members):
        began = time.monotonic()
        row: dict[str, Any] = {"learner": member.name, "value": np.nan, "candidates": 0}
        table.append(row)
        try:
            found = common.sweep(
                member, keep_scores=True, essential=not entries, bar=_bar(common, sweeps)
            )
        except (OutOfTimeError, HopelessError) as reason:
            row |= {"seconds": time.monotonic() - began, "labels": 0, "note": str(reason)}
            continue
        finally:
            if all(member.view != later.view for later in members[i + 1 :]):
                common.forget(member.view)
        entries.append(Entry(i, member, found.chosen))
        sweeps.append(_without_scores(found, i, member.name))
        row |= {"value": found.value, "candidates": len(found)}
        row |= {"seconds": time.monotonic() - began, "labels": 0, "note": ""}
    _warn_of_time([row["learner"] for row in table if row["note"] == str(OutOfTimeError())])
    return entries, sweeps, table


def _bar(common: Common, sweeps: Sequence[SweepResult]) -> Bar | None:
    """Set what a further member has to reach by the best one so far."""
    best = max(sweeps, key=lambda found: found.value, default=None)
    return None if best is None else Bar.below(common.goals, best.choices)


def _warn_of_time(names: Sequence[str]) -> None:
    if names:
        warnings.warn(
            f"max_seconds left no time for {', '.join(names)}; allow more time, or choose a lower "
            "effort.",
            stacklevel=5,
        )


def _without_scores(found: SweepResult, number: int, name: str) -> SweepResult:
    """Drop the scores, which only the chosen candidates still need, and name the learner."""
    by_goal = [
        [replace(c, problem=alone(number, name, c), scores=None) for c in own]
        for own in found.by_goal
    ]
    return replace(found, by_goal=by_goal)


def _complete(table: list[dict[str, Any]], found: SweepResult) -> list[dict[str, Any]]:
    """Say for how many labels each member is used."""
    for number, row in enumerate(table):
        row["labels"] = sum(_uses(candidate, number) for candidate in found.chosen.values())
    return table


def _uses(candidate: Candidate, number: int) -> bool:
    problem = candidate.problem
    assert isinstance(problem, BlendProblem)
    return any(share.member == number for share in problem.shares)
