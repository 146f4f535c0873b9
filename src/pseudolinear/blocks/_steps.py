"""Steps: thermometer codes, held as the interval that each number lies in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear.blocks._codes import Codes
from pseudolinear.loops._codes import add_down, add_up


class Steps(Codes):
    """Columns that say whether a number exceeds each of some thresholds.

    What a row adds to a score is a sum of weights from the lowest threshold on, so that sums along
    the thresholds, made once per product, leave one lookup per row and number.

    Parameters
    ----------
    codes : ndarray of shape (n_samples, n_numbers)
        The last column that is 1, for every row and number; the number of columns where none is.
    starts : ndarray of shape (n_numbers + 1,)
        The first column of every number, and the number of columns.

    Examples
    --------
    >>> from pseudolinear.blocks import Steps
    >>> X = Steps.of(np.array([[0.5], [2.5], [9.0]]), [np.array([1.0, 2.0, 3.0])])
    >>> X.toarray()
    array([[0., 0., 0.],
           [1., 1., 0.],
           [1., 1., 1.]])
    >>> X @ np.array([1.0, 10.0, 100.0])
    array([  0.,  11., 111.])
    """

    def __init__(self, codes: NDArray[Any], starts: NDArray[np.intp]) -> None:
        super().__init__(codes, int(starts[-1]))
        self.starts = starts

    @classmethod
    def of(cls, X: NDArray[np.float64], thresholds: Sequence[NDArray[np.float64]]) -> Self:
        """Compare the columns of X with the ascending thresholds of each."""
        starts = np.cumsum([0, *map(len, thresholds)])
        codes = np.full(X.shape, starts[-1], np.uint32)
        for j, (own, start) in enumerate(zip(thresholds, starts, strict=False)):
            below = np.searchsorted(own, X[:, j])
            codes[:, j] = np.where(below > 0, start + below - 1, starts[-1])
        return cls(codes, starts)

    def _with(self, codes: NDArray[Any]) -> Self:
        return type(self)(codes, self.starts)

    def toarray(self) -> NDArray[np.float64]:
        """Return all columns."""
        last = self.codes.repeat(np.diff(self.starts), axis=1)
        passed = (last >= np.arange(self.n_columns)) & (last < self.n_columns)
        return passed.astype(np.float64)

    def spread(self, W: NDArray[np.float64], table: NDArray[np.float64]) -> None:
        """Turn weights of steps into what each interval adds to a score."""
        add_up(self.starts, W, table)
        table[-1] = 0.0

    def gather(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn sums by interval into sums by step, in place."""
        add_down(self.starts, table)
        return table[:-1]
