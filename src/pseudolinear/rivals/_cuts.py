"""Cuts: a lower bound of the objective of SVMPerf, and its minimum."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pseudolinear.rivals._simplex_qp import solve_simplex_qp

PATIENCE = 10  # rounds without weight after which a cut is dropped
NO_WEIGHT = 1e-5


class Cuts:
    """The cuts that are kept, with the products of their slopes."""

    def __init__(self, n_weights: int, C: float, n_samples: int) -> None:
        self.C, self.n_samples = C, n_samples
        self.slopes = np.zeros((1, n_weights))  # no errors at all: the loss is never negative
        self.losses, self.idle, self.gram = np.zeros(1), np.zeros(1), np.zeros((1, 1))

    def add(self, slope: NDArray[np.float64], loss: float) -> None:
        """Add the cut ``loss - slope @ w``."""
        products = self.slopes @ slope
        self.gram = np.block(
            [[self.gram, products[:, None]], [products[None], np.array([[slope @ slope]])]]
        )
        self.slopes = np.vstack([self.slopes, slope])
        self.losses, self.idle = np.append(self.losses, loss), np.append(self.idle, 0)

    def minimise(self, tol: float) -> tuple[NDArray[np.float64], float]:
        """Return the minimum of the bound, and a value that the objective cannot fall below.

        Any weights of the cuts give such a value (weak duality), however they were found.
        """
        scale = self.C / self.n_samples
        weights = solve_simplex_qp(scale * self.gram, self.losses / self.n_samples, tol)
        w = self.C * (weights @ self.slopes)
        bound = self.C * (weights @ self.losses) - w @ w / 2
        self.idle = np.where(weights > NO_WEIGHT, 0, self.idle + 1)
        keep = self.idle < PATIENCE
        self.slopes, self.losses, self.idle = self.slopes[keep], self.losses[keep], self.idle[keep]
        self.gram = self.gram[np.ix_(keep, keep)]
        return w, float(bound)
