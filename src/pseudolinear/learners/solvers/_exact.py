"""Exact Newton steps for the lanes of a batch where they pay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign
from pseudolinear.learners.solvers._factors import feature_solver, row_solver
from pseudolinear.learners.solvers._low_rank import LowRank
from pseudolinear.learners.solvers._precondition import Cholesky, Diagonal, RowCholesky
from pseudolinear.learners.solvers._stacked_cholesky import StackedCholesky
from pseudolinear.learners.solvers._truncated_newton import truncated_newton

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss
    from pseudolinear.learners.solvers._batch import Batch

LIGHT = 0.1  # entries of sparse rows, as a share of a factor's, up to which there is none
SINGLE = 3e3  # largest product of curvature and squared radius for factors in single precision


class Newton:
    """Exact Newton steps for the lanes where they pay, ``fallback`` for the others.

    The system is solved in the space of the active rows, those where the loss is curved, if these
    are fewer than the features and the inner products K of the rows are at hand.

    Newton's step leads to w = sum_i beta_i x_i with (K_AA + diag(1 / D)) beta_A + b = z - R / D and
    sum(beta) = ridge * b, where z are the scores, R and D the derivatives of the loss and A the
    active rows; beta = -R for rows on a straight piece of the loss, whose share of the scores
    goes to the right-hand side.

    Where the curvature of the loss jumps (squared hinge: A are the rows of margin below one, the
    right-hand side is y), an approximate Hessian is of little help at large C, where few active
    rows decide everything, and an exact step yields a far better dual point (``certify``): lanes
    with few active rows always take exact steps, the others once ``fallback`` turns out to be
    slow.  Sparse rows that are too many for a factor get the step of `truncated_newton`.

    Elsewhere all rows are curved, but most of those of a rare label hardly: where features are many
    and ``fallback`` is slow, the rows that bend the objective most are tried before all are.
    """

    ROWS = 640  # curvature jumps: active rows, or features, up to which a step is worth its cost
    COLD_ROWS = 250  # the same where nothing is known yet, and many rows get inactive soon
    JUMP_PATIENCE = 12  # curvature jumps, few features: iterations to wait
    PATIENCE = 40  # other cases: iterations to wait,
    SLOW_ROWS = 1500  # and rows or features up to which it can be done
    KERNEL = 5000  # rows up to which the matrix K of all inner products is kept,
    SMOOTH_KERNEL = 2000  # or up to here for a loss that is curved everywhere

    def __init__(self, fallback: Diagonal | Cholesky | StackedCholesky | LowRank | RowCholesky):
        self.fallback = fallback
        self.renew, self.keep = fallback.renew, fallback.keep
        self.exact: np.ndarray | np.bool = np.False_

    def direction(self, batch: Batch) -> None:
        """Write ``W - (Newton's point)`` into ``batch.U``."""
        n, d = batch.design.shape
        jumps = batch.loss.curvature_jumps
        slow = batch.iterations[batch.alive] > (self.JUMP_PATIENCE if jumps else self.PATIENCE)
        few = jumps and n <= self.KERNEL
        wide = isinstance(batch.design, SparseDesign) and isinstance(self.fallback, Diagonal)
        roughly = jumps and wide
        large = n > self.KERNEL and d > self.SLOW_ROWS and not roughly
        if large or not (few or slow.any()):
            self.exact = np.False_  # too large for any exact step, or too early: count no rows
            self.fallback.direction(batch)
            return
        active = np.count_nonzero(batch.D, axis=0)
        in_rows = (active <= d) & (n <= self.KERNEL)
        size = np.where(in_rows, active, d)
        exact = (size <= self.SLOW_ROWS) & (batch.iterations > self.PATIENCE)
        if jumps:
            exact |= in_rows & (size <= np.where(batch.warm, self.ROWS, self.COLD_ROWS))
            exact |= (d <= self.ROWS) & (batch.iterations > self.JUMP_PATIENCE)
        able = batch.alive & (active > 0)
        exact &= able
        systems = {int(j): np.flatnonzero(batch.D[:, j]) for j in np.flatnonzero(exact & in_rows)}
        if wide and not jumps and n <= self.SMOOTH_KERNEL:
            early = (batch.iterations > self.PATIENCE) & (batch.iterations <= 2 * self.PATIENCE)
            systems |= heavy_rows(batch, np.flatnonzero(able & early & ~in_rows), self.SLOW_ROWS)
        lanes = np.array(list(systems), np.intp)
        solved = np.isin(np.arange(len(exact)), lanes)
        rough = able & ~exact & roughly & (batch.iterations > self.PATIENCE)
        self.exact = done = exact | rough | solved
        if not done[batch.alive].all():
            self.fallback.direction(batch)
        beta = np.zeros((n, len(lanes)))
        for k, j in enumerate(lanes):
            beta[:, k] = newton_point(batch, j, systems[j])
        if len(lanes):
            point = batch.design.transpose_times(beta, np.empty((d, len(lanes))))
            batch.U[:, lanes] = batch.W[:, lanes] - point
        for j in np.flatnonzero(exact & ~solved):
            single = bool(batch.iterations[j] <= 2 * self.JUMP_PATIENCE)
            curvature = batch.scale[j] * batch.D[:, j].astype(np.float64)
            solve, mean = feature_solver(batch, curvature, single)
            batch.U[:, j] = solve(batch.G[:, j] - batch.gb[j] * mean)
        for j in np.flatnonzero(rough):
            batch.U[:, j] = truncated_newton(batch, int(j))


def heavy_rows(batch: Batch, lanes: np.ndarray, most: int) -> dict[int, np.ndarray]:
    """Return the rows that bend the objectives of some lanes most, where these are not too many."""
    found: dict[int, np.ndarray] = {}
    for j in lanes:
        bend = batch.scale[j] * batch.D[:, j] * batch.design.kernel.diagonal()
        rows = np.flatnonzero((bend >= min(RowCholesky.HEAVY, bend.max())) & (bend > 0.0))
        if 0 < len(rows) <= most:
            found[int(j)] = rows
    return found


def newton_point(batch: Batch, j: int, rows: np.ndarray) -> np.ndarray:
    """Solve lane j's Newton system of some rows for the coefficients of all rows.

    The other rows count as straight. Single precision does in the first steps, if the curvature,
    one over the ridge, is moderate.
    """
    D, R = batch.D[rows, j], batch.R[rows, j]
    beta = -batch.scale[j] * batch.R[:, j].astype(np.float64)
    beta[rows] = 0.0
    straight = np.flatnonzero(beta)
    curvature = batch.scale[j] * D
    single = curvature.max() * batch.design.radius**2 <= SINGLE and batch.iterations[j] <= 2
    right = np.ones((2, len(rows)))
    right[0] = batch.V[rows, j] + batch.b[j] - R / D
    if len(straight):
        right[0] -= batch.design.kernel[np.ix_(rows, straight)] @ beta[straight]
    a, one = row_solver(batch, rows, curvature, single)(right.T).T.astype(np.float64)
    b = (a.sum() + beta[straight].sum()) / (one.sum() + batch.ridge) if batch.free else 0.0
    beta[rows] = a - b * one
    return beta


def make_preconditioner(
    design: DenseDesign | SparseDesign, n_labels: int, lanes: int, loss: SmoothLoss
) -> Newton:
    """Return exact steps with the fallback that suits the shape of the data and the loss."""
    n, d = design.shape
    light = isinstance(design, SparseDesign) and design.X.nnz <= LIGHT * min(n, d) ** 2
    if light and not loss.curvature_jumps:  # some more passes take less than factors
        return Newton(Diagonal((d, lanes)))
    few = n <= StackedCholesky.ROWS and d <= StackedCholesky.FEATURES
    if n_labels > 1 and few and isinstance(design, DenseDesign):
        return Newton(StackedCholesky(design))
    if d <= Cholesky.FEATURES or (d <= Cholesky.MANY_FEATURES and n >= Cholesky.TALL * d):
        return Newton(Cholesky())
    if n <= RowCholesky.ROWS and not loss.curvature_jumps:
        return Newton(RowCholesky())
    if isinstance(design, DenseDesign) or getattr(design, "ordered", False):
        return Newton(LowRank(d))
    return Newton(Diagonal((d, lanes)))
