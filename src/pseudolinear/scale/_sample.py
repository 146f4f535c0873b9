"""A sample of the rows, the same however they are parted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear._draws import number_draws
from pseudolinear._validation import take_rows
from pseudolinear.scale._part import Part


@dataclass(frozen=True, eq=False)
class RowSample:
    """The rows of the smallest draws, which belong to their numbers; samples can be added.

    Attributes
    ----------
    X : ndarray, CSR matrix or data frame
        The rows as they were given.
    codes : ndarray of shape (n_rows, ...)
        Their classes or labels, as read.
    weight : ndarray of shape (n_rows,)
        Their weights.
    numbers : ndarray of shape (n_rows,)
        Their numbers among all rows.
    stratum : ndarray of shape (n_rows,)
        What the rows are drawn from, apart from each other: their class, or all alike.
    draws : ndarray of shape (n_rows,)
        By which they were chosen.
    size : int
        Rows of a stratum that are kept.
    """

    X: Any
    codes: NDArray[Any]
    weight: NDArray[np.float64]
    numbers: NDArray[np.int64]
    stratum: NDArray[Any]
    draws: NDArray[np.float64]
    size: int

    __repr__ = brief_repr

    @classmethod
    def of(
        cls,
        part: Part,
        codes: NDArray[Any],
        weight: NDArray[np.float64],
        stratum: NDArray[Any],
        size: int,
        seed: int,
    ) -> RowSample:
        """Draw from the rows of a part."""
        draws = number_draws(part.numbers, seed)
        everything = cls(part.X, codes, weight, part.numbers, stratum, draws, size)
        return everything._smallest()

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.numbers)

    def __add__(self, other: RowSample) -> RowSample:
        """Return the rows of the smallest draws of both."""
        arrays = ("codes", "weight", "numbers", "stratum", "draws")
        joined: dict[str, Any] = {
            name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in arrays
        }
        X = concatenate([self.X, other.X])
        return RowSample(X=X, size=self.size, **joined)._smallest()

    def _smallest(self) -> RowSample:
        order = np.lexsort((self.draws, self.stratum))
        ordered = self.stratum[order]
        new = np.append(True, ordered[1:] != ordered[:-1])
        begin = np.flatnonzero(new)
        rank = np.arange(len(order)) - np.repeat(begin, np.diff(np.append(begin, len(order))))
        kept = np.sort(order[rank < self.size])
        if len(kept) == len(order):
            return self
        return RowSample(
            take_rows(self.X, kept),
            self.codes[kept],
            self.weight[kept],
            self.numbers[kept],
            self.stratum[kept],
            self.draws[kept],
            self.size,
        )


def concatenate(pieces: list[Any]) -> Any:
    """Put rows of one kind below each other."""
    if sparse.issparse(pieces[0]):
        return sparse.vstack(pieces, format="csr")
    if hasattr(pieces[0], "columns"):
        import pandas as pd

        return pd.concat(pieces, ignore_index=True)
    return np.concatenate(pieces)
