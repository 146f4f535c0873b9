"""Curvature: what a sample tells of the Hessian, which passes over all rows start from."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve

from pseudolinear.scale._block import Block
from pseudolinear.scale._lanes import Lanes
from pseudolinear.scale._slopes import smooth_loss, times

COLUMNS = 640  # up to here a factor costs less than the passes it saves
LEAST = 1e-8  # curvature along an intercept that no row bends


class Curvature(Protocol):
    """An approximate Hessian of every lane, by weights and intercept."""

    def solve(self, gradient: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide gradients, shape (n_columns + 1, n_lanes), by the Hessians."""

    def keep(self, lanes: NDArray[np.intp]) -> None:
        """Drop all other lanes."""


class Factors:
    """A Cholesky factor for each lane, where columns are few."""

    def __init__(self, X: NDArray[np.float64], bends: NDArray[np.float64], ridge: float) -> None:
        X = np.hstack([X, np.ones((len(X), 1))])
        base = np.append(np.ones(X.shape[1] - 1), ridge + LEAST)
        self.factors = []
        for bend in bends.T:
            root = X * np.sqrt(bend)[:, None]
            hessian = root.T @ root
            hessian[np.diag_indices_from(hessian)] += base
            self.factors.append(cho_factor(hessian, lower=True, overwrite_a=True))

    def solve(self, gradient: NDArray[np.float64]) -> NDArray[np.float64]:
        """Solve one system for each lane."""
        columns = zip(self.factors, gradient.T, strict=True)
        return np.stack([cho_solve(factor, g) for factor, g in columns], axis=1)

    def keep(self, lanes: NDArray[np.intp]) -> None:
        """Drop all other lanes."""
        self.factors = [self.factors[lane] for lane in lanes]


class Diagonals:
    """The diagonal for each lane, where columns are many."""

    def __init__(self, X: sparse.csr_matrix, bends: NDArray[np.float64], ridge: float) -> None:
        squares = X.multiply(X) if sparse.issparse(X) else X * X
        self.diagonal = np.vstack(
            [1.0 + squares.T @ bends, ridge + LEAST + bends.sum(axis=0, keepdims=True)]
        )

    def solve(self, gradient: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide by the diagonals."""
        return gradient / self.diagonal

    def keep(self, lanes: NDArray[np.intp]) -> None:
        """Drop all other lanes."""
        self.diagonal = np.ascontiguousarray(self.diagonal[:, lanes])


def curvature_of(
    sample: Block,
    weights: NDArray[np.float64],
    intercepts: NDArray[np.float64],
    lanes: Lanes,
    loss: str,
    n_folds: int,
    ridge: float,
) -> Curvature:
    """Take the Hessians of a sample of the rows, whose weights stand for all of them.

    Parameters
    ----------
    sample : Block
        Rows whose weights sum to those of all rows.
    weights, intercepts, lanes, loss, n_folds
        As for :func:`slopes`.
    ridge : float
        Regularisation of the intercept.

    Returns
    -------
    Curvature
        Factors where columns are few, else diagonals.
    """
    kind, p = smooth_loss(loss), len(lanes)
    V = np.empty((len(sample), p))
    times(sample.X, weights, V)
    R, sums, bends = np.empty_like(V), np.empty((4, p)), np.empty_like(V)
    positive = np.ascontiguousarray(sample.codes[:, lanes.label])
    rows = (
        positive, lanes.cost_fn, lanes.cost_fp, sample.weight, sample.fold,
        lanes.fold_costs(n_folds),
    )  # fmt: skip
    kind.evaluate(V, V, np.zeros(p), intercepts, *rows, V, R, sums)
    kind.second_derivative(R, *rows, bends)
    bends *= lanes.C
    if sample.X.shape[1] <= COLUMNS:
        X = sample.X.toarray() if sparse.issparse(sample.X) else sample.X
        return Factors(X, bends, ridge)
    return Diagonals(sample.X, bends, ridge)
