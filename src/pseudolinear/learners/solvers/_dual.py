"""The squared hinge on sparse rows, by its dual: problems side by side in vector registers.

Passes over the rows maximise the dual one variable at a time (Hsieh et al. 2008). They soon find
out which variables are 0 in the end; where the others end they find slowly if C is large, so that
conjugate gradients over the variables that are not 0 alternate with the passes. The point of these
is clipped where it has the wrong sign, and the way there taken as far as the dual rises.

All points are dual points, with weights ``w = sum_i alpha_i y_i x_i`` that belong to them, so that
the duality gap is that of the objectives of both and does not lag behind them, as half the squared
gradient of a primal method does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pseudolinear.learners.solvers._chains import Chain
from pseudolinear.learners.solvers._design import SparseDesign, aligned, unsigned
from pseudolinear.learners.solvers._order import Fit
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._dual import (
    climb,
    clip,
    inspect,
    maximise,
    settle,
    slopes,
)
from pseudolinear.loops._lanes import spread
from pseudolinear.loops._smooth import store

PASSES = 2  # over the active rows between two inspections
DISTANCE = 0.2  # beyond the margin, from which a row whose variable is 0 rests until the next
STEPS = 60  # most conjugate gradients at a time,
SHARE = 0.5  # and the share of the mean gain at which they end
SETTLED = 0.01  # share of the gap asked for that an intercept may cost
ITERATIONS = 3000  # until it turns out to be the longer way
FREE_OF_COST = 1e-150  # in place of a cost of 0: one over it must be finite


class DualLanes:
    """``LANES`` chains of problems: dual variables, weights and intercepts.

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
        self.design, self.chains, self.free = design, chains, float(free)
        self.norm2, self.radius2 = design.norms2, design.radius**2
        self.rho = (float(self.norm2.mean()) or 1.0) * free
        self.T = aligned((n, LANES))
        self.T[:] = 0.5 / FREE_OF_COST
        for lane, chain in enumerate(chains):
            positive, cost = chain.costs_of_rows(Y, weights)
            self.T[:, lane] = np.where(positive, 0.5, -0.5) / np.maximum(cost, FREE_OF_COST)
        self.B, self.F = np.zeros((2, n, LANES))
        self.W, self.room = aligned((d, LANES)), aligned((d, LANES))
        self.W[:] = 0.0
        self.b, self.soft = np.zeros(LANES), np.ones(LANES)
        self.rng = np.random.RandomState(0)

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
        first = [chain.problems[0] for chain in self.chains]
        self.W[:, : len(first)] = start[0][first][:, columns].T
        self.b[: len(first)] = start[1][first]
        going, level = dict(enumerate(self.chains)), 0
        while going:
            live = np.zeros(LANES)
            for lane, chain in going.items():
                live[lane], self.soft[lane] = 1.0, 1.0 / chain.scales[level]
            self._start(first=level == 0)
            self._solve_level(level, live, tol, min(max_iter, ITERATIONS), columns, fit)
            going = {
                lane: chain
                for lane, chain in going.items()
                if level + 1 < len(chain.scales) and fit.optimality[chain.problems[level]] <= tol
            }
            level += 1

    def _start(self, first: bool) -> None:
        """Take the best multiple of the last solution.

        The first problems start from weights: the derivatives of the loss are a dual point.
        """
        if first:
            y, F = np.sign(self.T), self.design.X @ self.W
            self.B = np.maximum(1.0 - y * (F + self.b), 0.0) / (self.T * self.soft)
            self.W[:] = 0.0
            spread(*self.rows, np.arange(len(self.B), dtype=np.uint32), self.B, self.W)
        size = np.abs(self.B).sum(axis=0)
        square = np.einsum("jq,jq->q", self.W, self.W)
        square += self.soft * np.einsum("iq,iq,iq->q", np.abs(self.T), self.B, self.B)
        multiple = np.where(square > 0.0, size / np.maximum(square, TINY), 1.0)
        self.B *= multiple
        self.W *= multiple

    def _solve_level(
        self,
        level: int,
        live: np.ndarray,
        tol: float,
        max_iter: int,
        columns: np.ndarray,
        fit: Fit,
    ) -> None:
        """Solve the problems of all chains at a level."""
        best, done, rounds = np.zeros(LANES), 0, 0
        while True:
            rows, primal, dual, intercept = self._gauge(live, tol)
            best = np.maximum(best, dual)
            gap = (primal - best) / np.maximum(primal, TINY)
            ended = np.flatnonzero((live > 0.0) & ((gap <= tol) | (done >= max_iter)))
            if len(ended):
                k = np.array([self.chains[int(lane)].problems[level] for lane in ended])
                store(self.W, ended, columns, fit.coef, k)
                fit.intercept[k], fit.optimality[k] = intercept[ended], np.maximum(gap[ended], 0.0)
                fit.n_iter[k] = done
                live[ended] = 0.0
            if not live.any():
                return
            self._climb(rows, live)
            done += PASSES
            if rounds:
                done += self._step(rows, live)
            rounds += 1

    def _gauge(self, live: np.ndarray, tol: float) -> tuple[np.ndarray, ...]:
        """Return active rows, primal objectives, bounds of the dual optima, and best intercepts.

        The variables of the class that has more are made smaller, so that both add up to the same,
        and then all are multiplied by the best factor. ``|sum B x| <= max |x| sum |B|`` bounds the
        square of what the first takes away from the weights.
        """
        active, sums = np.empty(len(self.B), np.uint32), np.empty((6, LANES))
        n_active = inspect(
            *self.rows, self.T, self.soft, live, DISTANCE,
            self.B, self.W, self.b, self.F, active, sums, np.empty(LANES),
        )  # fmt: skip
        intercept, (loss, slope, bend) = self.b.copy(), np.empty((3, LANES))
        settle(self.T, self.soft, self.free, SETTLED * tol, self.F, intercept, loss, slope, bend)
        primal = 0.5 * np.einsum("jq,jq->q", self.W, self.W) + loss
        more, less = np.where(sums[0] > sums[3], (sums[:3], sums[3:]), (sums[3:], sums[:3]))
        excess = self.free * (1.0 - less[0] / np.maximum(more[0], TINY))
        share = 1.0 - excess
        size = share * more[0] + less[0]
        square = share**2 * more[2] + less[2] + more[1] + less[1] - 2.0 * excess * more[1]
        square += self.radius2 * (excess * more[0]) ** 2
        dual = 0.5 * size**2 / np.maximum(square, TINY)
        return active[:n_active], primal, dual, intercept

    def _climb(self, rows: np.ndarray, live: np.ndarray) -> None:
        """Pass over the rows."""
        total, f = np.einsum("iq->q", self.B), np.empty(LANES)
        for _ in range(PASSES):
            climb(
                *self.rows, self.norm2, self.rng.permutation(rows), self.T, self.soft, self.rho,
                live, self.B, self.W, self.b, f, total,
            )  # fmt: skip

    def _step(self, active: np.ndarray, live: np.ndarray) -> int:
        """Step towards the maximum over the variables that are not 0; return the iterations."""
        rows = active[(live * self.B[active]).any(axis=1)]
        f, shift, *others = np.empty((5, LANES))
        G, S, inverse, H = np.empty((4, len(rows), LANES))
        slopes(
            *self.rows, self.norm2, rows, self.T, self.soft, live,
            self.B, self.W, self.b, G, S, inverse, f,
        )  # fmt: skip
        slope = G.copy()
        weight = self.free * inverse.sum(axis=0)
        surplus = self.free * self.B[rows].sum(axis=0)
        P, D = inverse * (-surplus / np.maximum(weight, TINY)), np.zeros_like(G)
        self.room[:] = 0.0
        spread(*self.rows, rows, P, self.room)
        steps = maximise(
            *self.rows, rows, inverse, S, weight, SHARE, STEPS,
            G, P, self.room, H, D, shift, np.empty((7, LANES)),
        )  # fmt: skip
        clip(rows, self.T, inverse, self.free, self.B, D, shift, *others)
        self.room[:] = 0.0
        spread(*self.rows, rows, D, self.room)
        rise = np.einsum("kq,kq->q", slope, D)
        bend = np.einsum("jq,jq->q", self.room, self.room) + np.einsum("kq,kq,kq->q", S, D, D)
        length = live * np.clip(rise / np.maximum(bend, TINY), 0.0, 1.0)
        D *= length
        self.B[rows] += D
        self.room *= length
        self.W += self.room
        self.b += length * shift
        return steps
