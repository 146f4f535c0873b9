"""Columns of categories: every value once, and which of them each row has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr


@dataclass(frozen=True, eq=False)
class CategoryBlock:
    """Columns of strings that repeat.

    Strings are slow to compare, and every fold learns its own encoding of them: encoders see the
    numbers of the values, and each value once.

    Attributes
    ----------
    values : tuple of ndarray of shape (n_values,)
        The values of each column in their order, None for a missing one as the last.
    codes : ndarray of shape (n_samples, n_columns)
        Which of them each row has.

    Examples
    --------
    >>> from pseudolinear.features._category_block import CategoryBlock
    >>> block = CategoryBlock.of([["b", "a", None, "b"]], 4)
    >>> block.values, block.codes.ravel()
    ((array(['a', 'b', None], dtype=object),), array([1, 0, 2, 1]))
    """

    values: tuple[NDArray[np.object_], ...]
    codes: NDArray[np.intp]

    __repr__ = brief_repr

    @classmethod
    def of(cls, columns: Sequence[Sequence[str | None]], n_rows: int) -> Self:
        """Give numbers to the values of columns."""
        values, codes = [], np.empty((n_rows, len(columns)), np.intp)
        for j, column in enumerate(columns):
            distinct = set(column)
            own: list[str | None] = [*sorted(one for one in distinct if one is not None)]
            own += [None] * (None in distinct)
            place = {one: i for i, one in enumerate(own)}
            codes[:, j] = [place[one] for one in column]
            values.append(np.array(own, dtype=object))
        return cls(tuple(values), codes)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        n_rows, n_columns = self.codes.shape
        return n_rows, n_columns

    def take(self, rows: NDArray[np.intp]) -> CategoryBlock:
        """Return some rows."""
        return CategoryBlock(self.values, self.codes[rows])

    def fit(self, encoder: Any) -> Any:
        """Fit an encoder of scikit-learn as the strings of all rows would."""
        encoder.fit(self.codes)
        encoder.categories_ = [
            own[numbers] for own, numbers in zip(self.values, encoder.categories_, strict=True)
        ]
        return encoder

    def encode(self, transform: Callable[[NDArray[np.object_]], NDArray[Any]]) -> NDArray[Any]:
        """Return what a function makes of the rows, which makes a number of each of their values.

        Parameters
        ----------
        transform : callable
            Takes rows of strings of shape (n, n_columns), and returns an array of that shape.
        """
        n_columns = len(self.values)
        longest = max(len(own) for own in self.values)
        rows = np.full((max(longest, 1), n_columns), None, dtype=object)
        for j, own in enumerate(self.values):
            rows[: len(own), j] = own
        return transform(rows)[self.codes, np.arange(n_columns)]
