"""A fit on rows in parts: passes that read, encode, train, count and choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear._calibration import platt
from pseudolinear._decision import Decision
from pseudolinear._journal import READING, TRAINING, Journal
from pseudolinear.features import GIVEN, Features, describe
from pseudolinear.kinds import Goal, LabelKind
from pseudolinear.learners import LinearLearner
from pseudolinear.measures import Measure, Objective
from pseudolinear.portfolio import Fitted, Member, decide
from pseudolinear.scale._block import Block
from pseudolinear.scale._counting import finer_edges, hopeful, refine, resolution
from pseudolinear.scale._encoder import Encoder, Folds
from pseudolinear.scale._engine import Engine
from pseudolinear.scale._part import Part
from pseudolinear.scale._reading import Seen, look
from pseudolinear.scale._solver import Solver
from pseudolinear.scale._totals import total
from pseudolinear.selection import Rule
from pseudolinear.sweep import Limits, Plan, SweepResult, search_levels

SAMPLE_ROWS = 50_000  # of every class, where numbers do not get too many
SAMPLE_NUMBERS = 1 << 24
REFINEMENTS = 3  # passes that look between the cuts of what was chosen


@dataclass(frozen=True, eq=False)
class PartedFit:
    """What a fit on rows in parts has found out before anything is trained.

    Attributes
    ----------
    engine : Engine
        The rows as they were given.
    seen : Seen
        How many there are, their classes, and a sample.
    kind : LabelKind
        The kind of problem.
    measure : Measure
        What is swept.
    objective : Measure or Objective
        What thresholds are for.
    folds : Folds
        Which rows validate.
    journal : Journal
        What is told of stages.
    """

    engine: Engine
    seen: Seen
    kind: LabelKind
    measure: Measure
    objective: Measure | Objective
    folds: Folds
    journal: Journal

    __repr__ = brief_repr

    @classmethod
    def open(
        cls,
        engine: Engine,
        objective: Measure | Objective,
        pos_label: Any,
        folds: Folds,
        journal: Journal,
    ) -> PartedFit:
        """Read all rows once."""
        with journal.stage(READING):
            seen = engine.reduce("reading", look, SAMPLE_ROWS, folds.seed)
        kind, measure = seen.kind(objective, pos_label)
        return cls(engine, seen, kind, measure, objective, folds, journal)

    @property
    def goals(self) -> list[Goal]:
        """Labels that share a level."""
        return self.kind.goals_at(self.seen.prevalence(self.kind), self.measure, self.seen.n_rows)

    def fit(self, member: Member, rule: Rule, limits: Limits) -> tuple[Fitted, float]:
        """Encode the rows, sweep, look closer at what was chosen, and train it on all rows.

        Parameters
        ----------
        member : Member
            A linear learner, and what is tried of it.
        rule : Rule
            How candidates and thresholds are chosen.
        limits : Limits
            When to give up.

        Returns
        -------
        fitted : Fitted
            What predicts, and what was seen.
        resolution : float
            By how much a cut between those that were counted could raise the value, at the most.
        """
        learner = member.learner
        assert isinstance(learner, LinearLearner)
        with self.journal.stage("encoding"):
            encoder = self._encoder(member.view)
            blocks = self.engine.encoded(encoder)
        try:
            solver = self._solver(encoder, blocks, learner)
            with self.journal.stage(member.name, 1) as stage:
                found = self._sweep(solver, member, rule, limits)
                found, left = self._refined(solver, found)
                stage.value = found.value
            with self.journal.stage(TRAINING, 1):
                models = solver.fit([candidate.problem for candidate in found.chosen.values()])
        finally:
            blocks.close()
        lines = {label: platt(candidate.curve) for label, candidate in found.chosen.items()}
        calibration = found.kind.calibration(lines)
        decision = Decision(
            found.kind, encoder.features, member.view, learner, [], None, calibration
        )
        return Fitted(decide(found, decision, models), found), left

    def _encoder(self, view: str) -> Encoder:
        """Fit features: roles of columns, medians and words on the sample, scales on all rows."""
        sample = self.seen.sample
        features = Features(describe(sample.X), self.folds.seed)
        encoder = Encoder(features, self.kind, self.folds, view)
        if view != GIVEN:
            features.fit(encoder.table(Part(sample.X)), [view], sample.weight)
            if "numbers" in features.views:
                numbers: Any = features.views["numbers"]
                numbers.settle(self.engine.reduce("scaling", encoder.sums))
        return encoder

    def _solver(self, encoder: Encoder, blocks: Engine, learner: LinearLearner) -> Solver:
        n_folds = self.folds.n_folds
        totals = blocks.reduce("weighing", total, n_folds)
        mass = (totals.positive + totals.negative)[:n_folds].sum(axis=1)
        if not (mass > 0).all():
            raise ValueError(
                f"{self.seen.n_rows} rows are too few for {n_folds} folds in parts; give them as "
                "one array."
            )
        sample = self._sample(encoder)
        return Solver(blocks, sample, totals, learner, n_folds, self.objective)

    def _sample(self, encoder: Encoder) -> Block:
        """Encode the sample; its rows weigh what those that they were drawn from do together."""
        sample = self.seen.sample
        block = encoder(Part(sample.X, sample.codes, sample.weight))
        block = replace(block, fold=self.folds.of(sample.numbers))
        most = max(SAMPLE_NUMBERS // _numbers_of_a_row(block.X), 1000)
        for stratum in np.unique(sample.stratum):
            own = np.flatnonzero(sample.stratum == stratum)
            spare = own[np.argsort(sample.draws[own])[most:]]
            block.weight[spare] = 0.0
            own = np.setdiff1d(own, spare)
            mass = self._mass(sample.codes[own[0]])
            block.weight[own] *= mass / max(block.weight[own].sum(), 1e-300)
        return block.take(np.flatnonzero(block.weight))

    def _mass(self, value: Any) -> float:
        """Return the weight of all rows of a class; of all rows where there are labels."""
        if self.seen.several:
            return self.seen.mass
        return float(self.seen.masses[self.seen.values == value][0])

    def _sweep(
        self, solver: Solver, member: Member, rule: Rule, limits: Limits
    ) -> SweepResult:
        plan = Plan(member.search, member.settings, [], rule, member.cost_sensitive)
        validated: Callable[..., Any] = partial(_validated, solver, limits)
        shares = solver.totals.shares(self.folds.n_folds)
        return search_levels(
            validated, self.kind, self.goals, plan, shares, member.name, limits=limits
        )

    def _refined(self, solver: Solver, found: SweepResult) -> tuple[SweepResult, float]:
        """Look between the cuts of what was chosen, until no better one can hide there."""
        goals = zip(found.choices, found.goals, strict=True)
        chosen = [(c.problem, goal.label_measure) for choice, goal in goals for c in choice.candidates]
        curves = [solver.curve(problem) for problem, _ in chosen]
        for _ in range(REFINEMENTS):
            hopes = [hopeful(curve, m) for curve, (_, m) in zip(curves, chosen, strict=True)]
            again = [i for i, own in enumerate(hopes) if len(own)]
            if not again:
                break
            edges = np.array([finer_edges(curves[i], hopes[i]) for i in again])
            finer = solver.count([chosen[i][0] for i in again], edges)
            for i, one in zip(again, finer, strict=True):
                curves[i] = refine(curves[i], one, hopes[i])
        left = [resolution(curve, m) for curve, (_, m) in zip(curves, chosen, strict=True)]
        return found.recut([solver.outline(curve) for curve in curves]), max(left)


def _validated(solver: Solver, default: Limits, problems: Any, limits: Any = None) -> Any:
    return solver.validated(problems, default if limits is None else limits)


def _numbers_of_a_row(X: Any) -> int:
    """Return how many numbers a row takes, zeros of sparse rows not counted."""
    return max(int(getattr(X, "nnz", X.size) / max(X.shape[0], 1)), 1)
