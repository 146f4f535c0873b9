"""The sweep: train every problem on every fold, and keep what each can do."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from pseudolinear._problem import Problem
from pseudolinear.kinds import Goal, Kind
from pseudolinear.search import Reached
from pseudolinear.selection import Candidate, Choice
from pseudolinear.sweep._cutter import Cutter
from pseudolinear.sweep._limits import NO_LIMITS, Limits, OutOfTimeError
from pseudolinear.sweep._plan import Key, Plan
from pseudolinear.sweep._result import SweepResult
from pseudolinear.sweep._splits import fold_shares
from pseudolinear.sweep._trainer import Trainer
from pseudolinear.sweep._validated import Validated, validate

Validate = Callable[..., list[Validated | None]]


def sweep(
    trainer: Trainer,
    cutter: Cutter,
    goals: Sequence[Goal],
    plan: Plan,
    *,
    keep_scores: bool = False,
    limits: Limits = NO_LIMITS,
) -> SweepResult:
    """Train the learner for every level, label and setting on every fold, and choose.

    Parameters
    ----------
    trainer : Trainer
        The learner and its rows.
    cutter : Cutter
        What cuts the scores.
    goals : sequence of Goal
        Labels that share a level, with their measure.
    plan : Plan
        Search, hyper-parameters, folds and rule.
    keep_scores : bool, default=False
        Whether candidates keep their scores, to be combined with those of other learners.
    limits : Limits, default=NO_LIMITS
        When to give up.

    Returns
    -------
    SweepResult
        Every candidate, and what was chosen.
    """
    if limits.late() and not limits.essential:
        raise OutOfTimeError
    validated = partial(
        validate, trainer, cutter, splits=plan.splits, keep_scores=keep_scores, limits=limits
    )
    shares = fold_shares(plan.splits, cutter.error_weight)
    name = trainer.learner.name
    return search_levels(validated, cutter.kind, goals, plan, shares, name, limits=limits)


def search_levels(
    validated: Validate,
    kind: Kind,
    goals: Sequence[Goal],
    plan: Plan,
    shares: tuple[float, ...],
    name: str,
    *,
    limits: Limits = NO_LIMITS,
) -> SweepResult:
    """Let the searches ask for levels, whoever trains and validates them, and choose.

    Parameters
    ----------
    validated : callable
        Trains and validates ``problems=``; `limits` may be given anew.
    kind : Kind
        The kind of problem.
    goals : sequence of Goal
        Labels that share a level, with their measure.
    plan : Plan
        Search, hyper-parameters and rule.
    shares : tuple of float
        Weight of each fold, relative to that of all validation rows.
    name : str
        How a warning calls the learner.
    limits : Limits, default=NO_LIMITS
        When to give up.

    Returns
    -------
    SweepResult
        Every candidate, and what was chosen.
    """
    searches = [plan.search.search(goal.measure, goal.prevalence) for goal in goals]
    proposed = {i: next(search) for i, search in enumerate(searches)}
    found: list[list[Candidate]] = [[] for _ in goals]
    known: dict[Key, Validated | None] = {}
    stopped = False
    while proposed:  # one round: all levels that the searches want next are trained together
        wanted = {
            (i, level): plan.problems(kind, goals[i], level)
            for i, levels in proposed.items()
            for level in np.asarray(levels, dtype=np.float64).tolist()
        }
        new = _new_problems(list(wanted.values()), known)
        results = dict(zip(new, validated(problems=list(new.values())), strict=True))
        if any(result is None for result in results.values()):
            results |= _essential(new, results, validated, limits)
        known.update(results)
        answers: dict[int, list[Choice]] = {i: [] for i in proposed}
        for (i, level), problems in wanted.items():
            done = [(p, result) for key, p in problems.items() if (result := known[key])]
            candidates = [Candidate(p, level, *result) for p, result in done]
            if {c.label for c in candidates} == set(goals[i].labels):
                found[i].extend(candidates)
                if plan.search.looks:
                    answers[i].append(plan.rule.choose_one(goals[i], candidates))
        proposed = {}
        for i, choices in answers.items() if plan.search.looks else ():
            with contextlib.suppress(StopIteration):
                proposed[i] = searches[i].send(_reached(goals[i], choices))
        if limits.late():
            stopped, proposed = bool(proposed), {}
    _warn_of_time(name, list(known.values()), stopped)
    _warn_of_convergence([result for result in known.values() if result])
    choices = plan.rule.choose(goals, found)
    return SweepResult(kind, list(goals), found, plan.rule, choices, shares)


def _new_problems(
    wanted: Sequence[dict[Key, Problem]], known: dict[Key, Validated | None]
) -> dict[Key, Problem]:
    """Return what has to be trained, by label, so that the problems of a label share a batch.

    Problems of equal costs have one key, so nothing is trained twice.
    """
    every = sorted(
        (item for problems in wanted for item in problems.items() if item[0] not in known),
        key=lambda item: item[0][0],
    )
    return dict(every)


def _essential(
    new: dict[Key, Problem],
    results: dict[Key, Validated | None],
    validated: Validate,
    limits: Limits,
) -> dict[Key, Validated | None]:
    """Train the first problem of every label that the time left without any, or give up."""
    done = {key[0] for key, result in results.items() if result}
    first: dict[int, Key] = {}
    for key in new:
        if key[0] not in done:
            first.setdefault(key[0], key)
    if first and not limits.essential:
        raise OutOfTimeError
    problems = [new[key] for key in first.values()]
    return dict(zip(first.values(), validated(problems=problems, limits=NO_LIMITS), strict=True))


def _reached(goal: Goal, choices: Sequence[Choice]) -> Reached:
    """Tell a search what its levels have reached."""
    errors = np.stack([choice.profile.errors for choice in choices])
    to_pair = goal.measure.pair_map(errors.shape[1])
    pairs = (errors[:, None] * to_pair).sum(axis=(-2, -1))
    return Reached(np.array([choice.value for choice in choices]), pairs)


def _warn_of_time(name: str, validated: Sequence[Validated | None], stopped: bool) -> None:
    skipped = sum(result is None for result in validated)
    if skipped or stopped:
        left_out = f"{skipped} of {len(validated)} problems" if skipped else "further levels"
        warnings.warn(
            f"max_seconds left no time for {left_out} of "
            f"{name}; allow more time, or try fewer settings.",
            stacklevel=7,
        )


def _warn_of_convergence(validated: Sequence[Validated]) -> None:
    failed = [v.optimality for v in validated if not v.converged]
    if failed:
        worst = max(failed)
        warnings.warn(
            f"{len(failed)} of {len(validated)} problems stopped before the learner's tolerance "
            "was reached"
            + ("" if np.isnan(worst) else f" (worst relative gap {worst:.1e})")
            + "; scale the features or raise max_iter.",
            ConvergenceWarning,
            stacklevel=7,
        )
