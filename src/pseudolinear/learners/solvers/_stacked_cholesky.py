"""A preconditioner for many labels and few features: all their factors in one stack."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from pseudolinear.learners.solvers._design import DenseDesign
from pseudolinear.learners.solvers._factors import cholesky
from pseudolinear.learners.solvers._precondition import Cholesky
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._stacked import FOUR, invert_triangles, solve_lanes

if TYPE_CHECKING:
    from pseudolinear.learners.solvers._batch import Batch


class StackedCholesky:
    """Like :class:`Cholesky`, the labels of a batch together.

    Where features are few, a factor takes less time than the calls that ask for it. One call here
    gives the Hessians of all labels, one their factors and one the solutions of all lanes. These
    are products with the inverses of the factors: in a substitution every number waits for the one
    before, which takes three times as long, and an inverse as long as two substitutions.

    Parameters
    ----------
    design : DenseDesign
        The rows.
    """

    # beyond, a label's own factor and its products take longer than the calls
    FEATURES, ROWS = 100, 5000
    LIFE = Cholesky.LIFE
    exact = np.False_

    def __init__(self, design: DenseDesign) -> None:
        self.design = design
        self.age = 0
        self.place = np.zeros(0, np.int64)  # of a label's inverse in the stack, -1 for none
        self.inverses = np.empty((0, 0, 0))

    def direction(self, batch: Batch) -> None:
        """Write the solutions into ``batch.U``."""
        if self.age % self.LIFE == 0:
            self.place, self.inverses = np.full(batch.Y.shape[1], -1), np.empty((0, 0, 0))
        self.age += 1
        labels = np.unique(batch.label[batch.alive])
        new = labels[self.place[labels] < 0]
        if len(new):
            known, found = self.inverses, self._inverses(batch, new)
            self.place[new] = len(known) + np.arange(len(new))
            self.inverses = np.concatenate([known, found]) if known.size else found
        lanes = np.where(batch.alive, self.place[batch.label], -1)
        room = np.zeros((2, self.inverses.shape[1]), self.inverses.dtype)
        solve_lanes(self.inverses, lanes, batch.G, batch.U, *room)

    def _inverses(self, batch: Batch, labels: np.ndarray) -> np.ndarray:
        """Return the inverses of the factors of some labels, as large as the loops want them."""
        factors = self._factors(batch, labels)
        k, d = factors.shape[:2]
        n = -(-d // FOUR) * FOUR
        inverses = np.zeros((k, n, n), factors.dtype)
        np.einsum("kii->ki", inverses)[:] = 1.0
        inverses[:, :d, :d] = factors
        invert_triangles(inverses, np.empty(n, factors.dtype))
        return inverses

    def _factors(self, batch: Batch, labels: np.ndarray) -> np.ndarray:
        """Return lower factors of the Hessians of some labels, intercepts eliminated."""
        of_label = (batch.label[:, None] == labels) & batch.alive[:, None]
        share = batch.scale[:, None] * of_label / np.count_nonzero(of_label, axis=0)
        curvature = batch.D @ share.astype(batch.D.dtype, copy=False)
        mean = np.zeros((len(labels), self.design.shape[1]))
        if batch.free:
            column = self.design.transpose_times(curvature, np.empty(mean.T.shape)).T
            mean = column / np.maximum(curvature.sum(axis=0) + batch.ridge, TINY)[:, None]
        H = self._hessians(batch, curvature, mean, np.float32)
        with suppress(np.linalg.LinAlgError):
            return np.linalg.cholesky(H)
        # rounding made one indefinite
        H = self._hessians(batch, curvature, mean, np.float64)
        return np.stack([np.tril(cholesky(h, lower=1)) for h in H])

    def _hessians(
        self, batch: Batch, curvature: np.ndarray, mean: np.ndarray, dtype: Any
    ) -> np.ndarray:
        H = self.design.grams(curvature, mean, dtype)
        if batch.ridge:
            H += (batch.ridge * mean[:, :, None] * mean[:, None, :]).astype(dtype)
        np.einsum("kii->ki", H)[:] += 1.0
        return H

    def renew(self, lanes: np.ndarray) -> None:
        """Nothing to forget: factors belong to labels, not to lanes."""

    keep = renew
