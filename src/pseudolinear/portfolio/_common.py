"""What all members of a fit share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._calibration import Calibration, Line, scale_classes
from pseudolinear._decision import Decision
from pseudolinear._journal import Journal
from pseudolinear._platt import platt, platt_lines
from pseudolinear._policy import Policy
from pseudolinear.errors import ErrorCurve
from pseudolinear.kinds import Goal
from pseudolinear.portfolio._member import Member
from pseudolinear.portfolio._scale import Scale
from pseudolinear.search import Grid
from pseudolinear.selection import Candidate, Rule
from pseudolinear.sweep import (
    Bar,
    Checkpoint,
    Cutter,
    FoldCurves,
    Limits,
    Plan,
    Rows,
    Split,
    SweepResult,
    Trainer,
    Workers,
    log_odds_shift,
    sweep,
)
from pseudolinear.thresholds import label_curve


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
    workers : Workers
        Where tasks run.
    journal : Journal
        What is told of stages and steps.
    deadline : float or None
        Time (``time.monotonic()``) after which nothing further is tried.
    policy : Policy or None
        What moves margins besides the thresholds.
    checkpoint : Checkpoint or None
        Where finished batches are kept.
    """

    rows: Rows
    cutter: Cutter
    goals: list[Goal]
    splits: list[Split]
    rule: Rule
    workers: Workers = field(default_factory=Workers)
    journal: Journal = field(default_factory=Journal)
    deadline: float | None = None
    policy: Policy | None = None
    checkpoint: Checkpoint | None = None

    def trainer(self, member: Member) -> Trainer:
        """Return what trains a member."""
        return Trainer(
            member.learner,
            self.rows,
            self.workers,
            self.journal,
            member.view,
            member.metadata,
            self.checkpoint,
        )

    def forget(self, view: str) -> None:
        """Drop the rows of a view that no member needs any more, here and at the workers."""
        for source in self.rows.forget(view):
            self.workers.forget(source)

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
        open_ended = not isinstance(member.search, Grid)
        with self.journal.stage(member.name, len(self.splits), open_ended=open_ended) as stage:
            found = sweep(
                self.trainer(member), self.cutter, self.goals, plan,
                keep_scores=keep_scores, limits=limits,
            )  # fmt: skip
            stage.value = found.value
        return found

    @cached_property
    def all_rows(self) -> NDArray[np.intp]:
        """The numbers of all rows."""
        return np.arange(len(self.rows))

    @property
    def n_effective(self) -> float:
        """Number of rows of equal weight that tell as much; those of costs by row: of one label."""
        if self.cutter.costs is not None:
            return self.goals[0].n_samples
        return self.rows.n_effective(np.flatnonzero(np.bincount(self.held_out)))

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

    def calibration(self, found: SweepResult) -> Calibration:
        """Return what makes log-odds of the chosen candidates' scores, by what was seen of them."""
        seen = found.chosen_as_seen
        cut = [label for label, candidate in seen.items() if self._tells(candidate.curve)]
        lines = dict(zip(cut, platt_lines([seen[label].curve for label in cut]), strict=True))
        lines |= {label: self._line(seen[label]) for label in seen if label not in lines}
        return found.kind.calibration(lines).shifted(log_odds_shift(seen, found.chosen))

    def _tells(self, curve: ErrorCurve) -> bool:
        """Return whether log-odds can be had from a curve: of rows, not of what errors cost."""
        of_rows = self.cutter.costs is None and self.cutter.kind.separable
        return of_rows and len(curve.thresholds) > 1

    def _line(self, candidate: Candidate) -> Line:
        rows = self.held_out
        if self.cutter.costs is not None:
            assert candidate.scores is not None
            y, weight = self.cutter.target(candidate.label, rows), self.rows.weight(rows)
            return platt(label_curve(y, candidate.scores, weight))
        if candidate.scores is not None:
            codes = self.cutter.target(candidate.label, rows)
            return scale_classes(codes, candidate.scores, self.rows.weight(rows))
        return Line(1.0, -candidate.problem.log_costs)

    @property
    def keeps_scores(self) -> bool:
        """Whether probabilities are calibrated on scores, since curves do not tell them."""
        return not self.cutter.kind.separable or self.cutter.costs is not None

    def curves(self, label: int, scores: NDArray[np.float64]) -> FoldCurves:
        """Cut scores of the validation rows: of all together, and of each fold."""
        return self.cutter.folds([label], [test for _, test in self.splits], [scores])[0]


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
    threshold, population = sweep.kind.thresholds(sweep.thresholds), sweep.population
    return replace(
        decision,
        kind=sweep.kind,
        models=kept,
        threshold=threshold,
        prevalence=None if population is None else sweep.kind.prevalence(population),
    )
