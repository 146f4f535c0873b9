"""Training on new rows of what was chosen before: no sweep, and the last solutions as starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pseudolinear._decision import Decision
from pseudolinear._journal import COMBINING
from pseudolinear._problem import Problem
from pseudolinear.portfolio._blend import BlendProblem, BlendScorer
from pseudolinear.portfolio._combination import Entry, blend
from pseudolinear.portfolio._common import Common, Fitted
from pseudolinear.portfolio._member import Member
from pseudolinear.portfolio._metadata import Metadata
from pseudolinear.portfolio._portfolio import train_blends
from pseudolinear.portfolio._single import train_chosen
from pseudolinear.search import Grid
from pseudolinear.selection import Candidate
from pseudolinear.sweep import SweepResult, fold_shares, validate


def members_of(decision: Decision, old: SweepResult, metadata: Metadata) -> list[Member]:
    """Return the learners of a decision as members, of which nothing further is tried."""
    scorer: Any = decision.learner
    blended = isinstance(scorer, BlendScorer)
    names = _names(old) if blended else {}
    learners = scorer.learners if blended else (scorer,)
    views = scorer.views if blended else (decision.view,)
    return [
        Member(
            names.get(i, f"{learner.name}-{i}"), learner, [], Grid(1), view=view,
            metadata=metadata.of(learner),
        )
        for i, (learner, view) in enumerate(zip(learners, views, strict=True))
    ]  # fmt: skip


def check_same_labels(old: SweepResult, common: Common) -> None:
    """Refuse rows with classes or labels of which nothing was chosen."""
    kind, known = common.cutter.kind, old.kind.classes.tolist()
    given = kind.classes.tolist()
    if type(kind) is not type(old.kind) or given != known:
        some = sorted(map(repr, set(given) ^ set(known)))
        raise ValueError(
            f"retrain needs rows of the same classes or labels as fit, and {some[0]} is only in "
            "one of both; fit again."
            if some
            else f"retrain needs a {old.kind.name} y as fit had, got a {kind.name} one; fit again."
        )
    new = [label for goal in common.goals for label in goal.labels if label not in old.chosen]
    if new:
        raise ValueError(
            f"The label {known[new[0]]!r} had one value in all rows of fit, so nothing was chosen "
            "for it; fit again."
        )


def retrain_single(
    member: Member, common: Common, decision: Decision, old: SweepResult, *, refit: bool
) -> Fitted:
    """Train the problems that a sweep has chosen on new rows, and cut their scores there.

    Parameters
    ----------
    member : Member
        The learner.
    common : Common
        The new rows, with features that are kept.
    decision : Decision
        What predicts so far.
    old : SweepResult
        What was chosen.
    refit : bool
        As for :func:`fit_single`.

    Returns
    -------
    Fitted
        What predicts, and what was seen of it on the new rows.
    """
    chosen = {label: old.chosen[label] for goal in common.goals for label in goal.labels}
    models = [decision.models[label] for label in chosen]
    warm = _warmed(member, [candidate.problem for candidate in chosen.values()], models)
    seen = _validated(warm, common, chosen, keep_scores=common.keeps_scores)
    found = _choose(common, seen)
    again = train_chosen(warm, common, found, refit=refit)
    cold = replace(again.decision, learner=member.learner)
    without = [[replace(c, scores=None) for c in own] for own in again.sweep.by_goal]
    return Fitted(cold, replace(again.sweep, by_goal=without))


def retrain_blends(
    members: Sequence[Member], common: Common, decision: Decision, old: SweepResult
) -> Fitted:
    """Train the members of blends on new rows, and mix their scores there by the same weights."""
    labels = [label for goal in common.goals for label in goal.labels]
    shares = {label: _problem(old.chosen[label]).shares for label in labels}
    entries: dict[int, Entry] = {}
    warm = list(members)
    for i, member in enumerate(members):
        own = {k: s.problem for k, all_ in shares.items() for s in all_ if s.member == i}
        if own:
            warm[i] = _warmed(member, list(own.values()), _models(decision, own, i))
            chosen = {k: replace(old.chosen[k], problem=problem) for k, problem in own.items()}
            found = _validated(warm[i], common, chosen, keep_scores=True)
            entries[i] = Entry(i, member, found)
            common.forget(member.view)
    with common.journal.stage(COMBINING):
        blends = {
            label: blend(common, [entries[s.member] for s in own], label, [s.weight for s in own])
            for label, own in shares.items()
        }
        mixed = replace(_choose(common, blends), blended=True)
    again = train_blends(warm, common, mixed)
    scorer = BlendScorer(tuple(m.learner for m in members), tuple(m.view for m in members))
    return Fitted(replace(again.decision, learner=scorer), again.sweep)


def _warmed(member: Member, problems: Sequence[Problem], models: Sequence[Any]) -> Member:
    """Return a member that starts from the models of its problems."""
    return replace(member, learner=member.learner.started(problems, models))


def _models(decision: Decision, labels: Mapping[int, Any], member: int) -> list[Any]:
    """Return what a member has brought to the blends of labels."""
    blends = [decision.models[label] for label in labels]
    return [
        model
        for one in blends
        for share, model in zip(one.shares, one.models, strict=True)
        if share.member == member
    ]


def _validated(
    member: Member, common: Common, chosen: Mapping[int, Candidate], *, keep_scores: bool
) -> dict[int, Candidate]:
    """Return candidates with what their problems can do on the folds of the new rows."""
    problems = [candidate.problem for candidate in chosen.values()]
    with common.journal.stage(member.name, len(common.splits)):
        results = validate(
            common.trainer(member),
            common.cutter,
            problems,
            common.splits,
            keep_scores=keep_scores,
        )
    found = {}
    for (label, candidate), result in zip(chosen.items(), results, strict=True):
        assert result is not None  # there is no limit of time
        found[label] = Candidate(candidate.problem, candidate.level, *result)
    return found


def _choose(common: Common, candidates: Mapping[int, Candidate]) -> SweepResult:
    """Cut the only candidate of every label by the rule of the fit."""
    by_goal = [[candidates[label] for label in goal.labels] for goal in common.goals]
    choices = common.rule.recut(common.goals, by_goal)
    shares = fold_shares(common.splits, common.cutter.error_weight)
    return SweepResult(common.cutter.kind, common.goals, by_goal, common.rule, choices, shares)


def _names(old: SweepResult) -> dict[int, str]:
    """Return the names of the members that take part in blends, as their parameters have them."""
    problems = [_problem(candidate) for candidate in old.chosen.values()]
    return {
        share.member: name if len(problem.shares) > 1 else problem.params.get("learner", name)
        for problem in problems
        for name, share in zip(problem.params, problem.shares, strict=False)
    }


def _problem(candidate: Candidate) -> BlendProblem:
    assert isinstance(candidate.problem, BlendProblem)
    return candidate.problem
