"""Plans: how a sweep is carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pseudolinear._problem import Problem
from pseudolinear.kinds import Goal, Kind
from pseudolinear.search import LevelSearch
from pseudolinear.selection import Rule
from pseudolinear.sweep._rows import Split

Key = tuple[int, tuple[float, ...], int]  # label, costs, number of the setting


@dataclass(frozen=True, eq=False)
class Plan:
    """How a sweep is carried out.

    Attributes
    ----------
    search : LevelSearch
        Which levels to try.
    settings : sequence of mapping
        Hyper-parameters of the learner to try at every level.
    splits : sequence of (train, test)
        Rows to train on and rows to validate on.
    rule : Rule
        How candidates and thresholds are chosen.
    cost_sensitive : bool
        Whether the learner sees the costs of the level, or equal ones.
    """

    search: LevelSearch
    settings: Sequence[Mapping[str, Any]]
    splits: Sequence[Split]
    rule: Rule
    cost_sensitive: bool = True

    def problems(self, kind: Kind, goal: Goal, level: float) -> dict[Key, Problem]:
        """Return the problems of a level, by what tells them apart."""
        costs = goal.training_costs(level)
        if not self.cost_sensitive:
            costs = np.ones_like(costs)
        return {
            (label, own, j): kind.problem(label, own, setting)
            for label, own in zip(goal.labels, map(tuple, costs.tolist()), strict=True)
            for j, setting in enumerate(self.settings)
        }
