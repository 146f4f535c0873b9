"""Linear models trained by passes over rows in parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._problem import Problem
from pseudolinear.learners import LinearModel
from pseudolinear.learners.solvers import Fit
from pseudolinear.scale._curvature import curvature_of
from pseudolinear.scale._descent import PAIRS, Descent
from pseudolinear.scale._lanes import EVERY_ROW, Lanes
from pseudolinear.scale._parted_learner import PartedLearner, Trained
from pseudolinear.scale._slopes import Slopes, slopes, smooth_loss, times

LANE_BYTES = 1 << 29  # of all lanes that are solved at once
START = 1e-2  # relative gap to which the sample is solved: its rows are not all
MAX_PASSES = 200


@dataclass(frozen=True, eq=False)
class LinearScorer:
    """Scores of linear models.

    Attributes
    ----------
    weights : ndarray of shape (n_columns, n_lanes)
        Weights.
    intercepts : ndarray of shape (n_lanes,)
        Intercepts.
    """

    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]

    def __call__(self, X: Any) -> NDArray[np.float64]:
        """Score rows, one column per lane."""
        scores = np.empty((X.shape[0], len(self.intercepts)))
        times(X, self.weights, scores)
        scores += self.intercepts
        return scores

    def take(self, lanes: NDArray[np.intp]) -> LinearScorer:
        """Return some of the lanes."""
        return LinearScorer(np.ascontiguousarray(self.weights[:, lanes]), self.intercepts[lanes])

    def joined(self, others: Sequence[Any]) -> LinearScorer:
        """Put the lanes of others side by side."""
        weights = np.ascontiguousarray(np.hstack([one.weights for one in others]))
        return LinearScorer(weights, np.concatenate([one.intercepts for one in others]))


class PartedLinear(PartedLearner):
    """Linear models: the sample is solved in memory, and passes over all rows do the rest."""

    def lanes_at_once(self) -> int:
        """Count gradients, steps and what is remembered of them."""
        return LANE_BYTES // ((self.sample.X.shape[1] + 1) * (8 + 2 * PAIRS) * 8)

    def train(self, lanes: Lanes, stage: str) -> Trained:
        """Solve all lanes at once."""
        fit = self._solve(lanes, stage)
        scorer = LinearScorer(np.ascontiguousarray(fit.coef.T), fit.intercept)
        return Trained(scorer, fit.optimality, fit.optimality <= self.learner.tol)

    def fit(self, problems: Sequence[Problem]) -> list[LinearModel]:
        """Train problems on all rows."""
        models: list[LinearModel] = []
        for batch in self.batches(problems, 1):
            fit = self._solve(Lanes.of(batch, [EVERY_ROW], self.learner.C), "training on all rows")
            models.extend(
                LinearModel(w, float(b), float(gap), int(n), bool(gap <= self.learner.tol))
                for w, b, gap, n in zip(*fit, strict=True)
            )
        return models

    def _solve(self, lanes: Lanes, stage: str) -> Fit:
        """Solve lanes from the solution of the sample; one-sided ones by a constant."""
        above, below = self.totals.costs(lanes)
        fit = self._constant(above, below)
        open_ = np.flatnonzero(np.minimum(above, below) > 0.0)
        if len(open_):
            found = self._descend(lanes[open_], stage)
            for column, own in zip(fit, found, strict=True):
                column[open_] = own
        return fit

    def _constant(self, above: NDArray[np.float64], below: NDArray[np.float64]) -> Fit:
        """Give every lane the constant score that suits one whose training rows are all alike."""
        p, certain = len(above), smooth_loss(self.learner.loss).certain
        intercept = np.where(above > below, certain, -certain) * self.learner.fit_intercept
        empty = np.zeros((p, self.sample.X.shape[1]))
        return Fit(empty, intercept, np.zeros(p), np.zeros(p, np.int64))

    def _descend(self, lanes: Lanes, stage: str) -> Fit:
        learner, sample = self.learner, self.sample
        free, scaling = learner.fit_intercept, learner.intercept_scaling
        ridge = 0.0 if scaling is None or not free else 1.0 / scaling**2
        start = smooth_loss(learner.loss).solve(
            sample.X, sample.codes, lanes.label, lanes.cost_fn, lanes.cost_fp, lanes.C,
            sample_weight=sample.weight, classes=sample.fold,
            class_costs=lanes.fold_costs(self.n_folds).T,
            intercept_scaling=(np.inf if scaling is None else scaling) if free else None,
            tol=max(START, learner.tol), max_iter=learner.max_iter,
        )  # fmt: skip
        W = np.ascontiguousarray(start.coef.T)
        state = W, start.intercept, lanes, learner.loss, self.n_folds
        descent = Descent(
            partial(self._run, stage), lanes, curvature_of(sample, *state, ridge),
            free=free, ridge=ridge, radius=self.totals.radius,
            diary=self.diary(lanes, "descent"),
        )  # fmt: skip
        return descent.solve(W, start.intercept, tol=learner.tol, max_iter=MAX_PASSES)

    def _run(
        self, stage: str, W: NDArray[np.float64], b: NDArray[np.float64], lanes: Lanes
    ) -> Slopes:
        found: Slopes = self.engine.reduce(
            stage, slopes, W, b, lanes, self.learner.loss, self.n_folds
        )
        return found
