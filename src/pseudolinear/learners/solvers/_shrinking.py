"""Rows that have no loss in any lane of a batch are left out of it (shrinking)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign, aligned
from pseudolinear.loops._constants import TINY

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss
    from pseudolinear.learners.solvers._batch import Batch

FEATURES = 640  # all rows are kept where features are fewer,
ROWS = 5000  # or rows: it is the calls that take the time there,
FEWEST = 1000  # or where so few are left
SHARE = 0.7  # of the rows that are left at the most, or they are not worth the copy
REACH = 0.3  # margin beyond that of no loss up to which a row stays: it may soon matter again


def shrinks(design: DenseDesign | SparseDesign, loss: SmoothLoss) -> bool:
    """Say whether rows may be left out: many sparse ones, of which the loss touches but a part.

    If there are more features than rows, it is their weights that take the time; if there are few,
    factors of Hessians leave little to do.
    """
    n, d = design.shape
    worth = n >= ROWS and FEATURES <= d <= n
    return loss.curvature_jumps and isinstance(design, SparseDesign) and worth


class Shrinking:
    """Keeps the rows of a batch that its lanes need, and looks after the others.

    Where the loss of a row is zero, it adds nothing to objective, gradient and Hessian. At large C
    that is so for most rows, and the larger C, the fewer matter. So a batch goes on with these.
    Losses are not negative: what bounds their problem from below bounds that of all rows. When a
    lane is done, the losses of the rows that were left out are added to its objective and to its
    gap; if that is too much, all rows come back.

    Parameters
    ----------
    batch : Batch
        With all rows.

    Attributes
    ----------
    kept : ndarray or None
        Numbers of the rows that the batch has, None for all.
    """

    def __init__(self, batch: Batch) -> None:
        self.all_rows = batch.design, batch.Y, batch.weights
        self.possible = shrinks(batch.design, batch.loss)
        self.kept: np.ndarray | None = None

    def drop(self, batch: Batch) -> None:
        """Leave out rows that are far beyond the boundary in all lanes, if they are many."""
        n, design, lanes = len(batch.V), batch.design, np.flatnonzero(batch.alive)
        possible = self.possible and n >= FEWEST and len(lanes)
        if not possible or not isinstance(design, SparseDesign):
            return
        margin = (2.0 * batch.pos[:, lanes] - 1.0) * (batch.V[:, lanes] + batch.b[lanes])
        near = np.flatnonzero(margin.min(axis=1) < batch.loss.certain + REACH)
        if 0 < len(near) <= SHARE * n:
            self.kept = near if self.kept is None else self.kept[near]
            batch.take_rows(near, design.take(near))

    def holds(self, batch: Batch, lanes: np.ndarray) -> bool:
        """Say whether some lanes are solved for all rows, to which their optimality is changed."""
        if self.kept is None:
            return True
        extra, found = self._losses(batch, lanes), batch.objective[lanes]
        gap = batch.optimality[lanes] * found + extra
        batch.optimality[lanes] = gap / np.maximum(found + extra, TINY)
        return bool((batch.optimality[lanes] <= batch.tol).all())

    def _losses(self, batch: Batch, lanes: np.ndarray) -> np.ndarray:
        """Return what the rows left out add to the objectives of some lanes."""
        design, Y, weights = self.all_rows
        out = np.ones(len(Y), bool)
        out[self.kept] = False
        W = np.ascontiguousarray(batch.W[:, lanes])
        V = design.times(W, aligned((len(Y), len(lanes))))[out]
        sums = np.empty((4, len(lanes)))
        batch.loss.evaluate(
            V,
            V,
            np.zeros(len(lanes)),
            batch.b[lanes],
            np.ascontiguousarray(Y[out][:, batch.label[lanes]]),
            batch.cost_fn[lanes],
            batch.cost_fp[lanes],
            *weights.take(out).of_rows,
            np.ascontiguousarray(batch.class_costs[:, lanes]),
            np.empty_like(V),
            np.empty_like(V),
            sums,
        )
        return batch.scale[lanes] * sums[0]

    def restore(self, batch: Batch) -> None:
        """Let all rows come back."""
        if self.kept is not None:
            self.kept = None
            batch.put_rows(*self.all_rows)
