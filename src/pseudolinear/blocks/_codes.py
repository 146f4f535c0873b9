"""Codes: one-hot columns, held as what they were made of."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear.loops._codes import look_up


class Codes:
    """A matrix of zeros and ones with at most one 1 per row and group of columns.

    A product with weights costs one lookup per row and group, however many columns a group has.

    Parameters
    ----------
    codes : ndarray of shape (n_samples, n_groups)
        For every row and group the number of the column that is 1; `n_columns` where none is.
    n_columns : int
        Columns of all groups.

    Examples
    --------
    >>> from pseudolinear.blocks import Codes
    >>> X = Codes(np.array([[0, 3], [1, 2], [0, 4]]), 4)
    >>> X.toarray()
    array([[1., 0., 0., 1.],
           [0., 1., 1., 0.],
           [1., 0., 0., 0.]])
    >>> X @ np.array([1.0, 2.0, 10.0, 20.0])
    array([21., 12.,  1.])
    """

    ndim = 2

    def __init__(self, codes: NDArray[Any], n_columns: int) -> None:
        self.codes = np.ascontiguousarray(codes, dtype=np.uint32)
        self.n_columns = n_columns

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.codes.shape[1]} groups, shape {self.shape}>"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.codes), self.n_columns

    def __getitem__(self, rows: Any) -> Self:
        """Return some rows."""
        return self._with(self.codes[rows])

    def _with(self, codes: NDArray[Any]) -> Self:
        return type(self)(codes, self.n_columns)

    def __matmul__(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Multiply by a vector, or by the columns of a matrix."""
        W = np.ascontiguousarray(weights, dtype=np.float64).reshape(self.n_columns, -1)
        table = np.empty((self.n_columns + 1, W.shape[1]))
        self.spread(W, table)
        out = np.empty((len(self.codes), W.shape[1]))
        look_up(self.codes, table, out)
        return out.reshape(len(out), *np.shape(weights)[1:])

    def toarray(self) -> NDArray[np.float64]:
        """Return all columns."""
        out = np.zeros((len(self.codes), self.n_columns + 1))
        np.put_along_axis(out, self.codes.astype(np.intp), 1.0, axis=1)
        return np.ascontiguousarray(out[:, :-1])

    def spread(self, W: NDArray[np.float64], table: NDArray[np.float64]) -> None:
        """Turn weights of columns into what each code adds to a score; the last one adds 0."""
        table[:-1], table[-1] = W, 0.0

    def gather(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn sums by code into sums by column: the transpose of `spread`, in place."""
        return table[:-1]

    def row_squares(self) -> NDArray[np.float64]:
        """Return the squared lengths of the rows."""
        return self @ np.ones(self.n_columns)
