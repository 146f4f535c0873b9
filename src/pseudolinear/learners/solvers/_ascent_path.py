"""Kernel problems of one label, solved along few dual variables at a time."""

from typing import NamedTuple

import numpy as np

from pseudolinear.learners.solvers._gram import Gram, WholeGram
from pseudolinear.learners.solvers._kernel_gap import kernel_gap, margin_rounding
from pseudolinear.learners.solvers._kernel_space import KernelSpace
from pseudolinear.learners.solvers._newton import Bounds, LabelPath
from pseudolinear.learners.solvers._polished import polished
from pseudolinear.loops._ascent import (
    PLACES,
    ascend_pairs,
    ascend_singles,
    certificate,
    extremes,
    stationary,
)
from pseudolinear.loops._constants import MARGIN_EPS, TINY

# moved at a time: rounds are few if those between their bounds are among them
WORKING_ROWS = PLACES + 1
ASCENT_STEPS = 12  # per row, after which they give way to Newton's method
SHRUNK = 0.5  # share of the rows above which a working set is no smaller problem than all
ROUND = 4  # steps per row of a working set, before the next one is chosen
ENOUGH = 0.9  # share of the tolerance that a working set aims at; other rows add to its gap
DRIFT = 1e-10  # per bound; within the tolerance, what errors drift by in many steps is far within
NEAR = 1.0 - 1e-12  # share of the bound from which a variable is at the bound
Solution = tuple[np.ndarray, float, float, int]


class State(NamedTuple):
    """How far a point is: intercept, primal - dual, primal, and the range of violating errors."""

    b: float
    slack: float
    primal: float
    largest: float
    smallest: float

    @property
    def stationary(self) -> bool:
        """Whether only rounding is left to gain."""
        return bool(stationary(self.largest, self.smallest))


class AscentPath:
    """Problems of one label solved along few dual variables at a time, or by Newton's method.

    An intercept forces the variables to sum to 0, so they move in pairs, otherwise one by one. Only
    a working set of rows moves at a time, with the block of the Gram matrix that belongs to it: all
    rows first, if they are few, then those that still can improve the dual (Joachims 1999). That
    is fast where most variables end at a bound or K is close to diagonal; Newton's method, which
    takes over where it is not, is fast where K is smooth and C large, so that few rows carry an
    ill-conditioned problem.

    Parameters
    ----------
    gram : Gram
        Gram matrix of the rows.
    y, sw : ndarray of shape (n,)
        Signs and weights of the rows.
    free : bool
        Whether there is an (unpenalised) intercept.
    """

    def __init__(self, gram: Gram, y: np.ndarray, sw: np.ndarray, free: bool) -> None:
        self.gram, self.y, self.sw, self.free = gram, y, sw, free
        self.bounds, self.u = Bounds(0.0, 0.0), np.zeros(y.size)
        self.low, self.high = np.zeros(y.size), np.zeros(y.size)
        self.coef, self.error, self.rounding = np.zeros(y.size), y.copy(), MARGIN_EPS
        self.all, self.size = np.arange(y.size), min(WORKING_ROWS, gram.capacity)

    def solve(self, bounds: Bounds, tol: float, max_iter: int) -> Solution:
        """Solve one problem; return signed dual variables, intercept, gap and steps."""
        self._start(bounds)
        state, n_iter = self._ascend(tol, max_iter)
        b, gap = state.b, state.slack / max(state.primal, TINY)
        if gap > tol and isinstance(self.gram, WholeGram):
            rounded, steps = self._newton(self.gram.K, b, tol, max_iter)
            n_iter += steps
            exact = polished(self.gram.K, self.y, self.u, *rounded, self.free)
            for coef, other_b in (rounded, exact):
                other_gap, error = kernel_gap(self.gram.K, self.y, self.u, coef, other_b)
                if other_gap < gap:
                    b, gap, self.coef, self.error = other_b, other_gap, coef, error
        return self.coef, b, gap, n_iter

    def _newton(
        self, K: np.ndarray, b: float, tol: float, max_iter: int
    ) -> tuple[tuple[np.ndarray, float], int]:
        """Return where Newton's method comes to from here, and its steps."""
        p = np.abs(self.coef) / np.where(self.u > 0.0, self.u, 1.0)
        space = KernelSpace(K, self.y, self.sw, self.free, self.coef, b)
        path = LabelPath(space, self.y, self.sw, p, space.f + b)
        outcome = path.solve(self.bounds, tol, max_iter)
        return (path.dual_coef(self.bounds, outcome.scale), space.b), outcome.n_iter

    def _ascend(self, tol: float, max_iter: int) -> tuple[State, int]:
        """Move one working set after the other; the gap at the end is that of exact errors."""
        n_iter, moved, verified = 0, 1, False
        limit = self.y.size * (ASCENT_STEPS if self.gram.exact else max_iter)
        while True:
            state = self._state()
            done = state.slack <= tol * state.primal or state.stationary
            if done or not moved or n_iter >= limit:
                if verified or self._trusted(state, tol):
                    return state, n_iter
                self.error, verified = self.y - self.gram.exactly_times(self.coef), True
                self.rounding, moved = MARGIN_EPS, 1
                continue
            rows = self._working_rows(state) if n_iter or self.y.size > self.size else self.all
            moved = self._move(rows, state, tol, min(ROUND * rows.size, limit - n_iter))
            n_iter += moved
            verified = verified and not moved

    def _trusted(self, state: State, tol: float) -> bool:
        """Return whether rounding, summed over the steps, is too small for the certificate."""
        return self.gram.exact and DRIFT * self.u.sum() <= tol * state.primal

    def _state(self) -> State:
        problem = self.low, self.high, self.coef, self.error
        largest, smallest = extremes(*problem)
        b = 0.5 * (largest + smallest)
        if not self.free:
            b, largest, smallest = 0.0, max(largest, 0.0), min(smallest, 0.0)
        slack, primal = certificate(self.y, *problem, b)
        slack += (self.rounding + margin_rounding(self.gram.diagonal, self.coef)) * self.u.sum()
        return State(b, slack, primal, largest, smallest)

    def _working_rows(self, state: State) -> np.ndarray:
        """Return the rows that can improve the dual, or those that violate most."""
        up, down = self.coef < self.high, self.coef > self.low
        least, most = (state.smallest, state.largest) if self.free else (0.0, 0.0)
        up, down = up & (self.error > least), down & (self.error < most)
        rows = np.flatnonzero(up | down)
        if self.y.size <= self.size and rows.size > SHRUNK * self.y.size:
            return self.all
        if rows.size <= self.size:
            return rows
        most_up = np.argsort(np.where(up, -self.error, np.inf))[: self.size // 2]
        most_down = np.argsort(np.where(down, self.error, np.inf))[: self.size // 2]
        return np.union1d(most_up, most_down)

    def _move(self, rows: np.ndarray, state: State, tol: float, limit: int) -> int:
        """Improve the variables of some rows; return the number of steps."""
        part = [a[rows] for a in (self.y, self.low, self.high, self.coef, self.error)]
        enough, share = 0.0, ENOUGH * tol
        if rows.size < self.y.size:
            slack = certificate(*part, state.b)[0]
            enough, share = 0.1 * slack, 0.0
            if slack > ENOUGH * state.slack:  # no other rows to come: these may solve the problem
                enough = max(enough, ENOUGH * tol * state.primal)
        ascend = ascend_pairs if self.free else ascend_singles
        n_iter = ascend(self.gram.block(rows), self.gram.scale, *part, enough, share, limit)
        step = np.zeros(self.y.size)
        step[rows] = part[3] - self.coef[rows]
        self.coef[rows] = part[3]
        self.error -= self.gram.times(step)
        return n_iter

    def _start(self, bounds: Bounds) -> None:
        """Move to the best point between two near the last solution that the new bounds allow.

        In one the variables keep their fraction of the bound (C small), in the other their value,
        unless they were at the bound (C large). Both are the last solution, scaled, and what may
        be added to it, so that their products with the Gram matrix cost few rows.
        """
        ratios = [new / old for new, old in zip(bounds, self.bounds, strict=True) if old > 0.0]
        if ratios and ratios[0] != ratios[-1]:  # lines of problems start without rounding errors
            self.error, self.rounding = self.y - self.gram.times(self.coef), MARGIN_EPS
        u = bounds.rows(self.y) * self.sw
        alpha, f, r = np.abs(self.coef), self.y - self.error, min(ratios, default=1.0)
        base = min(r, 1.0)
        bounded = (alpha == self.u) & (bool(ratios) or u.size <= self.size)  # many start at 0
        kept = np.where(bounded, u, np.minimum(alpha, u))
        added = self._balanced(np.maximum(kept - base * alpha, 0.0))
        coefs = np.stack([r * self.coef, base * self.coef + added])
        products = np.stack([r * f, base * f + self.gram.times(added)])
        mix = best_mixture(coefs @ self.y, coefs @ products.T)
        alpha = np.abs(mix @ coefs)
        self.coef = self.y * np.where(alpha > NEAR * u, u, alpha)
        self.error = self.y - mix @ products
        self.rounding = MARGIN_EPS + max(r, 1.0) * self.rounding
        self.bounds, self.u = bounds, u
        self.low, self.high = np.where(self.y > 0, 0.0, -u), np.where(self.y > 0, u, 0.0)

    def _balanced(self, alpha: np.ndarray) -> np.ndarray:
        """Return signed dual variables, classes scaled to equal sums if there is an intercept."""
        if self.free:
            positive = self.y > 0
            sums = np.array([alpha[~positive].sum(), alpha[positive].sum()])
            alpha = alpha * (sums.min() / np.maximum(sums, TINY))[positive.astype(int)]
        return self.y * alpha


def best_mixture(totals: np.ndarray, gram: np.ndarray) -> np.ndarray:
    """Return the weights of two points that maximise the dual, of sum at most 1."""
    bend = gram[0, 0] - gram[0, 1] - gram[1, 0] + gram[1, 1]
    slope = totals[1] - totals[0] - gram[0, 1] + gram[0, 0]
    t = min(max(slope / bend, 0.0), 1.0) if bend > 0.0 else float(slope > 0.0)
    mix = np.array([1.0 - t, t])
    norm2 = mix @ gram @ mix
    return mix * (min(1.0, mix @ totals / norm2) if norm2 > 0.0 else 1.0)
