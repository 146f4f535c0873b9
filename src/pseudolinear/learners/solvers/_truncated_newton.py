"""Newton's equation for lanes whose rows are sparse, solved roughly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pseudolinear.loops._conjugate_gradients import newton_equation
from pseudolinear.loops._constants import TINY

if TYPE_CHECKING:
    from pseudolinear.learners.solvers._batch import Batch

STEPS = 200  # of conjugate gradients; a better direction is not worth more
SHARE = 0.05  # of the gradient's norm that may be left of it,
TARGET = 0.5  # or the squared norm, in units of the gap that is allowed


def truncated_newton(batch: Batch, j: int) -> np.ndarray:
    """Return Newton's direction of lane j, by conjugate gradients on its active rows alone.

    While the Hessian stays fixed they converge faster than those of the outer iteration, in which
    the active rows may change with every step. Features that no active row has see the penalty
    alone: their gradient is the direction.
    """
    curvature = batch.scale[j] * batch.D[:, j].astype(np.float64)
    rows = np.flatnonzero(curvature)
    sparse: Any = batch.design.X
    X, curvature = sparse[rows], curvature[rows]
    data, entries = X.data.astype(np.float64, copy=False), np.repeat(curvature, np.diff(X.indptr))
    columns, indices = np.unique(X.indices, return_inverse=True)
    diagonal = 1.0 + np.bincount(indices, entries * data**2)
    direction = batch.G[:, j].copy()
    left, total = direction[columns], np.inf
    if batch.free:
        total = max(curvature.sum() + batch.ridge, TINY)
        left -= np.bincount(indices, entries * data) * (batch.gb[j] / total)
    target = max(TARGET * batch.tol * batch.objective[j], SHARE**2 * (left @ left))
    found = np.zeros_like(left)
    newton_equation(
        X.indptr,
        indices.astype(np.int32),
        data,
        curvature,
        total,
        1.0 / np.sqrt(diagonal),  # as in ``Diagonal``
        left,
        target,
        STEPS,
        found,
    )
    direction[columns] = found
    return direction
