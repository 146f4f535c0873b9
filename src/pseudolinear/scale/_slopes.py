"""A pass of the solver: losses and their derivatives at given weights, for all lanes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear.learners.losses import SmoothLoss, get_loss
from pseudolinear.loops._products import csr_times, csr_transpose_add
from pseudolinear.scale._block import Block
from pseudolinear.scale._lanes import Lanes


@dataclass(eq=False)
class Slopes:
    """Sums over rows; those of other rows can be added.

    Attributes
    ----------
    sums : ndarray of shape (3, n_lanes)
        Losses, and their first and second derivatives by the intercept.
    by_weight : ndarray of shape (n_columns, n_lanes)
        Derivatives of the losses by the weights.
    """

    sums: NDArray[np.float64]
    by_weight: NDArray[np.float64]

    __repr__ = brief_repr

    def __iadd__(self, other: Slopes) -> Slopes:
        """Add the sums over other rows, in place."""
        self.sums += other.sums
        self.by_weight += other.by_weight
        return self

    def __add__(self, other: Slopes) -> Slopes:
        """Add the sums over other rows."""
        return Slopes(self.sums + other.sums, self.by_weight + other.by_weight)


def slopes(
    block: Block,
    weights: NDArray[np.float64],
    intercepts: NDArray[np.float64],
    lanes: Lanes,
    loss: str,
    n_folds: int,
) -> Slopes:
    """Evaluate all lanes on the rows of a block.

    Nothing is kept between passes: to score a row again costs less than to read what was kept of
    it, and a pass can run anywhere.

    Parameters
    ----------
    block : Block
        The rows.
    weights : ndarray of shape (n_columns, n_lanes)
        Weights of each lane.
    intercepts : ndarray of shape (n_lanes,)
        Intercepts.
    lanes : Lanes
        The problems.
    loss : str
        Name of the loss.
    n_folds : int
        Number of folds that are held out.

    Returns
    -------
    Slopes
        The sums, without the regularisation and without C.
    """
    evaluate, p = smooth_loss(loss).evaluate, len(lanes)
    total = Slopes(np.zeros((3, p)), np.zeros(weights.shape))
    fold_costs, zero = lanes.fold_costs(n_folds), np.zeros(p)
    for X, codes, weight, fold in block.tiles():
        V = np.empty((len(codes), p))
        times(X, weights, V)
        R, sums = np.empty_like(V), np.empty((4, p))
        positive = np.ascontiguousarray(codes[:, lanes.label])
        rows = positive, lanes.cost_fn, lanes.cost_fp, weight, fold, fold_costs
        evaluate(V, V, zero, intercepts, *rows, V, R, sums)
        total.sums += sums[:3]
        add_transpose_times(X, R, total.by_weight)
    return total


def smooth_loss(name: str) -> SmoothLoss:
    """Return the loss of that name, which has a derivative."""
    loss = get_loss(name)
    assert isinstance(loss, SmoothLoss)
    return loss


def times(X: Any, weights: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Write ``X @ weights``, X dense or CSR."""
    if sparse.issparse(X):
        csr_times(X.indptr, X.indices, X.data, weights, out)
    else:
        np.matmul(X, weights, out=out)


def add_transpose_times(X: Any, R: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Add ``X.T @ R`` to the sums, X dense or CSR."""
    if sparse.issparse(X):
        csr_transpose_add(X.indptr, X.indices, X.data, R, out)
    else:
        out += X.T @ R
