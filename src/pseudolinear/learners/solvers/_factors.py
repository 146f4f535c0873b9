"""Factors of Hessians, in the space of the features or of the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs, spotrf, spotrs

from pseudolinear.learners.solvers._design import DenseDesign
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import lower_triangle

if TYPE_CHECKING:
    from pseudolinear.learners.solvers._batch import Batch
    from pseudolinear.learners.solvers._softmax_batch import SoftmaxBatch

Solver = Callable[[np.ndarray], np.ndarray]
SMALL = 100  # systems up to this size gain nothing by single precision
TRIES, HEAVIER = 8, 100.0  # ridges for a matrix that rounding made indefinite, and their ratio


def feature_solver(
    batch: Batch | SoftmaxBatch, curvature: np.ndarray, single: bool
) -> tuple[Solver, np.ndarray]:
    """Return the solver for I + X' diag(curvature) X, intercept eliminated, and the mean row."""
    column, mean = np.zeros((2, batch.design.shape[1]))
    if batch.free:
        batch.design.transpose_times(curvature[:, None], column[:, None])
        mean = column / max(curvature.sum() + batch.ridge, TINY)
    if single and len(mean) > SMALL:
        H32 = _hessian(batch, curvature, column, mean, np.float32)
        small, failed = spotrf(H32.T, lower=1, overwrite_a=1, clean=0)
        if not failed:
            return lambda right: spotrs(small, right, lower=1)[0], mean
    factor = cholesky(_hessian(batch, curvature, column, mean, np.float64).T, lower=1)
    return lambda right: dpotrs(factor, right, lower=1)[0], mean


def _hessian(
    batch: Batch | SoftmaxBatch,
    curvature: np.ndarray,
    column: np.ndarray,
    mean: np.ndarray,
    dtype: Any,
) -> np.ndarray:
    """Return I + X' diag(curvature) X - column mean', of that precision."""
    if isinstance(batch.design, DenseDesign):  # around the mean nothing cancels: as exact in single
        H = batch.design.gram(curvature, mean, dtype)
        H += (batch.ridge * mean[:, None] * mean).astype(dtype)
    else:
        H = batch.design.gram(curvature)
        H -= column[:, None] * mean
        H = H.astype(dtype, copy=False)
    H.flat[:: len(H) + 1] += 1.0
    return H


def row_solver(batch: Batch, rows: np.ndarray, curvature: np.ndarray, single: bool) -> Solver:
    """Return the solver of systems with the matrix K + diag(1 / curvature) of these rows."""
    diagonal = 1.0 / curvature
    if single and len(rows) > SMALL:
        H32 = np.empty((len(rows), len(rows)), np.float32)
        lower_triangle(batch.design.kernel, rows, diagonal, H32)
        small, failed = spotrf(H32.T, overwrite_a=1, clean=0)
        if not failed:
            return lambda right: spotrs(small, right)[0]
    H = np.empty((len(rows), len(rows)))
    lower_triangle(batch.design.kernel, rows, diagonal, H)
    factor = cholesky(H.T)
    return lambda right: dpotrs(factor, right)[0]


def cholesky(H: np.ndarray, lower: int = 0) -> np.ndarray:
    """Return the factor of a matrix in columns, of which one triangle is given.

    At a curvature of 1e16 and more the ridge of the penalty is rounded away, and what is left can
    be singular: a larger ridge changes the step, not the solution that steps lead to.
    """
    ridge = np.finfo(H.dtype).eps * np.trace(H)
    factor, failed = dpotrf(H, lower=lower, clean=0)
    for _ in range(TRIES):
        if not failed:
            break
        np.einsum("ii->i", H)[:] += ridge
        ridge *= HEAVIER
        factor, failed = dpotrf(H, lower=lower, clean=0)
    return factor
