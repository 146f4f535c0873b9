"""Preconditioners: approximate solutions U of (Hessian) U = gradient for all lanes of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from pseudolinear._kernels._smooth import lower_triangle

if TYPE_CHECKING:
    from batch import Batch


class Diagonal:
    """The square root of the Hessian's diagonal, renewed every ``LIFE`` iterations.

    Optimality is asked of the plain norm of the gradient, so the scaling must not distort it too
    much: the root needs up to half as many iterations as the diagonal, and fewer than no scaling.
    """

    LIFE = 10
    exact = np.False_

    def __init__(self, shape: tuple[int, int]):
        self.unit = np.empty(shape)
        self.life = np.zeros(shape[1], np.int64)

    def direction(self, batch: Batch) -> None:
        """Write ``G / sqrt(diag(H))`` into ``batch.U``."""
        due = np.flatnonzero(self.life <= 0)
        if len(due):
            self.unit[:, due] = batch.design.squares_times(np.ascontiguousarray(batch.D[:, due]))
            self.life[due] = self.LIFE
        self.life -= 1
        np.multiply(self.unit, batch.scale, out=batch.U)
        batch.U += 1.0
        np.sqrt(batch.U, out=batch.U)
        np.divide(batch.G, batch.U, out=batch.U)

    def renew(self, lanes: np.ndarray) -> None:
        """Forget what is known about these lanes."""
        self.life[lanes] = 0

    def keep(self, lanes: np.ndarray) -> None:
        """Drop all other lanes."""
        self.unit, self.life = np.ascontiguousarray(self.unit[:, lanes]), self.life[lanes]


class Cholesky:
    """A Cholesky factor of the Hessian per label, renewed every ``LIFE`` iterations.

    The curvature of the loss is averaged over the label's problems in the batch, and the intercept
    eliminated (Schur complement).  That one factor does for all costs of a label, and for a while,
    was measured: the conjugate directions of the outer iteration make up for the rest.
    """

    LIFE = 10
    PATIENCE = 40  # iterations after which a problem gets factors of its own
    FEATURES = 640  # up to here a factor costs less than the iterations it saves
    exact = np.False_

    def __init__(self) -> None:
        self.age = 0
        self.factors: dict[int, np.ndarray] = {}

    def direction(self, batch: Batch) -> None:
        """Write the solutions into ``batch.U``."""
        if self.age % self.LIFE == 0:
            self.factors.clear()
        self.age += 1
        batch.U[:] = 0.0
        slow = batch.alive & (batch.iterations > self.PATIENCE)
        for j in np.flatnonzero(slow):
            own = hessian_factor(batch, batch.scale[j] * batch.D[:, j])
            batch.U[:, j] = dpotrs(own, batch.G[:, j], lower=1)[0]
        shared = batch.alive & ~slow
        for label in np.unique(batch.label[shared]):
            lanes = np.flatnonzero((batch.label == label) & shared)
            if label not in self.factors:
                mean = batch.D[:, lanes] @ (batch.scale[lanes] / len(lanes))
                self.factors[label] = hessian_factor(batch, mean)
            batch.U[:, lanes] = dpotrs(self.factors[label], batch.G[:, lanes], lower=1)[0]

    def renew(self, lanes: np.ndarray) -> None:
        """Nothing to forget: factors belong to labels, not to lanes."""

    keep = renew


def hessian_factor(batch: Batch, curvature: np.ndarray) -> np.ndarray:
    """Cholesky factor of I + X' diag(curvature) X with the intercept eliminated."""
    H = batch.design.gram(curvature)
    if batch.free:
        column = batch.design.transpose_times(curvature[:, None].copy(), np.empty((len(H), 1)))
        H -= column * (column.T / max(curvature.sum() + batch.ridge, 1e-300))
    H.flat[:: len(H) + 1] += 1.0
    return dpotrf(H.T, lower=1, overwrite_a=1, clean=0)[0]


class ActiveRows:
    """Newton steps in the space of the active rows, those where the loss is curved.

    Newton's step leads to w = sum_A beta_i x_i with (K_AA + diag(1 / D)) beta + b = z - R / D and
    sum(beta) = ridge * b, where z are the scores, R and D the derivatives of the loss; for the
    squared hinge the right-hand side is y.  There, with A the rows of margin below one, an
    approximate Hessian is of little help at large C, where few active rows decide everything: these
    lanes always take exact steps.  Other lanes are left to ``fallback`` while that is fast.
    """

    ROWS = 400  # squared hinge: active rows up to which a step is worth its cost
    SLOW_ROWS = 1500  # the same for lanes that are slow otherwise
    PATIENCE = 20
    KERNEL = 5000  # rows up to which the matrix K of all inner products is kept

    def __init__(self, fallback: Diagonal | Cholesky):
        self.fallback = fallback
        self.renew, self.keep = fallback.renew, fallback.keep
        self.exact: np.ndarray | np.bool = np.False_

    def direction(self, batch: Batch) -> None:
        """Write ``W - (Newton's point)`` into ``batch.U``."""
        n, d = batch.design.shape
        active = np.count_nonzero(batch.D, axis=0)
        few = (active <= min(self.ROWS, d)) & (batch.loss == "squared_hinge")
        few |= (active <= min(self.SLOW_ROWS, d)) & (batch.iterations > self.PATIENCE)
        few &= batch.alive & (active > 0)
        if not few[batch.alive].all():
            self.fallback.direction(batch)
        self.exact = few
        lanes = np.flatnonzero(few)
        beta = np.zeros((n, len(lanes)))
        for k, j in enumerate(lanes):
            rows = np.flatnonzero(batch.D[:, j])
            beta[rows, k] = newton_point(batch, rows, int(j))
        if len(lanes):
            point = batch.design.transpose_times(beta, np.empty((d, len(lanes))))
            batch.U[:, lanes] = batch.W[:, lanes] - point


def newton_point(batch: Batch, rows: np.ndarray, j: int) -> np.ndarray:
    """Solve lane j's Newton system for the coefficients of the active rows."""
    H = np.empty((len(rows), len(rows)))
    lower_triangle(batch.design.kernel, rows, 1.0 / (batch.scale[j] * batch.D[rows, j]), H)
    right = np.ones((2, len(rows)))
    right[0] = batch.V[rows, j] + batch.b[j] - batch.R[rows, j] / batch.D[rows, j]
    a, one = dpotrs(dpotrf(H.T, overwrite_a=1, clean=0)[0], right.T)[0].T
    b = a.sum() / (one.sum() + batch.ridge) if batch.free else 0.0
    return a - b * one
