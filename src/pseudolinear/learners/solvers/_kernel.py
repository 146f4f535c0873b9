"""Batched kernel support vector machines that share one Gram matrix."""

from typing import NamedTuple

import numpy as np

from pseudolinear.learners.solvers._kernel_space import KernelSpace
from pseudolinear.learners.solvers._newton import Bounds, LabelPath
from pseudolinear.learners.solvers._one_sided import one_sided_problems
from pseudolinear.learners.solvers._order import Problems, label_paths
from pseudolinear.loops._ascent import ascend_pairs, ascend_singles, combine
from pseudolinear.loops._constants import TINY

NEWTON_ROWS = 100  # up to here Newton's method alone: weights then act as repeated rows exactly
ASCENT_STEPS = 12  # per row, after which they give way to Newton's method


class KernelFit(NamedTuple):
    """Solutions of p problems: signed dual variables, intercepts, relative gaps, iterations."""

    dual_coef: np.ndarray
    intercept: np.ndarray
    optimality: np.ndarray
    n_iter: np.ndarray


def solve_kernel(
    K: np.ndarray,
    Y: np.ndarray,
    labels: np.ndarray,
    cost_fn: np.ndarray,
    cost_fp: np.ndarray,
    C: np.ndarray,
    sample_weight: np.ndarray | None = None,
    fit_intercept: bool = True,
    tol: float = 1e-3,
    max_iter: int = 1000,
) -> KernelFit:
    """Solve every problem (label, cost_fn, cost_fp, C) with the hinge loss under a kernel.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix of the training rows.
    Y : ndarray of shape (n, L)
        Labels, 0 or 1.
    labels, cost_fn, cost_fp, C : ndarray of shape (p,)
        The problems.
    sample_weight : ndarray of shape (n,), optional
        Weights of the rows.
    fit_intercept : bool
        Whether there is an (unpenalised) intercept.
    tol : float
        Relative duality gap, (primal - dual) / primal, at which a problem is solved.
    max_iter : int
        Limit of Newton steps per problem (steps along few variables have their own).

    Returns
    -------
    KernelFit
        ``dual_coef`` (p, n): alpha_i y_i; ``intercept``, ``optimality`` and ``n_iter`` (p,). The
        gap is that of the primal and dual objectives of the reported dual variables.
    """
    problems = Problems(*map(np.asarray, (labels, cost_fn, cost_fp, C)))
    n, p = K.shape[0], problems.C.size
    sw = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    fit = KernelFit(np.zeros((p, n)), np.zeros(p), np.zeros(p), np.zeros(p, np.int64))
    todo = np.arange(p)
    if fit_intercept:
        radius = float(np.sqrt(max(K.diagonal().max(initial=0.0), 0.0)))
        side, gap = one_sided_problems(problems, Y, sw, radius, tol)
        fit.intercept[:], fit.optimality[:] = side, gap
        todo = np.flatnonzero(fit.intercept == 0)
    for label, order in label_paths(problems.take(todo)):
        y = np.where(Y[:, label] > 0, 1.0, -1.0)
        path = (NewtonPath if n <= NEWTON_ROWS else AscentPath)(K, y, sw, fit_intercept)
        for i in todo[order]:
            bounds = Bounds(*problems.bounds(i))
            fit.dual_coef[i], fit.intercept[i], fit.optimality[i], fit.n_iter[i] = path.solve(
                bounds, tol, max_iter
            )
    return fit


Solution = tuple[np.ndarray, float, float, int]


class NewtonPath:
    """Problems of one label solved by Newton's method alone."""

    def __init__(self, K: np.ndarray, y: np.ndarray, sw: np.ndarray, free: bool) -> None:
        self.space = KernelSpace(K, y, sw, free)
        self.path = LabelPath(self.space, y, sw)

    def solve(self, bounds: Bounds, tol: float, max_iter: int) -> Solution:
        """Solve one problem; return signed dual variables, intercept, gap and steps."""
        outcome = self.path.solve(bounds, tol, max_iter)
        coef = self.path.dual_coef(bounds, outcome.scale)
        return coef, self.space.b, outcome.gap, outcome.n_iter


class AscentPath:
    """Problems of one label solved along few dual variables at a time, or by Newton's method.

    An intercept forces the variables to sum to 0, so they move in pairs, otherwise one by one. That
    is fast where most variables end at a bound or K is close to diagonal; Newton's method, which
    takes over where it is not, is fast where K is smooth and C large, so that few rows carry an
    ill-conditioned problem.
    """

    def __init__(self, K: np.ndarray, y: np.ndarray, sw: np.ndarray, free: bool) -> None:
        self.K, self.y, self.sw, self.free = K, y, sw, free
        self.u = np.zeros(y.size)
        self.coef = np.zeros(y.size)

    def solve(self, bounds: Bounds, tol: float, max_iter: int) -> Solution:
        """Solve one problem; return signed dual variables, intercept, gap and steps."""
        y, u = self.y, bounds.rows(self.y) * self.sw
        self.coef, error = self._start(u)
        self.u = u
        low, high = np.where(y > 0, 0.0, -u), np.where(y > 0, u, 0.0)
        ascend = ascend_pairs if self.free else ascend_singles
        limit = ASCENT_STEPS * y.size
        b, gap, n_iter = ascend(self.K, y, low, high, self.coef, error, tol, limit)
        if gap > tol:
            p = np.abs(self.coef) / np.where(u > 0.0, u, 1.0)
            space = KernelSpace(self.K, y, self.sw, self.free, self.coef, b)
            path = LabelPath(space, y, self.sw, p, space.f + b)
            outcome = path.solve(bounds, tol, max_iter)
            self.coef = path.dual_coef(bounds, outcome.scale)
            b, gap, n_iter = space.b, outcome.gap, n_iter + outcome.n_iter
        return self.coef, b, gap, n_iter

    def _start(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the better of two feasible points near the last solution, and its errors.

        The variables keep their fraction of the bound (C small), or their value unless they were at
        the bound (C large). Classes are scaled to equal sums where there is an intercept, then all
        to the best dual value.
        """
        alpha = np.abs(self.coef)
        fraction = alpha / np.where(self.u > 0.0, self.u, 1.0)
        positive = self.y > 0
        best, start = -1.0, (np.zeros(u.size), self.y.copy())
        for guess in (fraction * u, np.where(alpha == self.u, u, np.minimum(alpha, u))):
            sums = np.array([guess[~positive].sum(), guess[positive].sum()])
            balance = np.ones(2)
            if self.free:
                balance = sums.min() / np.maximum(sums, TINY)
            coef = self.y * guess * balance[positive.astype(int)]
            if coef.any():
                f = combine(self.K, coef)
                total, norm2 = balance @ sums, coef @ f
                scale = min(1.0, total / norm2) if norm2 > 0.0 else 1.0
                dual = scale * total - 0.5 * scale**2 * norm2
                if dual > best:
                    best, start = dual, (scale * coef, self.y - scale * f)
        return start
