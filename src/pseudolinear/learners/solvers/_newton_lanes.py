"""The squared hinge on wide sparse rows, by Newton steps: problems side by side in registers.

A step solves Newton's equation by conjugate gradients over the rows that have a loss, and over the
features of these. It is a direction for all of a register's problems, so single precision does.

Rows a little beyond the margin count as curved as well. Without them a step runs into their losses
at once and is cut short: at large C the active rows then change by a few in each of many steps. How
far beyond is a share of the mean distance of the rows with a loss, which grows when steps are cut
short and shrinks when they are not.

At the end of a step the model has derivatives of the loss that are a dual point, of which the value
bounds the optimum. Its gap is that of the equation's residual, not of the gradient after the step,
in which rows that have become active show with all of their cost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pseudolinear.learners.solvers._chains import Chain
from pseudolinear.learners.solvers._design import SparseDesign, aligned, unsigned
from pseudolinear.learners.solvers._order import Fit
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._lanes import compact
from pseudolinear.loops._newton_lanes import (
    active_rows,
    along_step,
    bend,
    go,
    gradient,
    newton,
    predict,
    project,
    put,
    search,
    weigh,
)
from pseudolinear.loops._smooth import extrapolate, store

STEPS = 100  # most conjugate gradients of an equation
SHARE = 0.1  # of the gradient's norm that may be left of it,
TARGET = 0.5  # or of the gap that is allowed
ITERATIONS = 100  # until it turns out to be the longer way
SEARCHES = 12  # most evaluations along a step
LIGHT = 1e-30  # curvature of which single precision could not hold the inverse
SETTLED = 0.02  # share of the gap asked for that step and intercept may leave
SHORT, LONG = 0.5, 0.9  # steps after which more rows count as curved, or fewer
REACH, LEAST, MOST = 0.05, 0.01, 1.0  # how far these are, in mean distances: at first, and bounds


class NewtonLanes:
    """``LANES`` chains of problems at a time: weights, intercepts and scores of all rows.

    Parameters
    ----------
    design : SparseDesign
        The rows.
    Y : ndarray of shape (n, L)
        Labels, 0 or 1.
    weights : RowWeights
        What the rows weigh.
    free : bool
        Whether there is an intercept; it is not regularised.
    """

    def __init__(
        self, design: SparseDesign, Y: np.ndarray, weights: RowWeights, free: bool
    ) -> None:
        n, d = design.shape
        self.rows = *unsigned(design.X), design.X.data
        self.Y, self.weights = Y, weights
        self.free, self.radius2 = float(free), design.radius**2
        self.T, self.F, self.F_old, self.XS = (aligned((n, LANES)) for _ in range(4))
        self.W, self.W_old, self.S = (aligned((d, LANES)) for _ in range(3))
        # room for the rows and features of a step
        entries = design.X.nnz
        self.place, self.columns = np.zeros((2, d), np.uint32)
        self.starts, self.own = np.empty(n + 1, np.uint32), np.empty(entries, np.uint32)
        self.values, self.single = np.empty(entries), np.empty(entries, np.float32)
        single, double = np.dtype(np.float32), np.dtype(np.float64)
        self.of_rows = [aligned((n, LANES), kind) for kind in (double, double, single)]
        self.of_columns = [aligned((d, LANES), kind) for kind in (double, *6 * [single])]

    def solve(
        self,
        chains: Sequence[Chain],
        tol: float,
        max_iter: int,
        columns: np.ndarray,
        start: tuple[np.ndarray, np.ndarray],
        fit: Fit,
    ) -> None:
        """Solve the problems of chains, one for each lane, and write them into ``fit``.

        A chain ends with the first problem that is not solved in time.
        """
        self._load(chains, columns, start)
        nothing = np.zeros(LANES)
        objective = self._search(self.live, nothing, nothing, tol)
        while True:
            next_ones = self._finish(objective, tol, min(max_iter, ITERATIONS), columns, fit)
            if not self.live.any():
                return
            if next_ones.any():
                self._extrapolate(next_ones)
                objective = self._search(next_ones, next_ones * (self.level > 1), nothing, tol)
                continue
            self.iterations += 1
            e = self._step(tol * objective)
            objective = self._search(self.live, self.live, e, tol)
            self._guard()

    def _load(
        self, chains: Sequence[Chain], columns: np.ndarray, start: tuple[np.ndarray, np.ndarray]
    ) -> None:
        """Put chains into the lanes, with the weights that their first problems start from."""
        self.chains = chains
        self.T[:] = self.W[:] = self.S[:] = self.XS[:] = 0.0
        self.b, self.scale, self.live, self.bound, self.reach = np.zeros((5, LANES))
        self.guard = np.full(LANES, REACH)
        self.level, self.iterations = np.zeros((2, LANES), np.int64)
        for lane, chain in enumerate(chains):
            positive, cost = chain.costs_of_rows(self.Y, self.weights)
            self.T[:, lane] = np.where(positive, 2.0, -2.0) * cost
            self.W[:, lane] = start[0][chain.problems[0], columns]
            self.b[lane] = start[1][chain.problems[0]]
            self.scale[lane], self.live[lane] = chain.scales[0], 1.0
        project(*self.rows, self.W, self.F)
        self.W_old[:], self.F_old[:] = self.W, self.F

    def _finish(
        self, objective: np.ndarray, tol: float, max_iter: int, columns: np.ndarray, fit: Fit
    ) -> np.ndarray:
        """Write what is solved into ``fit``; return 1 for the lanes that have a next problem."""
        gap = np.maximum(objective - self.bound, 0.0) / np.maximum(objective, TINY)
        solved = gap <= tol
        over = (self.live > 0.0) & (solved | (self.iterations >= max_iter))
        ended = np.flatnonzero(over)
        next_ones = np.zeros(LANES)
        if not len(ended):
            return next_ones
        k = np.array([self.chains[int(j)].problems[self.level[j]] for j in ended])
        store(self.W, ended, columns, fit.coef, k)
        fit.intercept[k], fit.optimality[k] = self.b[ended], gap[ended]
        fit.n_iter[k] = self.iterations[ended]
        self.level[ended] += 1
        self.iterations[ended], self.bound[ended] = 0, 0.0
        for j in ended:
            scales = self.chains[int(j)].scales
            if solved[j] and self.level[j] < len(scales):
                self.scale[j], next_ones[j] = scales[self.level[j]], 1.0
            else:
                self.live[j] = 0.0
        return next_ones

    def _extrapolate(self, lanes: np.ndarray) -> None:
        """Take the line through the last two solutions as the next step of some lanes."""
        self.S[:] = self.XS[:] = 0.0
        extrapolate(lanes > 0.0, self.W, self.W_old, self.S)
        extrapolate(lanes > 0.0, self.F, self.F_old, self.XS)

    def _search(self, lanes: np.ndarray, t: np.ndarray, e: np.ndarray, tol: float) -> np.ndarray:
        """Move some lanes to the best length of their step and the best intercept.

        Both are looked for from ``t`` and ``b + e`` on. Returns the objectives.
        """
        norm2, along, length, loss, distance = np.empty((5, LANES))
        along_step(self.W, self.S, norm2, along, length)
        t, b = lanes * t, self.b + lanes * e
        search(
            self.T, self.F, self.XS, lanes, self.scale, self.free, self.radius2, SETTLED * tol,
            norm2, along, length, SEARCHES, t, b, loss, distance, np.empty((12, LANES)),
        )  # fmt: skip
        self.length, self.b = t, b
        go(self.F, self.XS, t)
        go(self.W, self.S, t)
        self.reach = self.guard * distance
        return 0.5 * norm2 + t * along + 0.5 * t**2 * length + loss

    def _guard(self) -> None:
        """Let more rows count as curved in lanes whose step was cut short, fewer in others."""
        factor = np.where(self.length < SHORT, 2.0, np.where(self.length > LONG, 0.5, 1.0))
        guard = np.clip(self.guard * factor, LEAST, MOST)
        self.reach *= guard / self.guard
        self.guard = guard

    def _step(self, enough: np.ndarray) -> np.ndarray:
        """Write Newton's step into ``S``, raise the bounds, return the intercepts' step."""
        rows = np.empty(len(self.F), np.uint32)
        rows = rows[: active_rows(self.T, self.live, self.F, self.b, self.reach, rows)]
        entries = self.starts, self.own, self.values
        d = compact(*self.rows, rows, self.place, *entries, self.single, self.columns)
        columns = self.columns[:d]
        D, A, single = (array[: len(rows)] for array in self.of_rows)
        V, R, step, P, H, U, inverse = (array[:d] for array in self.of_columns)
        total, *small = np.empty((3, LANES))
        where = self.T, self.scale, self.live, self.F, self.b, self.reach
        weigh(*entries, rows, *where, D, V, total, *small)
        gradient(self.W, self.live, columns, V, R, self.S)
        single[:] = D
        of_lanes = self.free / np.maximum(total, LIGHT), 2.0 * TARGET * enough, self.live
        weight, small_enough, live = np.array(of_lanes, np.float32)
        e, room = np.empty(LANES, np.float32), np.empty((9, LANES), np.float32)
        bend(self.starts, self.own, self.single, single, U, inverse, e)
        newton(
            self.starts, self.own, self.single, single, U, weight, inverse, small_enough,
            np.float32(SHARE**2), STEPS, live, R, step, e, P, H, room,
        )  # fmt: skip
        put(columns, step, self.S)
        project(*self.rows, self.S, self.XS)
        size, square, *sums = np.empty((7, LANES))
        predict(
            *entries, rows, self.T, D, self.F, self.XS, self.b + e, self.free > 0.0,
            A, V, *sums[:4], size, square, sums[4],
        )  # fmt: skip
        self.bound = np.maximum(self.bound, 0.5 * size**2 / np.maximum(square, TINY))
        return e
