"""Preconditioners: approximate solutions U of (Hessian) U = gradient for all lanes of a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs, spotrf, spotrs

from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import lower_triangle

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss
    from pseudolinear.learners.solvers._batch import Batch

Solver = Callable[[np.ndarray], np.ndarray]
SMALL = 100  # systems up to this size gain nothing by single precision
SINGLE = 3e3  # largest product of curvature and squared radius for factors in single precision


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
    FEATURES = 640  # up to here a factor costs less than the iterations it saves
    exact = np.False_

    def __init__(self) -> None:
        self.age = 0
        self.solvers: dict[int, Solver] = {}

    def direction(self, batch: Batch) -> None:
        """Write the solutions into ``batch.U``."""
        if self.age % self.LIFE == 0:
            self.solvers.clear()
        self.age += 1
        batch.U[:] = 0.0
        for label in np.unique(batch.label[batch.alive]):
            lanes = np.flatnonzero((batch.label == label) & batch.alive)
            if label not in self.solvers:
                mean = batch.D[:, lanes] @ (batch.scale[lanes] / len(lanes))
                self.solvers[label] = feature_solver(batch, mean, single=True)[0]
            batch.U[:, lanes] = self.solvers[label](batch.G[:, lanes])

    def renew(self, lanes: np.ndarray) -> None:
        """Nothing to forget: factors belong to labels, not to lanes."""

    keep = renew


def feature_solver(batch: Batch, curvature: np.ndarray, single: bool) -> tuple[Solver, np.ndarray]:
    """Return the solver for I + X' diag(curvature) X, intercept eliminated, and the mean row."""
    H, mean = batch.design.gram(curvature), np.zeros(batch.design.shape[1])
    if batch.free:
        column = batch.design.X.T @ curvature
        mean = column / max(curvature.sum() + batch.ridge, TINY)
        H -= column[:, None] * mean
    H.flat[:: len(H) + 1] += 1.0
    if single and len(H) > SMALL:
        small, failed = spotrf(H.T.astype(np.float32), lower=1, overwrite_a=1, clean=0)
        if not failed:
            return lambda right: spotrs(small, right, lower=1)[0], mean
    factor = dpotrf(H.T, lower=1, overwrite_a=1, clean=0)[0]
    return lambda right: dpotrs(factor, right, lower=1)[0], mean


class RowCholesky:
    """Like :class:`Cholesky`, in the space of the rows and single precision.

    With the Hessian I + X' D X the solution is ``G - X' z``, (K + 1 / D) z = X G (Woodbury); the
    intercept is eliminated as in :func:`newton_point`.
    """

    LIFE = 20
    ROWS = 1000  # up to here a factor costs less than the iterations it saves
    exact = np.False_

    def __init__(self) -> None:
        self.age = 0
        self.systems: dict[int, tuple[np.ndarray, Solver, np.ndarray]] = {}

    def direction(self, batch: Batch) -> None:
        """Write the solutions into ``batch.U``."""
        if self.age % self.LIFE == 0:
            self.systems.clear()
        self.age += 1
        XG, Z = batch.design.times(batch.G, batch.XU), batch.spare
        Z[:] = 0.0
        for label in np.unique(batch.label[batch.alive]):
            lanes = np.flatnonzero((batch.label == label) & batch.alive)
            if label not in self.systems:
                mean = batch.D[:, lanes] @ (batch.scale[lanes] / len(lanes))
                rows = np.flatnonzero(mean)
                solve = row_solver(batch, rows, mean[rows], single=True)
                self.systems[label] = rows, solve, solve(np.ones(len(rows)))
            rows, solve, one = self.systems[label]
            a = solve(XG[np.ix_(rows, lanes)])
            b = batch.free * a.sum(axis=0) / (one.sum() + batch.ridge)
            Z[np.ix_(rows, lanes)] = a - one[:, None] * b
        batch.design.transpose_times(Z, batch.U)
        np.subtract(batch.G, batch.U, out=batch.U)

    def renew(self, lanes: np.ndarray) -> None:
        """Nothing to forget: factors belong to labels, not to lanes."""

    keep = renew


class Newton:
    """Exact Newton steps for the lanes where they pay, ``fallback`` for the others.

    The system is solved in the space of the active rows, those where the loss is curved, if these
    are fewer than the features and the inner products K of the rows are at hand.

    Newton's step leads to w = sum_A beta_i x_i with (K_AA + diag(1 / D)) beta + b = z - R / D and
    sum(beta) = ridge * b, where z are the scores, R and D the derivatives of the loss.

    Where the curvature of the loss jumps (squared hinge: A are the rows of margin below one, the
    right-hand side is y), an approximate Hessian is of little help at large C, where few active
    rows decide everything, and an exact step yields a far better dual point (``certify``): lanes
    with few active rows always take exact steps, the others once ``fallback`` turns out to be
    slow.
    """

    ROWS = 640  # curvature jumps: active rows, or features, up to which a step is worth its cost
    COLD_ROWS = 250  # the same in the first problem of a chain, where many rows get inactive soon
    JUMP_PATIENCE = 12  # curvature jumps, few features: iterations to wait
    PATIENCE = 40  # other cases: iterations to wait,
    SLOW_ROWS = 1500  # and rows or features up to which it can be done
    KERNEL = 5000  # rows up to which the matrix K of all inner products is kept

    def __init__(self, fallback: Diagonal | Cholesky | RowCholesky):
        self.fallback = fallback
        self.renew, self.keep = fallback.renew, fallback.keep
        self.exact: np.ndarray | np.bool = np.False_

    def direction(self, batch: Batch) -> None:
        """Write ``W - (Newton's point)`` into ``batch.U``."""
        n, d = batch.design.shape
        active = np.count_nonzero(batch.D, axis=0)
        in_rows = (active <= d) & (n <= self.KERNEL)
        size = np.where(in_rows, active, d)
        exact = (size <= self.SLOW_ROWS) & (batch.iterations > self.PATIENCE)
        if batch.loss.curvature_jumps:
            exact |= in_rows & (size <= np.where(batch.position > 0, self.ROWS, self.COLD_ROWS))
            exact |= (d <= self.ROWS) & (batch.iterations > self.JUMP_PATIENCE)
        exact &= batch.alive & (active > 0)
        if not exact[batch.alive].all():
            self.fallback.direction(batch)
        self.exact = exact
        lanes = np.flatnonzero(exact & in_rows)
        beta = np.zeros((n, len(lanes)))
        for k, j in enumerate(lanes):
            rows = np.flatnonzero(batch.D[:, j])
            beta[rows, k] = newton_point(batch, rows, int(j))
        if len(lanes):
            point = batch.design.transpose_times(beta, np.empty((d, len(lanes))))
            batch.U[:, lanes] = batch.W[:, lanes] - point
        for j in np.flatnonzero(exact & ~in_rows):
            single = bool(batch.iterations[j] <= 2 * self.JUMP_PATIENCE)
            solve, mean = feature_solver(batch, batch.scale[j] * batch.D[:, j], single)
            batch.U[:, j] = solve(batch.G[:, j] - batch.gb[j] * mean)


def newton_point(batch: Batch, rows: np.ndarray, j: int) -> np.ndarray:
    """Solve lane j's Newton system for the coefficients of the active rows.

    Single precision does in the first steps, if the curvature, one over the ridge, is moderate.
    """
    curvature = batch.scale[j] * batch.D[rows, j]
    single = curvature.max() * batch.design.radius**2 <= SINGLE and batch.iterations[j] <= 2
    right = np.ones((2, len(rows)))
    right[0] = batch.V[rows, j] + batch.b[j] - batch.R[rows, j] / batch.D[rows, j]
    a, one = row_solver(batch, rows, curvature, single)(right.T).T.astype(np.float64)
    b = a.sum() / (one.sum() + batch.ridge) if batch.free else 0.0
    return a - b * one


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
    factor = dpotrf(H.T, overwrite_a=1, clean=0)[0]
    return lambda right: dpotrs(factor, right)[0]


def make_preconditioner(design: DenseDesign | SparseDesign, lanes: int, loss: SmoothLoss) -> Newton:
    """Return exact steps with the fallback that suits the shape of the data and the loss."""
    n, d = design.shape
    if d <= Cholesky.FEATURES:
        return Newton(Cholesky())
    if n <= RowCholesky.ROWS and not loss.curvature_jumps:
        return Newton(RowCholesky())
    return Newton(Diagonal((d, lanes)))
