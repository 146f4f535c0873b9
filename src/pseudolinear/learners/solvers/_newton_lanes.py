"""The squared hinge on many sparse rows, by Newton steps: problems side by side in registers.

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
from pseudolinear.loops._newton_lanes import (
    active_rows,
    gather,
    moments,
    newton,
    predict,
    project,
    weigh,
)
from pseudolinear.loops._smooth import store

STEPS = 100  # most conjugate gradients of an equation
SHARE = 0.1  # of the gradient's norm that may be left of it,
TARGET = 0.5  # or of the gap that is allowed
ITERATIONS = 100  # until it turns out to be the longer way
SEARCHES = 12  # most evaluations along a step
SETTLED = 0.02  # share of the gap asked for that step and intercept may leave
SHORT, LONG = 0.5, 0.9  # steps after which more rows count as curved, or fewer
REACH, LEAST, MOST = 0.05, 0.01, 1.0  # how far these are, in mean distances: at first, and bounds


class NewtonLanes:
    """``LANES`` chains of problems: weights, intercepts and scores of all rows.

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
    chains : sequence of Chain
        As many as there are lanes at the most.
    """

    def __init__(
        self,
        design: SparseDesign,
        Y: np.ndarray,
        weights: RowWeights,
        free: bool,
        chains: Sequence[Chain],
    ) -> None:
        n, d = design.shape
        self.rows = *unsigned(design.X), design.X.data
        self.chains, self.free, self.radius2 = chains, float(free), design.radius**2
        self.T, self.F, self.F_old, self.XS = (aligned((n, LANES)) for _ in range(4))
        self.W, self.W_old, self.S = (aligned((d, LANES)) for _ in range(3))
        self.T[:] = self.W[:] = self.S[:] = self.XS[:] = 0.0
        for lane, chain in enumerate(chains):
            positive, cost = chain.costs_of_rows(Y, weights)
            self.T[:, lane] = np.where(positive, 2.0, -2.0) * cost
        self.b, self.scale, self.live, self.bound, self.reach = np.zeros((5, LANES))
        self.guard = np.full(LANES, REACH)
        self.level, self.iterations = np.zeros((2, LANES), np.int64)
        self.place = np.zeros(d, np.uint32)

    def solve(
        self,
        tol: float,
        max_iter: int,
        columns: np.ndarray,
        start: tuple[np.ndarray, np.ndarray],
        fit: Fit,
    ) -> None:
        """Solve the problems of the chains and write them into ``fit``.

        A chain ends with the first problem that is not solved in time.
        """
        k = len(self.chains)
        first = [chain.problems[0] for chain in self.chains]
        self.W[:, :k], self.b[:k] = start[0][first][:, columns].T, start[1][first]
        self.scale[:k], self.live[:k] = [chain.scales[0] for chain in self.chains], 1.0
        project(*self.rows, self.W, self.F)
        self.W_old[:], self.F_old[:] = self.W, self.F
        nothing = np.zeros(LANES)
        loss = self._search(self.live, nothing, nothing, tol)
        while True:
            objective = 0.5 * squares(self.W) + loss
            next_ones = self._finish(objective, tol, min(max_iter, ITERATIONS), columns, fit)
            if not self.live.any():
                return
            if next_ones.any():
                self._extrapolate(next_ones)
                loss = self._search(next_ones, next_ones * (self.level > 1), nothing, tol)
                continue
            self.iterations += 1
            e = self._step(tol * objective)
            project(*self.rows, self.S, self.XS)
            loss = self._search(self.live, self.live, e, tol)
            self._guard()

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
        for j in np.flatnonzero(lanes):
            self.S[:, j] = self.W[:, j] - self.W_old[:, j]
            self.XS[:, j] = self.F[:, j] - self.F_old[:, j]
            self.W_old[:, j], self.F_old[:, j] = self.W[:, j], self.F[:, j]

    def _search(self, lanes: np.ndarray, t: np.ndarray, e: np.ndarray, tol: float) -> np.ndarray:
        """Move some lanes to the best length of their step and the best intercept; return losses.

        Both together are found by Newton's method, from ``t`` and ``b + e`` on: the objective is
        a parabola between two bends. A move that makes it larger is halved.
        """
        along, length, norm2 = dots(self.S, self.W), squares(self.S), squares(self.W)
        t, b = lanes * t, self.b + lanes * e
        going, best, room = lanes > 0.0, np.full(LANES, np.inf), np.empty((7, LANES))
        best_t, best_b, (move_t, move_b) = t, b, np.zeros((2, LANES))
        for number in range(SEARCHES + 1):
            if number == SEARCHES:
                t, b = np.where(going, best_t, t), np.where(going, best_b, b)
            moments(self.T, self.F, self.XS, t, b, *room)
            loss, slope, tilt, bend, cross, total = room[1:] * self.scale
            if number == SEARCHES:
                break
            value = loss + 0.5 * norm2 + t * along + 0.5 * t * t * length
            slope, bend = slope + along + t * length, bend + length
            tilt, cross, total = tilt * self.free, cross * self.free, np.maximum(total, TINY)
            area = np.maximum(bend * total - cross**2, 1e-12 * bend * total)
            dt = np.where(length > 0.0, (cross * tilt - total * slope) / np.maximum(area, TINY), 0)
            db = -self.free * (tilt + cross * dt) / total
            better = going & (value <= best * (1.0 + 1e-12))
            best = np.where(better, value, best)
            best_t, best_b = np.where(better, t, best_t), np.where(better, b, best_b)
            near = -0.5 * (slope * dt + tilt * db) <= SETTLED * tol * value
            near &= self.radius2 * tilt**2 <= SETTLED * tol * value
            going &= ~(better & near)
            if not going.any():
                break
            move_t = np.where(better, dt, 0.5 * move_t)
            move_b = np.where(better, db, 0.5 * move_b)
            t, b = np.where(going, best_t + move_t, t), np.where(going, best_b + move_b, b)
        self.length, self.b = t, b
        self.XS *= t
        self.F += self.XS
        self.S *= t
        self.W += self.S
        distance = np.sqrt(2.0 * room[1] / np.maximum(room[6], TINY))
        self.reach = self.guard * distance
        return loss

    def _guard(self) -> None:
        """Let more rows count as curved in lanes whose step was cut short, fewer in others."""
        factor = np.where(self.length < SHORT, 2.0, np.where(self.length > LONG, 0.5, 1.0))
        guard = np.clip(self.guard * factor, LEAST, MOST)
        self.reach *= guard / self.guard
        self.guard = guard

    def _step(self, enough: np.ndarray) -> np.ndarray:
        """Write Newton's step into ``S``, raise the bounds, return the intercepts' step."""
        indptr, indices, data = self.rows
        rows = np.empty(len(self.F), np.uint32)
        rows = rows[: active_rows(self.T, self.live, self.F, self.b, self.reach, rows)]
        m, entries = len(rows), int((indptr[rows + 1] - indptr[rows]).sum())
        starts, own = np.empty(m + 1, np.uint32), np.empty(entries, np.uint32)
        values = np.empty(entries)
        columns = np.empty(len(self.W), np.uint32)
        d = gather(indptr, indices, data, rows, self.place, starts, own, values, columns)
        columns = columns[:d]
        D, A = aligned((m, LANES)), aligned((m, LANES))
        V, Q = aligned((d, LANES)), aligned((d, LANES))
        V[:], Q[:] = 0.0, 1.0
        total, *small = np.empty((3, LANES))
        where = self.T, self.scale, self.live, self.F, self.b, self.reach
        weigh(starts, own, values, rows, *where, D, V, Q, total, *small)
        np.multiply(self.W, -self.live, out=self.S)  # that is all where no row is curved

        def single(array: np.ndarray) -> np.ndarray:
            return array.astype(np.float32)

        gradient, root = single(self.S[columns] + V), single(np.sqrt(Q))  # as in ``Diagonal``
        step, P, H = (aligned((d, LANES), np.float32) for _ in range(3))
        scores, Z = (aligned((m, LANES), np.float32) for _ in range(2))
        e, room = np.empty(LANES, np.float32), np.empty((8, LANES), np.float32)
        newton(
            starts, own, single(values), single(D), single(total), np.float32(self.free), root,
            single(2.0 * TARGET * enough), np.float32(SHARE**2), STEPS, single(self.live),
            gradient, step, scores, e, P, H, Z, room,
        )  # fmt: skip
        self.S[columns] = step
        V[:] = 0.0
        size, square, *sums = np.empty((7, LANES))
        predict(
            starts, own, values, rows, self.T, D, self.F, scores, self.b + e, self.free > 0.0,
            A, V, *sums[:4], size, square, sums[4],
        )  # fmt: skip
        square += squares(V)
        self.bound = np.maximum(self.bound, 0.5 * size**2 / np.maximum(square, TINY))
        return e


def dots(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the inner products of the columns."""
    return np.einsum("jq,jq->q", A, B)


def squares(A: np.ndarray) -> np.ndarray:
    """Return the squared norms of the columns."""
    return dots(A, A)
