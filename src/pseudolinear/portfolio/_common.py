"""What all members of a fit share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._decision import Decision
from pseudolinear.features import GIVEN, Features
from pseudolinear.kinds import Goal
from pseudolinear.portfolio._member import Member
from pseudolinear.portfolio._scale import Scale
from pseudolinear.selection import Rule
from pseudolinear.sweep import Cutter, Plan, Rows, Split, SweepResult, Trainer, sweep


class Fitted(NamedTuple):
    """What a fit leaves behind.

    Attributes
    ----------
    decision : Decision
        What predicts.
    sweep : SweepResult
        What was seen.
    table : list of dict or None
        Of a portfolio, what each member contributed.
    """

    decision: Decision
    sweep: SweepResult
    table: list[dict[str, Any]] | None = None


@dataclass(frozen=True, eq=False)
class Common:
    """What all members of a fit share.

    Attributes
    ----------
    rows : Rows
        What they are trained on.
    cutter : Cutter
        What cuts their scores.
    goals : list of Goal
        Labels that share a level.
    splits : list of (train, test)
        Rows to train on and rows to validate on.
    rule : Rule
        How candidates and thresholds are chosen.
    n_jobs, verbose
        See :class:`Trainer`.
    """

    rows: Rows
    cutter: Cutter
    goals: list[Goal]
    splits: list[Split]
    rule: Rule
    n_jobs: int | None = None
    verbose: bool = False

    def trainer(self, member: Member, deadline: float | None = None) -> Trainer:
        """Return what trains a member."""
        return Trainer(
            member.learner, self.rows, self.n_jobs, self.verbose, member.view, deadline
        )

    def features(self, members: Sequence[Member], numbers: NDArray[np.intp]) -> Features:
        """Return the features that these members need, fitted on these rows."""
        names = sorted({member.view for member in members} - {GIVEN})
        if not names:
            return Features()
        assert self.rows.folds is not None
        return self.rows.folds.fitted(names, numbers).only(names)

    def sweep(self, member: Member, trainer: Trainer, *, keep_scores: bool = False) -> SweepResult:
        """Try everything of a member."""
        plan = Plan(member.search, member.settings, self.splits, self.rule, member.cost_sensitive)
        return sweep(trainer, self.cutter, self.goals, plan, keep_scores=keep_scores)

    @property
    def all_rows(self) -> NDArray[np.intp]:
        """The numbers of all rows."""
        return np.arange(len(self.rows))

    @property
    def held_out(self) -> NDArray[np.intp]:
        """The numbers of all validation rows, fold after fold."""
        return np.concatenate([test for _, test in self.splits])

    def scale(self, scores: NDArray[np.float64]) -> Scale:
        """Return the scale of scores of the validation rows."""
        weight = self.rows.weight(self.held_out)
        return Scale.of(scores, weight, centred=self.cutter.kind.separable)


def decide(sweep: SweepResult, decision: Decision, models: Sequence[Any]) -> Decision:
    """Put the models and thresholds of the chosen candidates into a decision.

    Parameters
    ----------
    sweep : SweepResult
        What was chosen.
    decision : Decision
        Features and learner.
    models : sequence
        Trained models in the order of the chosen candidates.

    Returns
    -------
    Decision
        What predicts.
    """
    by_label = dict(zip(sweep.chosen, models, strict=True))
    kept = [by_label.get(label) for label in range(sweep.kind.n_models)]
    threshold = sweep.kind.thresholds(sweep.thresholds)
    return replace(decision, kind=sweep.kind, models=kept, threshold=threshold)
