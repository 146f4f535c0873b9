"""A fit on rows in parts: passes that read, encode, train, count and choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear._decision import Decision
from pseudolinear._journal import READING, TRAINING, Journal
from pseudolinear._platt import platt
from pseudolinear.features import GIVEN, Features, Table, describe
from pseudolinear.kinds import Goal, LabelKind
from pseudolinear.learners import BoostingLearner
from pseudolinear.measures import Measure, Objective
from pseudolinear.portfolio import Fitted, Member, decide
from pseudolinear.scale._block import Block
from pseudolinear.scale._counting import finer_edges, likely, refine, resolution
from pseudolinear.scale._encoder import Encoder, Folds
from pseudolinear.scale._engine import Engine
from pseudolinear.scale._part import Part
from pseudolinear.scale._parted_boosting import PartedBoosting
from pseudolinear.scale._parted_learner import PartedLearner
from pseudolinear.scale._parted_linear import PartedLinear
from pseudolinear.scale._reading import Seen, look
from pseudolinear.scale._totals import total
from pseudolinear.selection import Rule
from pseudolinear.sweep import Checkpoint, Limits, Plan, SweepResult, search_levels

SAMPLE_ROWS = 50_000  # of every class, where numbers do not get too many
SAMPLE_NUMBERS = 1 << 24
COUNTING = "looking between the cuts"
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
    checkpoint : Checkpoint or None
        Where finished work is kept.
    """

    engine: Engine
    seen: Seen
    kind: LabelKind
    measure: Measure
    objective: Measure | Objective
    folds: Folds
    journal: Journal
    checkpoint: Checkpoint | None = None
    _encoders: dict[str, Encoder] = field(default_factory=dict, init=False, repr=False)

    __repr__ = brief_repr

    @classmethod
    def open(
        cls,
        engine: Engine,
        objective: Measure | Objective,
        pos_label: Any,
        folds: Folds,
        journal: Journal,
        checkpoint: Checkpoint | None = None,
    ) -> PartedFit:
        """Read all rows once."""
        with journal.stage(READING):
            seen = engine.reduce("reading", look, SAMPLE_ROWS, folds.seed)
        kind, measure = seen.kind(objective, pos_label)
        return cls(engine, seen, kind, measure, objective, folds, journal, checkpoint)

    @property
    def goals(self) -> list[Goal]:
        """Labels that share a level."""
        return self.kind.goals_at(self.seen.prevalence(self.kind), self.measure, self.seen.n_rows)

    def can_boost(self, table: Table) -> bool:
        """Tell whether trees suit the rows, and LightGBM can train them here."""
        n_columns = table.numbers.shape[1] + table.categories.shape[1]
        dense = not sparse.issparse(table.numbers) and not table.texts.shape[1]
        one = self.kind.n_models == 1 and find_spec("lightgbm") is not None
        return one and dense and self.engine.can_boost(self.seen.n_rows, n_columns)

    def fit(self, members: Sequence[Member], rule: Rule, limits: Limits) -> tuple[Fitted, float]:
        """Sweep every member, look closer at what the best one chose, and train it on all rows.

        Parameters
        ----------
        members : sequence of Member
            Linear models or boosted trees, and what is tried of them.
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
        with ExitStack() as opened:
            tried: list[tuple[SweepResult, PartedLearner, Member]] = []
            for member in members:
                if tried and limits.late():
                    break
                learner = self._learner(member, opened)
                tried.append((self._sweep(learner, member, rule, limits), learner, member))
            found, learner, member = max(tried, key=lambda one: one[0].value)
            with self.journal.stage(COUNTING):
                found, left = self._refined(learner, found)
            with self.journal.stage(TRAINING, 1):
                models = learner.fit([candidate.problem for candidate in found.chosen.values()])
        lines = {label: platt(candidate.curve) for label, candidate in found.chosen.items()}
        calibration = found.kind.calibration(lines)
        features = self._encoders[member.view].features
        decision = Decision(
            found.kind, features, member.view, member.learner, [], None, calibration
        )
        return Fitted(decide(found, decision, models), found), left

    def _learner(self, member: Member, opened: ExitStack) -> PartedLearner:
        """Encode the rows as a member likes them, and return what trains it on them."""
        with self.journal.stage(f"encoding for {member.name}"):
            encoder = self._encoders[member.view] = self._encoder(member.view)
            blocks = opened.enter_context(closing(self.engine.encoded(encoder)))
            totals = blocks.reduce("weighing", total, self.folds.n_folds)
        mass = (totals.positive + totals.negative)[: self.folds.n_folds].sum(axis=1)
        if not (mass > 0).all():
            raise ValueError(
                f"{self.seen.n_rows} rows are too few for {self.folds.n_folds} folds in parts; "
                "give them as one array."
            )
        boosted = isinstance(member.learner, BoostingLearner)
        kind = PartedBoosting if boosted else PartedLinear
        sample = self._sample(encoder)
        return kind(
            blocks, sample, totals, member.learner, self.folds.n_folds, self.objective,
            self.checkpoint,
        )  # fmt: skip

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

    def _sample(self, encoder: Encoder) -> Block:
        """Encode the sample; its rows weigh what those that they were drawn from do together."""
        sample = self.seen.sample
        block = encoder(Part(sample.X, sample.codes, sample.weight))
        block = replace(block, weight=block.weight.copy(), fold=self.folds.of(sample.numbers))
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
        self, learner: PartedLearner, member: Member, rule: Rule, limits: Limits
    ) -> SweepResult:
        plan = Plan(member.search, member.settings, [], rule, member.cost_sensitive)
        validated: Callable[..., Any] = partial(_validated, learner, limits)
        shares = learner.totals.shares(self.folds.n_folds)
        with self.journal.stage(member.name, 1) as stage:
            found = search_levels(
                validated, self.kind, self.goals, plan, shares, member.name, limits=limits
            )
            stage.value = found.value
        return found

    def _refined(self, learner: PartedLearner, found: SweepResult) -> tuple[SweepResult, float]:
        """Look between the cuts of what was chosen, until no better one can hide there."""
        goals = zip(found.choices, found.goals, strict=True)
        own = isinstance(self.objective, Measure)
        chosen = [
            (c.problem, goal.label_measure if own else self.objective)
            for choice, goal in goals
            for c in choice.candidates
        ]
        curves = [learner.curve(problem) for problem, _ in chosen]
        for _ in range(REFINEMENTS):
            hopes = [likely(curve, m) for curve, (_, m) in zip(curves, chosen, strict=True)]
            again = [i for i, own in enumerate(hopes) if len(own)]
            if not again:
                break
            edges = np.array([finer_edges(curves[i], hopes[i]) for i in again])
            finer = learner.count([chosen[i][0] for i in again], edges)
            for i, one in zip(again, finer, strict=True):
                curves[i] = refine(curves[i], one, hopes[i])
        left = [resolution(curve, m) for curve, (_, m) in zip(curves, chosen, strict=True)]
        return found.recut([learner.outline(curve) for curve in curves]), max(left)


def _validated(learner: PartedLearner, default: Limits, problems: Any, limits: Any = None) -> Any:
    return learner.validated(problems, default if limits is None else limits)


def _numbers_of_a_row(X: Any) -> int:
    """Return how many numbers a row takes, zeros of sparse rows not counted."""
    return max(int(getattr(X, "nnz", X.size) / max(X.shape[0], 1)), 1)
