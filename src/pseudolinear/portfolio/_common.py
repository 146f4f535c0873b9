"""What all members of a fit share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._decision import Decision
from pseudolinear.errors import ErrorCurve
from pseudolinear.kinds import Goal
from pseudolinear.portfolio._member import Member
from pseudolinear.portfolio._scale import Scale
from pseudolinear.selection import Rule
from pseudolinear.sweep import Bar, Cutter, Limits, Plan, Rows, Split, SweepResult, Trainer, sweep


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
    deadline : float or None
        Time (``time.monotonic()``) after which nothing further is tried.
    """

    rows: Rows
    cutter: Cutter
    goals: list[Goal]
    splits: list[Split]
    rule: Rule
    n_jobs: int | None = None
    verbose: bool = False
    deadline: float | None = None

    def trainer(self, member: Member) -> Trainer:
        """Return what trains a member."""
        return Trainer(
            member.learner, self.rows, self.n_jobs, self.verbose, member.view, member.metadata
        )

    def sweep(
        self,
        member: Member,
        *,
        keep_scores: bool = False,
        essential: bool = True,
        bar: Bar | None = None,
    ) -> SweepResult:
        """Try everything of a member; see :class:`Limits`."""
        plan = Plan(member.search, member.settings, self.splits, self.rule, member.cost_sensitive)
        limits = Limits(self.deadline, essential, bar)
        return sweep(
            self.trainer(member), self.cutter, self.goals, plan,
            keep_scores=keep_scores, limits=limits,
        )  # fmt: skip

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

    def log_odds(self, label: int, scores: NDArray[np.float64]) -> Scale:
        """Return what makes log-odds of scores of the validation rows."""
        rows = self.held_out
        return Scale.log_odds(self.cutter.target(label, rows), scores, self.rows.weight(rows))

    def curves(self, label: int, scores: NDArray[np.float64]) -> list[ErrorCurve]:
        """Cut scores of the validation rows: of all together, and of each fold."""
        tests = [test for _, test in self.splits]
        by_fold = np.split(scores, np.cumsum([len(test) for test in tests])[:-1])
        folds = [self.cutter(label, t, s) for t, s in zip(tests, by_fold, strict=True)]
        return [self.cutter(label, self.held_out, scores), *folds]


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
