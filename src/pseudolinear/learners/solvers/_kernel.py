"""Batched kernel support vector machines that share one Gram matrix."""

from typing import NamedTuple

import numpy as np

from pseudolinear.learners.solvers._ascent_path import AscentPath, Solution
from pseudolinear.learners.solvers._gram import Gram, WholeGram
from pseudolinear.learners.solvers._kernel_gap import kernel_gap
from pseudolinear.learners.solvers._kernel_space import KernelSpace
from pseudolinear.learners.solvers._newton import Bounds, LabelPath
from pseudolinear.learners.solvers._one_sided import one_sided_problems
from pseudolinear.learners.solvers._order import Problems, label_paths

NEWTON_ROWS = 100  # up to here Newton's method alone: weights then act as repeated rows exactly


class KernelFit(NamedTuple):
    """Solutions of p problems: signed dual variables, intercepts, relative gaps, iterations."""

    dual_coef: np.ndarray
    intercept: np.ndarray
    optimality: np.ndarray
    n_iter: np.ndarray


def solve_kernel(
    K: np.ndarray | Gram,
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
    K : ndarray of shape (n, n) or Gram
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
    gram = WholeGram(K) if isinstance(K, np.ndarray) else K
    n, p = gram.diagonal.size, problems.C.size
    sw = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    fit = KernelFit(np.zeros((p, n)), np.zeros(p), np.zeros(p), np.zeros(p, np.int64))
    todo = np.arange(p)
    if fit_intercept:
        radius = float(np.sqrt(max(gram.diagonal.max(initial=0.0), 0.0)))
        side, gap = one_sided_problems(problems, Y, sw, radius, tol)
        fit.intercept[:], fit.optimality[:] = side, gap
        todo = np.flatnonzero(fit.intercept == 0)
    for label, order in label_paths(problems.take(todo)):
        y = np.where(Y[:, label] > 0, 1.0, -1.0)
        path: NewtonPath | AscentPath
        if n <= NEWTON_ROWS and isinstance(gram, WholeGram):
            path = NewtonPath(gram, y, sw, fit_intercept)
        else:
            path = AscentPath(gram, y, sw, fit_intercept)
        for i in todo[order]:
            bounds = Bounds(*problems.bounds(i))
            fit.dual_coef[i], fit.intercept[i], fit.optimality[i], fit.n_iter[i] = path.solve(
                bounds, tol, max_iter
            )
    return fit


class NewtonPath:
    """Problems of one label solved by Newton's method, and by ascent where rounding stops it."""

    def __init__(self, gram: WholeGram, y: np.ndarray, sw: np.ndarray, free: bool) -> None:
        self.K, self.y, self.sw = gram.K, y, sw
        self.space = KernelSpace(gram.K, y, sw, free)
        self.path = LabelPath(self.space, y, sw)
        self.ascent = AscentPath(gram, y, sw, free)

    def solve(self, bounds: Bounds, tol: float, max_iter: int) -> Solution:
        """Solve one problem; return signed dual variables, intercept, gap and steps."""
        outcome = self.path.solve(bounds, tol, max_iter)
        coef, b = self.path.dual_coef(bounds, outcome.scale), self.space.b
        gap, _ = kernel_gap(self.K, self.y, bounds.rows(self.y) * self.sw, coef, b)
        if gap > tol:
            other = self.ascent.solve(bounds, tol, max_iter)
            if other[2] < gap:
                return *other[:3], outcome.n_iter + other[3]
        return coef, b, gap, outcome.n_iter
