"""Codes as the solver sees them."""

from collections.abc import Iterator
from functools import cached_property
from typing import Self

import numpy as np

from pseudolinear.blocks import Codes, Steps
from pseudolinear.learners.solvers._design import aligned
from pseudolinear.loops._codes import count_pairs, count_up, look_up


class CodesDesign:
    """One-hot columns or steps, with products that cost a lookup per row and code.

    Attributes
    ----------
    ordered : bool
        Whether columns follow each other, so that few directions hold most of what they vary.
    """

    def __init__(self, X: Codes):
        self.X = X
        self.shape = X.shape
        self.ordered = isinstance(X, Steps)
        self.radius = np.sqrt(X.row_squares().max(initial=0.0))

    def pieces(self) -> Iterator[tuple[slice, Self]]:
        """Yield parts of the rows as designs of their own: all are one."""
        yield slice(None), self

    def times(self, W: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Scores ``X @ W``."""
        table = aligned((self.shape[1] + 1, W.shape[1]))
        self.X.spread(W, table)
        look_up(self.X.codes, table, out)
        return out

    def transpose_times(self, R: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Row sums ``X.T @ R``."""
        out[:] = self.squares_times(R)
        return out

    def squares_times(self, D: np.ndarray) -> np.ndarray:
        """Diagonals of ``X.T @ diag(D[:, j]) @ X``: zeros and ones are their own squares."""
        table = aligned((self.shape[1] + 1, D.shape[1]))
        table[:] = 0.0
        count_up(self.X.codes, D, table)
        return self.X.gather(table)

    def gram(self, weights: np.ndarray) -> np.ndarray:
        """Return ``X.T @ diag(weights) @ X``."""
        return self.pairs(self.X, weights)

    def pairs(self, other: Codes, weights: np.ndarray) -> np.ndarray:
        """Return ``X.T @ diag(weights) @ other``: how often codes go together."""
        table = np.zeros((self.shape[1] + 1, other.shape[1] + 1))
        count_pairs(self.X.codes, other.codes, weights, table)
        return other.gather(np.ascontiguousarray(self.X.gather(table).T)).T

    @cached_property
    def kernel(self) -> np.ndarray:
        """Inner products of the rows."""
        X = self.X.toarray()
        return X @ X.T
