"""Combinations: how much each member counts for each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pseudolinear.kinds import standard_error
from pseudolinear.measures import label_mean
from pseudolinear.portfolio._blend import BlendProblem, Share
from pseudolinear.portfolio._common import Common
from pseudolinear.portfolio._member import Member
from pseudolinear.portfolio._scale import Scale
from pseudolinear.selection import Candidate, Choice, shrink

BLEND_TRUST = 500.0  # positive rows at which a label's evidence weighs as much as that of all
LEAST = 0.05  # weight below which a member is not worth its time and size


@dataclass(frozen=True, eq=False)
class Entry:
    """What a member brings to the combination.

    Attributes
    ----------
    number : int
        Its place among the members.
    member : Member
        Who brings it.
    candidates : dict
        Its chosen candidate with its scores on the validation rows, by label.
    """

    number: int
    member: Member
    candidates: Mapping[int, Candidate]


def combine_members(common: Common, entries: Sequence[Entry]) -> list[Choice]:
    """Mix the scores of the members and cut the mixture by the rule of the fit.

    Parameters
    ----------
    common : Common
        Goals, rule and cutter.
    entries : sequence of Entry
        What the members bring.

    Returns
    -------
    list of Choice
        One per goal, of candidates whose problems are blends.
    """
    weights = _weights(common, entries)
    blends = [
        [blend(common, entries, label, own.tolist()) for label in goal.labels]
        for goal, own in zip(common.goals, weights.T, strict=True)
    ]
    return common.rule.recut(common.goals, blends)


def _weights(common: Common, entries: Sequence[Entry]) -> NDArray[np.float64]:
    """Return the weight of every member in every goal.

    A member's weight falls by a factor e with every standard error that its value is below the
    best one, so equals share and the hopeless are left out. The values of goals with few positive
    rows are shrunk towards what all goals say.

    Returns
    -------
    ndarray of shape (n_entries, n_goals)
        Columns sum to 1.
    """
    rule, goals = common.rule, common.goals
    values = np.array(
        [
            [
                rule.value([g], [rule.recut_one(g, [e.candidates[k] for k in g.labels])])
                for g in goals
            ]
            for e in entries
        ]
    )
    n_positive = np.array([max(goal.n_positive, 1.0) for goal in goals])
    tops = zip(values.max(axis=0).tolist(), goals, strict=True)
    errors = [standard_error(top, goal.value_range, goal.n_positive) for top, goal in tops]
    variance = np.array(errors) ** 2
    gains = values - values.mean(axis=0)
    mean = label_mean(gains, [goal.weight for goal in goals])
    evidence = shrink(gains, mean[:, None], n_positive, BLEND_TRUST)
    own = n_positive / (n_positive + BLEND_TRUST) if len(goals) > 1 else np.ones(1)
    error = np.sqrt(own**2 * variance + (1.0 - own) ** 2 * variance.mean() / len(goals))
    weights = np.exp((evidence - evidence.max(axis=0)) / error)
    weights /= weights.sum(axis=0)
    weights[weights < LEAST] = 0.0
    return np.asarray(weights / weights.sum(axis=0))


def blend(
    common: Common, entries: Sequence[Entry], label: int, weights: Sequence[float]
) -> Candidate:
    """Mix the candidates of a label; level and costs are those of the one that counts most."""
    used = [
        (entry.number, entry.candidates[label], float(weight))
        for entry, weight in zip(entries, weights, strict=True)
        if weight > 0
    ]
    shares = tuple(Share(number, c.problem, common.scale(_scores(c)), w) for number, c, w in used)
    pairs = zip(shares, used, strict=True)
    mixed = np.sum([s.weight * s.scale(_scores(c)) for s, (_, c, _) in pairs], axis=0)
    log_odds = common.log_odds(label, mixed)
    curve, folds = common.curves(label, log_odds(mixed))
    main = max(used, key=lambda one: one[2])[1]
    names = {entry.number: entry.member.name for entry in entries}
    params = {names[share.member]: dict(share.problem.params) for share in shares}
    return Candidate(
        BlendProblem(label, main.costs, params, shares, log_odds),
        main.level,
        curve,
        folds,
        max(candidate.optimality for _, candidate, _ in used),
        all(candidate.converged for _, candidate, _ in used),
        log_odds(mixed) if common.keeps_scores else None,
    )


def alone(number: int, name: str, candidate: Candidate) -> BlendProblem:
    """Describe a member's problem as a blend of one, so that it can be chosen and trained too."""
    params = {"learner": name, **candidate.params}
    share = Share(number, candidate.problem, Scale(), 1.0)
    return BlendProblem(candidate.label, candidate.costs, params, (share,))


def _scores(candidate: Candidate) -> NDArray[np.float64]:
    assert candidate.scores is not None
    return candidate.scores
