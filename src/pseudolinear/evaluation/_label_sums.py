"""LabelSums: the cells of every label, summed over batches of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.errors import ErrorProfile, Outcomes
from pseudolinear.evaluation._units import Units


@dataclass(frozen=True, eq=False)
class LabelSums:
    """The cells of every label, summed over rows: what :class:`Units` says of each label alone.

    Attributes
    ----------
    cells, squared : ndarray of shape (n_labels, 4)
        Sums of the weights of (tp, fn, fp, tn), and of their squares.
    n : int
        Number of rows.
    weight, weight_squares : float
        Sums of the weights of all rows, and of their squares.
    plain : bool
        Whether rows have the weight 1.
    """

    cells: NDArray[np.float64]
    squared: NDArray[np.float64]
    n: int
    weight: float
    weight_squares: float
    plain: bool

    @classmethod
    def of(cls, outcomes: Outcomes, weight: NDArray[np.float64] | None) -> Self:
        """Sum over the rows of a batch."""
        true, predicted = outcomes.true, outcomes.predicted
        own = np.ones(len(true)) if weight is None else weight
        blocks = (true & predicted, true & ~predicted, predicted & ~true, ~(true | predicted))
        cells, squared = (
            np.stack([mass @ block for block in blocks], axis=1) for mass in (own, own**2)
        )
        return cls(cells, squared, len(true), float(own.sum()), float(own @ own), weight is None)

    def merge(self, other: LabelSums) -> LabelSums:
        """Return the sums over the rows of both."""
        return LabelSums(
            self.cells + other.cells,
            self.squared + other.squared,
            self.n + other.n,
            self.weight + other.weight,
            self.weight_squares + other.weight_squares,
            self.plain,
        )

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.cells)

    @property
    def single(self) -> bool:
        """Whether there is one row, as of :class:`Units`."""
        return self.n == 1

    @property
    def row(self) -> float:
        """Weight of a typical row, as of :class:`Units`."""
        return self.weight_squares / self.weight

    def squares(self, factors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the squares of a linear function of the cells of each row: it is in one of them."""
        return (self.squared * factors**2).sum(axis=1)

    def take(self, labels: NDArray[np.bool_]) -> LabelSums:
        """Return the sums of some of the labels."""
        return LabelSums(
            self.cells[labels], self.squared[labels],
            self.n, self.weight, self.weight_squares, self.plain,
        )  # fmt: skip

    def profile(self) -> ErrorProfile:
        """Return the errors of all labels."""
        tp, fn, fp, _ = self.cells.T / self.weight
        return ErrorProfile(fn, fp, tp + fn)

    def as_one_draw(self) -> Units:
        """Return a single draw with these sums, for what depends on sums alone."""
        tp, fn, fp, _ = (sparse.csr_array(cell[None]) for cell in self.cells.T)
        return Units(tp, fn, fp, np.array([self.weight]), np.ones(1), self.plain)
