"""Preconditioners: approximate solutions U of (Hessian) U = gradient for all lanes of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pseudolinear.learners.solvers._factors import Solver, feature_solver, row_solver
from pseudolinear.loops._smooth import over_root

if TYPE_CHECKING:
    from pseudolinear.learners.solvers._batch import Batch


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
        over_root(batch.G, self.unit, batch.scale, batch.U)

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
    FEATURES = 640  # up to here a factor costs less than the iterations it saves,
    MANY_FEATURES, TALL = 1500, 4  # or up to here where rows are so many times as many
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
                mean = mean_curvature(batch, lanes)
                self.solvers[label] = feature_solver(batch, mean, single=True)[0]
            batch.U[:, lanes] = self.solvers[label](batch.G[:, lanes])

    def renew(self, lanes: np.ndarray) -> None:
        """Nothing to forget: factors belong to labels, not to lanes."""

    keep = renew


class RowCholesky:
    """Like :class:`Cholesky`, in the space of the rows and single precision.

    With the Hessian I + X' D X the solution is ``G - X' z``, (K + 1 / D) z = X G (Woodbury); the
    intercept is eliminated as in ``newton_point``.  Rows that hardly bend the objective are left
    out: most of those of a rare label, whose factor is then a fraction of the size.
    """

    LIFE = 20
    ROWS = 1000  # up to here a factor costs less than the iterations it saves
    HEAVY = 0.5  # curvature along a row, in units of the penalty's, from which it belongs to it
    exact = np.False_

    def __init__(self) -> None:
        self.age = 0
        self.systems: dict[int, tuple[np.ndarray, Solver, np.ndarray]] = {}

    def direction(self, batch: Batch) -> None:
        """Write the solutions into ``batch.U``."""
        if self.age % self.LIFE == 0:
            self.systems.clear()
        self.age += 1
        XG, Z = batch.design.times(batch.G, batch.XU), np.zeros_like(batch.XU)
        for label in np.unique(batch.label[batch.alive]):
            lanes = np.flatnonzero((batch.label == label) & batch.alive)
            if label not in self.systems:
                mean = mean_curvature(batch, lanes)
                bend = mean * batch.design.kernel.diagonal()
                rows = np.flatnonzero((bend >= min(self.HEAVY, bend.max())) & (mean > 0.0))
                if not len(rows):  # the penalty alone is left, and the gradient is the direction
                    continue
                solve = row_solver(batch, rows, mean[rows], single=True)
                self.systems[label] = rows[:, None], solve, solve(np.ones(len(rows)))
            rows, solve, one = self.systems[label]
            a = solve(XG[rows, lanes])
            b = batch.free * a.sum(axis=0) / (one.sum() + batch.ridge)
            Z[rows, lanes] = a - one[:, None] * b
        batch.design.transpose_times(Z, batch.U)
        np.subtract(batch.G, batch.U, out=batch.U)

    def renew(self, lanes: np.ndarray) -> None:
        """Nothing to forget: factors belong to labels, not to lanes."""

    keep = renew


def mean_curvature(batch: Batch, lanes: np.ndarray) -> np.ndarray:
    """Return the curvature of the loss in each row, averaged over some lanes; none is copied."""
    share = np.zeros(len(batch.b), batch.D.dtype)
    share[lanes] = batch.scale[lanes] / len(lanes)
    first, last = lanes[0], lanes[-1] + 1  # lanes of a label are neighbours, as a rule
    return batch.D[:, first:last] @ share[first:last]
