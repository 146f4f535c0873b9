r"""Batched dual coordinate descent for linear support vector machines on wide sparse data.

The dual is maximised one variable at a time (Hsieh et al. 2008), for the problems of a batch side
by side. The intercept b is the multiplier of the constraint

.. math:: s = \sum_i \alpha_i y_i - \kappa b = 0,

where :math:`\kappa b^2 / 2` is its penalty, :math:`\kappa = 0` for a free intercept. The method of
multipliers enforces it: a penalty :math:`\rho s^2 / 2` acts like a constant feature of value
:math:`\sqrt\rho`, and after every pass the intercept moves on by :math:`\rho s`. So a large
constant feature, which would ruin the condition of the dual, never enters it.

Passes find out which variables end at a bound, soon, and where the others end, slowly if C is
large: then conjugate gradients on the free variables alternate with the passes.
"""

import numpy as np
from scipy import sparse

from pseudolinear.learners.solvers._design import unsigned
from pseudolinear.learners.solvers._order import Fit, Problems, Rows, lines
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._coordinates import accumulate, best_intercepts, inspect, sweep
from pseudolinear.loops._face import free_rows, gather, maximise
from pseudolinear.loops._lanes import compact, spread

PASSES = 5  # largest number of passes over the active rows between two inspections
FACE_FROM = 19  # passes after which the free variables are solved for together as well
FACE_SHARE = 0.5  # of the gap asked for, what the free rows may still lose when those steps end
HALVINGS = 30  # of an interval of intercepts: a billionth of it is left
DISTANCE = 0.2  # distance from the margin from which a row at its bound rests until the next


class Batch:
    """State of ``LANES`` problems: dual variables, weights and intercepts.

    Parameters
    ----------
    X : csr_matrix of shape (n, d)
        Rows.
    y : ndarray of shape (n, LANES)
        Signs.
    sw : ndarray of shape (n,)
        Sample weights.
    kappa : float or None
        Penalty of the intercept, None without one.
    """

    def __init__(self, X: Rows, y: np.ndarray, sw: np.ndarray, kappa: float | None) -> None:
        n, d = X.shape
        self.arrays = *unsigned(X), X.data
        self.norm2 = np.asarray(X.multiply(X).sum(axis=1)).ravel()
        self.y, self.sw, self.kappa = y, sw, kappa
        typical = float(self.norm2.mean()) or 1.0
        self.rho = 0.0 if kappa is None else 1.0 / (1.0 / typical + kappa)
        self.A, self.U = np.zeros((n, LANES)), np.zeros((n, LANES))
        self.W = np.zeros((d, LANES))
        self.room = np.zeros((d, LANES))
        self.face = (  # room for the rows of a face
            np.zeros(d, np.uint32),
            np.empty(n + 1, np.uint32),
            np.empty(X.nnz, np.uint32),
            np.empty(X.nnz),
            np.empty(X.nnz, np.float32),
            np.empty(d, np.uint32),
        )
        self.b = np.zeros(LANES)
        self.rng = np.random.RandomState(0)

    def solve(
        self, negative: np.ndarray, positive: np.ndarray, tol: float, max_iter: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Solve the problems with these bounds; return intercepts, gaps and passes."""
        self._move_bounds(np.where(self.y > 0, positive, negative) * self.sw[:, None])
        live = np.ones(LANES)
        gap, n_iter = np.ones(LANES), np.zeros(LANES, np.int64)
        intercept = self.b
        best_dual = np.zeros(LANES)
        active, (F, bends) = np.empty(len(self.A), np.uint32), np.empty((2, *self.A.shape))
        state = self.y, self.U, self.A, self.W, self.b
        done, passes = 0, 0
        while True:
            sums, room = np.empty((5, LANES)), np.empty(LANES)
            n_active = inspect(*self.arrays, *state, live, DISTANCE, active, F, *sums, room)
            b = self.b
            if self.kappa == 0.0:
                b = np.empty(LANES)
                best_intercepts(
                    self.y, self.U, F, HALVINGS, bends, b, sums[0], *np.empty((4, LANES))
                )
            primal, dual = self._objectives(sums)
            best_dual = np.maximum(best_dual, dual)
            now = (primal - best_dual) / np.maximum(primal, TINY)
            gap = np.where(live > 0, now, gap)
            intercept = np.where(live > 0, b, intercept)
            n_iter[live > 0] = done
            live[gap <= tol] = 0.0
            if done >= max_iter or not live.any():
                return intercept, gap, n_iter
            passes = min(passes + 2, PASSES)
            for _ in range(passes):
                rows = self.rng.permutation(active[:n_active])
                sweep(*self.arrays, self.norm2, rows, *state, self.rho, live, room)
                self._move_intercept(live)
            done += passes
            if done > FACE_FROM:
                self._solve_face(active[:n_active], live, FACE_SHARE * tol * primal, done)

    def _solve_face(
        self, active: np.ndarray, live: np.ndarray, enough: np.ndarray, limit: int
    ) -> None:
        """Maximise the dual over the variables that are strictly between their bounds."""
        rows = free_rows(self.A, self.U, live, active)
        A, U, y = self.A[rows], self.U[rows], self.y[rows]
        inverse = live * (A > 0.0) * (A < U) / (self.norm2[rows] + self.rho)[:, None]
        slopes = np.empty_like(A)
        gather(*self.arrays, rows, self.W, self.b, slopes)
        np.subtract(y, slopes, out=slopes)
        low, high = np.where(y > 0, -A, A - U), np.where(y > 0, U - A, A)
        d = compact(*self.arrays, rows, *self.face)
        starts, own, values, _, _ = self.face[1:]
        step = maximise(
            starts, own, values, inverse, slopes, low, high, U, self.rho, enough, limit,
            self.room[:d],
        )  # fmt: skip
        self.room[:] = 0.0
        spread(*self.arrays, rows, step, self.room)
        new = np.where(step == high, np.where(y > 0, U, 0.0), np.clip(A + y * step, 0.0, U))
        self.A[rows] = np.where(step == 0.0, A, np.where(step == low, np.where(y > 0, 0.0, U), new))
        self.W += self.room
        self.b += self.rho * step.sum(axis=0)
        self._move_intercept(live)

    def _move_intercept(self, live: np.ndarray) -> None:
        """Let the multiplier of the constraint follow its violation."""
        if self.kappa is not None:
            surplus = np.einsum("iq,iq->q", self.A, self.y) - self.kappa * self.b
            self.b += live * self.rho * surplus

    def _move_bounds(self, U: np.ndarray) -> None:
        """Start each problem from the better of two points near the last solution.

        The dual variables keep their fraction of the bound (C small), or their value unless they
        were at the bound (C large). With an intercept the classes are scaled to equal sums; then
        all are scaled to the best dual value.
        """
        positive = self.y > 0
        kept = np.where(self.A == self.U, U, np.minimum(self.A, U))
        same_fraction = self.A / np.where(self.U > 0, self.U, 1.0) * U
        best = np.full(LANES, -np.inf)
        A, W = np.zeros_like(self.A), np.zeros_like(self.W)
        for guess in (kept, same_fraction):
            if self.kappa is not None:
                sums = np.array([np.where(positive, 0.0, guess).sum(0), (positive * guess).sum(0)])
                share = sums.min(axis=0) / np.maximum(sums, TINY)
                guess = guess * np.where(positive, share[1], share[0])
            accumulate(*self.arrays, self.y, guess, self.W)
            total, norm2 = guess.sum(axis=0), np.einsum("jq,jq->q", self.W, self.W)
            scale = np.minimum(1.0, total / np.maximum(norm2, TINY * (1.0 + total)))
            dual = scale * total - 0.5 * scale**2 * norm2
            better = dual > best
            best = np.maximum(best, dual)
            A, W = np.where(better, scale * guess, A), np.where(better, scale * self.W, W)
        self.A, self.U, self.W = A, U, W

    def _objectives(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the primal objectives and lower bounds of the dual optima.

        If the constraint is violated by ``s``, the dual variables of the class in excess are scaled
        down; ``|sum A x| <= max |x| sum A`` bounds the square of what that takes away from w.
        """
        half = 0.5 * np.einsum("jq,jq->q", self.W, self.W)
        primal, dual = half + sums[0], sums[1] + sums[2] - half
        if self.kappa is not None:
            penalty = 0.5 * self.kappa * self.b**2
            primal, dual = primal + penalty, dual - penalty
            surplus = sums[2] - sums[1] - self.kappa * self.b
            excess = np.where(surplus > 0, sums[2], sums[1])
            product = np.where(surplus > 0, sums[4], sums[3])
            s = np.abs(surplus)
            dual = np.where(s <= excess, dual, -np.inf)  # more than the class can give
            share = s / np.maximum(excess, TINY)
            dual = dual - s + share * product - 0.5 * s**2 * self.norm2.max()
        return primal, dual


def solve_coordinates(
    X: Rows,
    Y: np.ndarray,
    problems: Problems,
    sw: np.ndarray,
    intercept_scaling: float | None,
    tol: float,
    max_iter: int,
) -> Fit:
    """Solve the problems in batches of lines: every line runs through its values of C."""
    X = sparse.csr_matrix(X)
    kappa = None if intercept_scaling is None else 1.0 / intercept_scaling**2
    p, d = problems.C.size, X.shape[1]
    fit = Fit(np.zeros((p, d)), np.zeros(p), np.zeros(p), np.zeros(p, np.int64))
    queue = [(label, line) for label, rows in lines(problems) for line in rows]
    for start in range(0, len(queue), LANES):
        chunk = queue[start : start + LANES]
        chunk += chunk[-1:] * (LANES - len(chunk))
        y = np.where(Y[:, [label for label, _ in chunk]] > 0, 1.0, -1.0)
        batch = Batch(X, y, sw, kappa)
        for level in range(max(line.size for _, line in chunk)):
            index = np.array([line[min(level, line.size - 1)] for _, line in chunk])
            negative, positive = np.array([problems.bounds(i) for i in index]).T
            intercept, gap, n_iter = batch.solve(negative, positive, tol, max_iter)
            fit.coef[index], fit.intercept[index] = batch.W.T, intercept
            fit.optimality[index], fit.n_iter[index] = gap, n_iter
    return fit
