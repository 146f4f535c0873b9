"""A pass over encoded rows: what they weigh, and how long they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.scale._block import Block
from pseudolinear.scale._lanes import EVERY_ROW, Lanes


@dataclass(frozen=True, eq=False)
class Totals:
    """Sums over rows; those of other rows can be added.

    Attributes
    ----------
    positive, negative : ndarray of shape (n_folds + 1, n_labels)
        Weight of the rows of each fold that carry a label, and of those that do not.
    radius : float
        Largest norm of a row.
    """

    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    radius: float

    def __add__(self, other: Totals) -> Totals:
        """Add the sums over other rows."""
        return Totals(
            self.positive + other.positive,
            self.negative + other.negative,
            max(self.radius, other.radius),
        )

    def shares(self, n_folds: int) -> tuple[float, ...]:
        """Return the weight of each fold relative to that of all that are held out."""
        mass = (self.positive + self.negative)[:n_folds, 0]
        return tuple((mass / mass.sum()).tolist())

    def costs(self, lanes: Lanes) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what all positive and all negative training rows of each lane cost."""
        found = []
        for mass, cost in ((self.positive, lanes.cost_fn), (self.negative, lanes.cost_fp)):
            total = mass.sum(axis=0)[lanes.label]
            left_out = np.where(lanes.fold == EVERY_ROW, 0.0, mass[lanes.fold, lanes.label])
            found.append(np.maximum(total - left_out, 0.0) * cost)
        return found[0], found[1]


def total(block: Block, n_folds: int) -> Totals:
    """Sum over the rows of a block."""
    member = sparse.csr_matrix(
        (block.weight, (block.fold, np.arange(len(block)))), shape=(n_folds + 1, len(block))
    )
    positive = member @ block.codes.astype(np.float64)
    mass = np.asarray(member.sum(axis=1)).reshape(-1, 1)
    squares = [np.asarray(_squares(X)).max(initial=0.0) for X, *_ in block.tiles()]
    return Totals(positive, mass - positive, float(np.sqrt(max(squares, default=0.0))))


def _squares(X: Any) -> Any:
    return X.multiply(X).sum(axis=1) if sparse.issparse(X) else np.einsum("ij,ij->i", X, X)
