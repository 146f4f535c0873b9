"""Batched linear support vector machines (hinge loss) for costs, levels of C and labels."""

from collections.abc import Callable

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from pseudolinear.blocks import as_plain
from pseudolinear.learners.solvers._coordinates import solve_coordinates
from pseudolinear.learners.solvers._kernel import solve_kernel
from pseudolinear.learners.solvers._linear_space import LinearSpace
from pseudolinear.learners.solvers._newton import Bounds, LabelPath
from pseudolinear.learners.solvers._one_sided import one_sided_problems
from pseudolinear.learners.solvers._order import Fit, Problems, Rows, label_paths

MAX_NEWTON_COLUMNS = 640  # above, a d x d factorisation costs more than coordinate descent
MAX_GRAM_ROWS = 4000  # up to here, wide data are solved through their Gram matrix


def solve_hinge(
    X: Rows,
    Y: np.ndarray,
    labels: np.ndarray,
    cost_fn: np.ndarray,
    cost_fp: np.ndarray,
    C: np.ndarray,
    sample_weight: np.ndarray | None = None,
    intercept_scaling: float | None = np.inf,
    tol: float = 1e-3,
    max_iter: int = 1000,
) -> Fit:
    """Solve every problem (label, cost_fn, cost_fp, C) with the hinge loss.

    Parameters
    ----------
    X : ndarray (C order) or csr_matrix with int32 indices, of shape (n, d), float64
        Rows.
    Y : ndarray of shape (n, L)
        Labels, 0 or 1.
    labels, cost_fn, cost_fp, C : ndarray of shape (p,)
        The problems.
    sample_weight : ndarray of shape (n,), optional
        Weights of the rows.
    intercept_scaling : float or None
        inf: unpenalised intercept; a finite value B: a constant feature of value B, penalised like
        any other; None: no intercept.
    tol : float
        Relative duality gap, (primal - dual) / primal, at which a problem is solved.
    max_iter : int
        Limit of Newton steps, or of passes over the rows, per problem.

    Returns
    -------
    Fit
        ``coef`` (p, d), ``intercept`` (p,), ``optimality`` (p,) and ``n_iter`` (p,).
    """
    problems = Problems(*map(np.asarray, (labels, cost_fn, cost_fp, C)))
    X = as_plain(X)  # its loops know dense and sparse rows
    if sparse.issparse(X) and not X.has_sorted_indices:
        X = X.sorted_indices()
    sw = np.ones(X.shape[0]) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    p = problems.C.size
    fit = Fit(np.zeros((p, X.shape[1])), np.zeros(p), np.zeros(p), np.zeros(p, np.int64))
    todo = np.arange(p)
    if intercept_scaling == np.inf:
        radius = float(row_norms(X).max(initial=0.0))
        side, gap = one_sided_problems(problems, Y, sw, radius, tol)
        fit.intercept[:], fit.optimality[:] = side, gap
        todo = np.flatnonzero(fit.intercept == 0)
    if todo.size:
        method = _method(*X.shape)
        part = method(X, Y, problems.take(todo), sw, intercept_scaling, tol, max_iter)
        if todo.size == p:  # weights of many columns are not copied
            return part
        for whole, values in zip(fit, part, strict=True):
            whole[todo] = values
    return fit


def _method(n: int, d: int) -> Callable[..., Fit]:
    """Return the method for data of n rows and d columns."""
    if d <= MAX_NEWTON_COLUMNS:
        return _solve_features
    return _solve_gram if n <= MAX_GRAM_ROWS else solve_coordinates


def _solve_features(
    X: Rows,
    Y: np.ndarray,
    problems: Problems,
    sw: np.ndarray,
    intercept_scaling: float | None,
    tol: float,
    max_iter: int,
) -> Fit:
    """Newton's method on the weights; the intercept is the weight of a constant column.

    A free intercept makes up for any shift of dense rows, and around their mean least is rounded.
    """
    p, d, free = problems.C.size, X.shape[1], intercept_scaling == np.inf
    value = 1.0 if free else intercept_scaling or 0.0
    mean = np.zeros(d)
    if free and not sparse.issparse(X):
        mean = sw @ X / sw.sum()  # a row of weight 2 counts as two rows
        X = X - mean
    if value:
        X = _append_constant(X, value)
    fit = Fit(np.zeros((p, d)), np.zeros(p), np.zeros(p), np.zeros(p, np.int64))
    for label, order in label_paths(problems):
        y = np.where(Y[:, label] > 0, 1.0, -1.0)
        space = LinearSpace(X, y, sw, free)
        path = LabelPath(space, y, sw)
        for i in order:
            outcome = path.solve(Bounds(*problems.bounds(i)), tol, max_iter)
            fit.coef[i] = space.w[:d]
            fit.intercept[i] = value * space.w[-1] - mean @ fit.coef[i]
            fit.optimality[i], fit.n_iter[i] = outcome.gap, outcome.n_iter
    return fit


def _solve_gram(
    X: Rows,
    Y: np.ndarray,
    problems: Problems,
    sw: np.ndarray,
    intercept_scaling: float | None,
    tol: float,
    max_iter: int,
) -> Fit:
    """Newton's method on the coefficients of the rows, for few rows of many columns."""
    K = X @ X.T
    K = K.toarray() if sparse.issparse(K) else K
    free = intercept_scaling == np.inf
    square = 0.0 if free or intercept_scaling is None else intercept_scaling**2
    dual = solve_kernel(K + square, Y, *problems, sw, free, tol, max_iter)
    coef = np.ascontiguousarray((X.T @ dual.dual_coef.T).T)
    intercept = dual.intercept + square * dual.dual_coef.sum(axis=1)
    return Fit(coef, intercept, dual.optimality, dual.n_iter)


def _append_constant(X: Rows, value: float) -> Rows:
    column = np.full((X.shape[0], 1), value)
    if not sparse.issparse(X):
        return np.hstack([X, column])
    X = sparse.csr_matrix(sparse.hstack([X, column]))
    X.sort_indices()
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X
