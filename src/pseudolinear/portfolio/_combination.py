"""Combinations: which members serve which label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve
from pseudolinear.measures import label_mean
from pseudolinear.portfolio._common import Common
from pseudolinear.portfolio._member import Member
from pseudolinear.selection import Candidate, Choice, shrink
from pseudolinear.sweep import Trainer

BLEND_TRUST = 500.0  # positive rows at which a label's evidence weighs as much as that of all
BEST_SETS = 3  # sets of members whose mean is taken: the best one is best partly by chance
ALL_SETS = 5  # members up to which every set of them is tried

Shares = Mapping[int, NDArray[np.float64]]  # weights of the combined members, by label


@dataclass(frozen=True, eq=False)
class Entry:
    """What a member brings to the combination.

    Attributes
    ----------
    member : Member
        Who brings it.
    trainer : Trainer
        The member's learner with its rows.
    candidates : dict
        Its chosen candidate with its scores on the validation rows, by label.
    """

    member: Member
    trainer: Trainer
    candidates: Mapping[int, Candidate]


def combine_members(common: Common, entries: Sequence[Entry]) -> tuple[list[Choice], Shares]:
    """Choose the best combination of members for every goal.

    Sets of members are compared by the mean of their standardised scores; of four members or more
    the mean of the best sets is taken. The evidence of a goal is shrunk towards that of all goals,
    the more the fewer positive rows it has. Cuts are chosen by the rule of the fit.

    Parameters
    ----------
    common : Common
        Goals, rule and cutter.
    entries : sequence of Entry
        What the members bring.

    Returns
    -------
    choices : list of Choice
        One per goal, with the cuts of the combined scores.
    shares : mapping
        The weight of every entry in the combination, by label.
    """
    goals, rule = common.goals, common.rule
    labels = [label for goal in goals for label in goal.labels]
    blender = _Blender(common, entries, labels)
    sets = _sets(len(entries))
    tried = [blender.candidates(dict.fromkeys(labels, own)) for own in sets]
    values = np.array(
        [
            [rule.value([g], [rule.recut_one(g, [by[k] for k in g.labels])]) for g in goals]
            for by in tried
        ]
    )
    gains = values - values.mean(axis=0)
    n_positive = np.array([goal.n_positive for goal in goals])
    mean = label_mean(gains, [goal.weight for goal in goals])
    evidence = shrink(gains, mean[:, None], n_positive, BLEND_TRUST)
    n_best = BEST_SETS if len(entries) > BEST_SETS else 1
    best = np.argsort(-evidence, axis=0, kind="stable")[:n_best]
    shares = {
        label: sets[chosen].mean(axis=0)
        for goal, chosen in zip(goals, best.T, strict=True)
        for label in goal.labels
    }
    combined = blender.candidates(shares)
    return rule.recut(goals, [[combined[label] for label in g.labels] for g in goals]), shares


class _Blender:
    """Mixes the scores of the entries and cuts them."""

    def __init__(self, common: Common, entries: Sequence[Entry], labels: Sequence[int]) -> None:
        self.common, self.entries, self.rows = common, entries, common.held_out
        self.scores = {label: self._standardised(label) for label in labels}

    def candidates(self, shares: Shares) -> dict[int, Candidate]:
        """Return what mixtures of these shares can do, by label."""
        return {label: self._candidate(label, own) for label, own in shares.items()}

    def _candidate(self, label: int, shares: NDArray[np.float64]) -> Candidate:
        mixed = np.tensordot(shares, self.scores[label], 1)
        return _combined(self.entries, label, shares, self.common.cutter(label, self.rows, mixed))

    def _standardised(self, label: int) -> NDArray[np.float64]:
        """Return the scores of a label by every entry, on a common scale."""
        held: list[Any] = [entry.candidates[label].scores for entry in self.entries]
        return np.stack([self.common.scale(scores)(scores) for scores in held])


def _sets(n: int) -> NDArray[np.float64]:
    """Return the sets of n entries that are tried, each as a row of equal weights.

    All sets of up to five; of more, ones, twos and all.
    """
    sizes = range(1, n + 1) if n <= ALL_SETS else (1, 2, n)
    subsets = [list(subset) for size in sizes for subset in combinations(range(n), size)]
    return np.stack([np.eye(n)[subset].mean(axis=0) for subset in subsets])


def _combined(
    entries: Sequence[Entry], label: int, shares: NDArray[np.float64], curve: ErrorCurve
) -> Candidate:
    """Describe a combination as a candidate; level and costs are those of its first member."""
    used = [entry for entry, share in zip(entries, shares, strict=True) if share > 0]
    own = [entry.candidates[label] for entry in used]
    params = {e.member.name: dict(c.params) for e, c in zip(used, own, strict=True)}
    return Candidate(
        replace(own[0].problem, params=params),
        own[0].level,
        curve,
        (),
        max(candidate.optimality for candidate in own),
        all(candidate.converged for candidate in own),
    )
