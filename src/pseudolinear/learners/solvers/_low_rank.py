"""A preconditioner that knows the directions in which the loss is curved most."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pseudolinear.learners.solvers._design import aligned
from pseudolinear.loops._constants import TINY

if TYPE_CHECKING:
    from pseudolinear.learners.solvers._batch import Batch

ROUNDING = 1e-12  # eigenvalues below, relative to the largest, are rounding


class Spectrum(NamedTuple):
    """Leading eigenvectors of a Hessian without its ridge, their values, and that of the rest."""

    vectors: np.ndarray
    values: np.ndarray
    rest: float

    def solve(self, G: np.ndarray) -> np.ndarray:
        """Solve with the Hessian, all directions that are not known curved like the rest."""
        flat = 1.0 / (1.0 + self.rest)
        share = 1.0 / (1.0 + self.values) - flat
        return self.vectors @ (share[:, None] * (self.vectors.T @ G)) + flat * G


class LowRank:
    """The leading part of the Hessian per label, renewed every ``LIFE`` iterations.

    A Nystroem approximation of the Hessian (Frangella, Tropp and Udell 2023), which takes products
    with ``RANK`` vectors and no Gram matrix.  The vectors are the last eigenvectors, of any label,
    so that renewals double as subspace iterations; the first ones are random.
    """

    LIFE = 20
    RANK = 64
    exact = np.False_

    def __init__(self, d: int) -> None:
        self.age = 0
        self.spectra: dict[int, Spectrum] = {}
        self.basis = np.random.RandomState(0).normal(size=(d, min(self.RANK, d)))

    def direction(self, batch: Batch) -> None:
        """Write the solutions into ``batch.U``."""
        if self.age % self.LIFE == 0:
            self.spectra.clear()
        self.age += 1
        batch.U[:] = 0.0
        for label in np.unique(batch.label[batch.alive]):
            lanes = np.flatnonzero((batch.label == label) & batch.alive)
            if label not in self.spectra:
                mean = batch.D[:, lanes] @ (batch.scale[lanes] / len(lanes))
                self.spectra[label] = self._spectrum(batch, mean)
                if self.spectra[label].vectors.shape == self.basis.shape:  # none was lost
                    self.basis = self.spectra[label].vectors
            batch.U[:, lanes] = self.spectra[label].solve(batch.G[:, lanes])

    def _spectrum(self, batch: Batch, curvature: np.ndarray) -> Spectrum:
        """Approximate ``X' (diag(c) - c c' / sum(c)) X``, the intercept eliminated."""
        (n, d), rank = batch.design.shape, self.basis.shape[1]
        rows = batch.design.times(self.basis, aligned((n, rank)))
        if batch.free:
            rows -= curvature @ rows / max(curvature.sum() + batch.ridge, TINY)
        rows *= curvature[:, None]
        return _nystroem(self.basis, batch.design.transpose_times(rows, aligned((d, rank))))

    def renew(self, lanes: np.ndarray) -> None:
        """Nothing to forget: spectra belong to labels, not to lanes."""

    keep = renew


def _nystroem(basis: np.ndarray, image: np.ndarray) -> Spectrum:
    """Return the spectrum of the best matrix of the rank of the basis that has this image."""
    core = basis.T @ image
    values, vectors = np.linalg.eigh((core + core.T) / 2)
    if values[-1] <= 0.0:  # no direction is curved
        return Spectrum(image[:, :0], values[:0], 0.0)
    some = values > ROUNDING * values[-1]
    B = image @ (vectors[:, some] / np.sqrt(values[some]))
    squares, inner = np.linalg.eigh(B.T @ B)
    kept = squares > ROUNDING * squares[-1]
    return Spectrum(B @ (inner[:, kept] / np.sqrt(squares[kept])), squares[kept], squares[kept][0])
