"""What trains problems on rows in parts, and counts what was left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear._problem import Problem
from pseudolinear.errors import ErrorCurve, ScoreCounts, ScoreCurve
from pseudolinear.measures import Measure, Objective
from pseudolinear.scale._block import Block
from pseudolinear.scale._counting import PartScorer, count, edges_of
from pseudolinear.scale._diary import Diary
from pseudolinear.scale._engine import Engine
from pseudolinear.scale._lanes import Lanes
from pseudolinear.scale._totals import Totals
from pseudolinear.sweep import Checkpoint, Limits, Validated


class Trained(NamedTuple):
    """Problems that were trained, side by side.

    Attributes
    ----------
    scorer : PartScorer
        Scores rows, one column per lane.
    optimality : ndarray of shape (n_lanes,)
        What training states of itself; NaN if nothing.
    converged : ndarray of shape (n_lanes,)
        Whether training reached its tolerance.
    """

    scorer: PartScorer
    optimality: NDArray[np.float64]
    converged: NDArray[np.bool_]


class Known(NamedTuple):
    """A validated problem: its folds, what scores them, and what was counted of them."""

    lanes: Lanes
    scorer: PartScorer
    pooled: ScoreCurve


@dataclass(frozen=True, eq=False)
class PartedLearner(ABC):
    """Trains problems on all rows, or without those of a fold, and cuts what was left out.

    A child says how lanes are trained.

    Attributes
    ----------
    engine : Engine
        Encoded rows.
    sample : Block
        Some of them, with weights that stand for all.
    totals : Totals
        What all rows weigh.
    learner : Learner
        Its parameters.
    n_folds : int
        Number of folds.
    objective : Measure or Objective
        What thresholds are for.
    checkpoint : Checkpoint or None
        Where finished work is kept.
    """

    engine: Engine
    sample: Block
    totals: Totals
    learner: Any
    n_folds: int
    objective: Measure | Objective
    checkpoint: Checkpoint | None = None
    _known: dict[Any, Known] = field(default_factory=dict, init=False, repr=False)

    __repr__ = brief_repr

    @abstractmethod
    def train(self, lanes: Lanes, stage: str) -> Trained:
        """Train lanes by passes over the rows; `stage` is for those who watch."""

    @abstractmethod
    def fit(self, problems: Sequence[Problem]) -> list[Any]:
        """Train problems on all rows, and return their models."""

    @abstractmethod
    def lanes_at_once(self) -> int:
        """Say how many lanes memory holds."""

    def diary(self, lanes: Lanes, what: str) -> Diary | None:
        """Return where work on lanes is kept: under a hash of all that it depends on."""
        if self.checkpoint is None:
            return None
        parts = [self.sample, self.totals, self.learner, lanes]
        return Diary(self.checkpoint, self.checkpoint.keys(parts, what, self.n_folds))

    def validated(
        self, problems: Sequence[Problem], limits: Limits | None = None
    ) -> list[Validated | None]:
        """Train problems without the rows of each fold, and count those in bins of their scores.

        Parameters
        ----------
        problems : sequence of Problem
            What to train.
        limits : Limits or None
            When to give up.

        Returns
        -------
        list of Validated or None
            One per problem; None where the time was up.
        """
        found: list[Validated | None] = []
        for batch in self.batches(problems, self.n_folds):
            if limits is not None and found and limits.late():
                found.extend([None] * len(batch))
            else:
                found.extend(self._validate(batch))
        return found

    def batches(self, problems: Sequence[Problem], n_folds: int) -> list[Sequence[Problem]]:
        """Cut problems into as many as fit into memory at once."""
        size = max(self.lanes_at_once() // n_folds, 1)
        return [problems[i : i + size] for i in range(0, len(problems), size)]

    def count(self, problems: Sequence[Problem], edges: NDArray[np.float64]) -> list[ScoreCurve]:
        """Count the rows that validated problems left out, in other bins of their scores.

        Parameters
        ----------
        problems : sequence of Problem
            Validated before.
        edges : ndarray of shape (n_problems, n_edges)
            Of the bins.

        Returns
        -------
        list of ScoreCurve
            Of all folds together.
        """
        known = [self._known[_key(problem)] for problem in problems]
        lanes = Lanes.joined([one.lanes for one in known])
        scorer = known[0].scorer.joined([one.scorer for one in known])
        each = np.repeat(edges, self.n_folds, axis=0)
        counts = self.engine.reduce("counting", count, scorer, lanes, each)
        return [_pool(own).column(0) for own in _by_problem(counts, self.n_folds)]

    def curve(self, problem: Problem) -> ScoreCurve:
        """Return what is known of the rows that a validated problem left out."""
        return self._known[_key(problem)].pooled

    def outline(self, counted: ScoreCurve) -> ErrorCurve:
        """Return the cuts worth choosing among those that were counted."""
        curve = counted.curve()
        if isinstance(self.objective, Measure):
            return curve.outline()
        try:
            return curve.outline(self.objective.choose(curve)[0])
        except ValueError:  # no cut of this score keeps the constraint; others may
            return curve.outline()

    def _validate(self, problems: Sequence[Problem]) -> list[Validated]:
        lanes = Lanes.of(problems, range(self.n_folds), getattr(self.learner, "C", 1.0))
        trained, n = self.train(lanes, "training"), len(problems)
        edges = self._edges(lanes, trained.scorer, n)
        counts = self.engine.reduce("counting", count, trained.scorer, lanes, edges)
        found = []
        for i, problem in enumerate(problems):
            own = np.arange(self.n_folds) * n + i
            folds = counts.take(own)
            pooled = _pool(folds).column(0)
            self._known[_key(problem)] = Known(lanes[own], trained.scorer.take(own), pooled)
            curves = [self.outline(folds.column(k)) for k in range(self.n_folds)]
            worst = float(trained.optimality[own].max())
            converged = bool(trained.converged[own].all())
            found.append(Validated(self.outline(pooled), tuple(curves), worst, converged, None))
        return found

    def _edges(self, lanes: Lanes, scorer: PartScorer, n: int) -> NDArray[np.float64]:
        """Place the same edges for all folds of a problem, by the scores of the sample."""
        rows, held = np.arange(len(self.sample)), self.sample.fold < self.n_folds
        by_fold = scorer(self.sample.X).reshape(len(rows), self.n_folds, n)
        own = by_fold[rows, np.minimum(self.sample.fold, self.n_folds - 1)][held]
        positive = self.sample.codes[held] > 0
        pairs = zip(own.T, lanes.label[:n], strict=True)
        edges = np.array([edges_of(column, positive[:, label]) for column, label in pairs])
        return np.tile(edges, (self.n_folds, 1))


def _pool(folds: ScoreCounts) -> ScoreCounts:
    """Merge the counts of all folds, which have the same edges."""
    return reduce(ScoreCounts.merge, (folds.take([k]) for k in range(folds.n_columns)))


def _by_problem(counts: ScoreCounts, n_folds: int) -> Iterator[ScoreCounts]:
    return (counts.take(np.arange(i, i + n_folds)) for i in range(0, counts.n_columns, n_folds))


def _key(problem: Problem) -> tuple[Any, ...]:
    return problem.label, problem.costs, tuple(sorted(problem.params.items()))
