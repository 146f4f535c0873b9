"""What the rows weigh: alone, and together in the problems of a batch."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np
from scipy import sparse


class RowWeights:
    """Weights of rows, and their classes, by which a problem may weigh them further.

    Parameters
    ----------
    Y : ndarray of shape (n, L)
        Labels, 0 or 1.
    weight : ndarray of shape (n,)
        Weight of each row in every problem.
    classes : ndarray of shape (n,)
        Class of each row, from 0 on.
    n_classes : int
        Number of classes.
    """

    def __init__(
        self, Y: np.ndarray, weight: np.ndarray, classes: np.ndarray, n_classes: int
    ) -> None:
        self.of_rows = weight, classes
        self.n_classes = n_classes
        by_class: Any = weight[None]
        if n_classes > 1:
            places = classes, np.arange(len(Y))
            by_class = sparse.csr_array((weight, places), shape=(n_classes, len(Y)))
        self.positive, self.negative = by_class @ Y, by_class @ (1 - Y)  # (n_classes, L)

    def take(self, rows: np.ndarray) -> Self:
        """Return the weights of some rows; the totals stay those of all."""
        some = copy(self)
        some.of_rows = self.of_rows[0][rows], self.of_rows[1][rows]
        return some

    def totals(
        self,
        labels: np.ndarray,
        cost_fn: np.ndarray,
        cost_fp: np.ndarray,
        class_costs: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the costs of all positive and of all negative rows.

        Parameters
        ----------
        labels, cost_fn, cost_fp : ndarray of shape (p,)
            Problems.
        class_costs : ndarray of shape (n_classes, p)
            What the costs of a row are multiplied by, by its class.
        """
        above = np.einsum("cp,cp->p", class_costs, self.positive[:, labels])
        below = np.einsum("cp,cp->p", class_costs, self.negative[:, labels])
        return above * cost_fn, below * cost_fp
