"""Newton's equation for lanes whose rows are sparse, solved roughly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, cg

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
    everything: Any = batch.design.X
    X, curvature = everything[rows].astype(np.float64), curvature[rows]
    columns, indices = np.unique(X.indices, return_inverse=True)
    X = sparse.csr_array((X.data, indices, X.indptr), shape=(len(rows), len(columns)))
    direction, total = batch.G[:, j].copy(), np.inf
    right = direction[columns]
    if batch.free:
        total = max(curvature.sum() + batch.ridge, TINY)
        right -= X.T @ curvature * (batch.gb[j] / total)

    def times(u: np.ndarray) -> np.ndarray:
        z = X @ u
        return u + X.T @ (curvature * (z - curvature @ z / total))

    root = np.sqrt(1.0 + X.power(2).T @ curvature)  # as in ``Diagonal``
    left = max(np.sqrt(TARGET * batch.tol * batch.objective[j]), SHARE * np.linalg.norm(right))
    H = LinearOperator((len(columns),) * 2, times, dtype=np.float64)
    M = LinearOperator(H.shape, lambda r: r / root, dtype=np.float64)
    direction[columns] = cg(H, right, atol=left, maxiter=STEPS, M=M)[0]
    return direction
