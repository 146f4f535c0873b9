"""Parts: some of the rows, as many as fit into memory at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr


@dataclass(frozen=True, eq=False)
class Part:
    """Some consecutive rows as they were given.

    Attributes
    ----------
    X : ndarray, CSR matrix or data frame of shape (n_rows, n_features)
        The rows.
    y : array-like, data frame or None
        Their classes or labels; None where they are to be predicted.
    weight : ndarray of shape (n_rows,) or None
        Their weights.
    name : str
        How messages call it, as by its file.
    first : int
        Number of its first row among all rows.
    """

    X: Any
    y: Any = None
    weight: NDArray[np.float64] | None = None
    name: str = "the rows"
    first: int = 0

    __repr__ = brief_repr

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.X.shape[0])

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of its rows among all rows."""
        return np.arange(self.first, self.first + len(self))

    def starting_at(self, first: int) -> Part:
        """Return the same rows, counted from another number."""
        return replace(self, first=first)
