"""Problems trained and validated by passes over rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear._problem import Problem
from pseudolinear.errors import ErrorCurve, ScoreCounts, ScoreCurve
from pseudolinear.learners import LinearLearner, LinearModel
from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers import Fit
from pseudolinear.measures import Measure, Objective
from pseudolinear.scale._block import Block
from pseudolinear.scale._counting import count, edges_of
from pseudolinear.scale._curvature import curvature_of
from pseudolinear.scale._descent import PAIRS, Descent
from pseudolinear.scale._engine import Engine
from pseudolinear.scale._lanes import EVERY_ROW, Lanes
from pseudolinear.scale._slopes import slopes, times
from pseudolinear.scale._totals import Totals
from pseudolinear.sweep import Limits, Validated

LANE_BYTES = 1 << 29  # of all lanes that are solved at once
START = 1e-2  # relative gap to which the sample is solved: its rows are not all
MAX_PASSES = 200


@dataclass(frozen=True, eq=False)
class Solver:
    """Trains problems on all rows, or without those of a fold, and cuts what was left out.

    Attributes
    ----------
    engine : Engine
        Encoded rows.
    sample : Block
        Some of them, with weights that stand for all.
    totals : Totals
        What all rows weigh.
    learner : LinearLearner
        Loss, intercept and tolerance.
    n_folds : int
        Number of folds.
    objective : Measure or Objective
        What thresholds are for.
    """

    engine: Engine
    sample: Block
    totals: Totals
    learner: LinearLearner
    n_folds: int
    objective: Measure | Objective
    _known: dict[Any, tuple[Lanes, Fit, ScoreCurve]] = field(default_factory=dict, init=False, repr=False)

    __repr__ = brief_repr

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
        for batch in self._batches(problems, self.n_folds):
            if limits is not None and found and limits.late():
                found.extend([None] * len(batch))
            else:
                found.extend(self._validate(batch))
        return found

    def fit(self, problems: Sequence[Problem]) -> list[LinearModel]:
        """Train problems on all rows."""
        models = []
        for batch in self._batches(problems, 1):
            fit = self._solve(Lanes.of(batch, [EVERY_ROW], self.learner.C), "training on all rows")
            models.extend(
                LinearModel(w, float(b), float(gap), int(n), bool(gap <= self.learner.tol))
                for w, b, gap, n in zip(*fit, strict=True)
            )
        return models

    def count(
        self, problems: Sequence[Problem], edges: NDArray[np.float64]
    ) -> list[ScoreCurve]:
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
        lanes = Lanes.joined([own for own, _, _ in known])
        W = np.ascontiguousarray(np.concatenate([fit.coef for _, fit, _ in known]).T)
        b = np.concatenate([fit.intercept for _, fit, _ in known])
        each = np.repeat(edges, self.n_folds, axis=0)
        counts = self.engine.reduce("counting", count, W, b, lanes, each)
        return [_pool(own).column(0) for own in _by_problem(counts, self.n_folds)]

    def curve(self, problem: Problem) -> ScoreCurve:
        """Return what is known of the rows that a validated problem left out."""
        return self._known[_key(problem)][2]

    def _batches(self, problems: Sequence[Problem], n_folds: int) -> list[Sequence[Problem]]:
        """Cut problems into as many as fit into memory at once."""
        each = (self.sample.X.shape[1] + 1) * (8 + 2 * PAIRS) * 8 * n_folds
        size = max(LANE_BYTES // each, 1)
        return [problems[i : i + size] for i in range(0, len(problems), size)]

    def _validate(self, problems: Sequence[Problem]) -> list[Validated]:
        lanes = Lanes.of(problems, range(self.n_folds), self.learner.C)
        fit = self._solve(lanes, "training")
        W = np.ascontiguousarray(fit.coef.T)
        edges = self._edges(lanes, W, fit.intercept, len(problems))
        counts = self.engine.reduce("counting", count, W, fit.intercept, lanes, edges)
        n, found = len(problems), []
        for i, problem in enumerate(problems):
            own = [i + n * fold for fold in range(self.n_folds)]
            folds = counts.take(own)
            pooled, each = _pool(folds).column(0), Fit(*(column[own] for column in fit))
            self._known[_key(problem)] = lanes[own], each, pooled
            curves = [folds.column(k) for k in range(self.n_folds)]
            worst = float(each.optimality.max())
            found.append(
                Validated(
                    self.outline(pooled), tuple(map(self.outline, curves)), worst,
                    worst <= self.learner.tol, None,
                )  # fmt: skip
            )
        return found

    def outline(self, counted: ScoreCurve) -> ErrorCurve:
        """Return the cuts worth choosing among those that were counted."""
        curve = counted.curve()
        if isinstance(self.objective, Measure):
            return curve.outline()
        try:
            return curve.outline(self.objective.choose(curve)[0])
        except ValueError:  # no cut of this score keeps the constraint; others may
            return curve.outline()

    def _edges(
        self, lanes: Lanes, W: NDArray[np.float64], b: NDArray[np.float64], n: int
    ) -> NDArray[np.float64]:
        """Place the same edges for all folds of a problem, by the scores of the sample."""
        rows, held = np.arange(len(self.sample)), self.sample.fold < self.n_folds
        scores = np.empty((len(rows), len(lanes)))
        times(self.sample.X, W, scores)
        by_fold = (scores + b).reshape(len(rows), self.n_folds, n)
        own = by_fold[rows, np.minimum(self.sample.fold, self.n_folds - 1)][held]
        positive = self.sample.codes[held] > 0
        pairs = zip(own.T, lanes.label[:n], strict=True)
        edges = np.array([edges_of(column, positive[:, label]) for column, label in pairs])
        return np.tile(edges, (self.n_folds, 1))

    def _solve(self, lanes: Lanes, stage: str) -> Fit:
        """Solve lanes by passes, from the solution of the sample."""
        learner, loss = self.learner, get_loss(self.learner.loss)
        free, scaling = learner.fit_intercept, learner.intercept_scaling
        ridge = 0.0 if scaling is None or not free else 1.0 / scaling**2
        above, below = self.totals.costs(lanes)
        fit = self._constant(lanes, above, below)
        open_ = np.flatnonzero(np.minimum(above, below) > 0.0)
        if not len(open_):
            return fit
        some = lanes[open_]
        start = loss.solve(
            self.sample.X, self.sample.codes, some.label, some.cost_fn, some.cost_fp, some.C,
            sample_weight=self.sample.weight, classes=self.sample.fold,
            class_costs=some.fold_costs(self.n_folds).T,
            intercept_scaling=(np.inf if scaling is None else scaling) if free else None,
            tol=max(START, learner.tol), max_iter=learner.max_iter,
        )  # fmt: skip
        W = np.ascontiguousarray(start.coef.T)
        state = W, start.intercept, some, learner.loss, self.n_folds
        run = partial(self._run, stage)
        descent = Descent(
            run, some, curvature_of(self.sample, *state, ridge),
            free=free, ridge=ridge, radius=self.totals.radius,
        )  # fmt: skip
        found = descent.solve(W, start.intercept, tol=learner.tol, max_iter=MAX_PASSES)
        for column, own in zip(fit, found, strict=True):
            column[open_] = own
        return fit

    def _run(
        self, stage: str, W: NDArray[np.float64], b: NDArray[np.float64], lanes: Lanes
    ) -> Any:
        return self.engine.reduce(stage, slopes, W, b, lanes, self.learner.loss, self.n_folds)

    def _constant(
        self, lanes: Lanes, above: NDArray[np.float64], below: NDArray[np.float64]
    ) -> Fit:
        """Give every lane the constant score that suits one whose training rows are all alike."""
        p, certain = len(lanes), get_loss(self.learner.loss).certain
        intercept = np.where(above > below, certain, -certain) * self.learner.fit_intercept
        empty = np.zeros((p, self.sample.X.shape[1]))
        return Fit(empty, intercept, np.zeros(p), np.zeros(p, np.int64))


def _pool(folds: ScoreCounts) -> ScoreCounts:
    """Merge the counts of all folds, which have the same edges."""
    return reduce(ScoreCounts.merge, (folds.take([k]) for k in range(folds.n_columns)))


def _by_problem(counts: ScoreCounts, n_folds: int) -> Iterator[ScoreCounts]:
    return (
        counts.take(np.arange(i, i + n_folds)) for i in range(0, counts.n_columns, n_folds)
    )


def _key(problem: Problem) -> tuple[Any, ...]:
    return problem.label, problem.costs, tuple(sorted(problem.params.items()))
