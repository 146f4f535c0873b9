"""Views: a table as a learner likes it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear._discovery import Named
from pseudolinear.features._table import Table

GIVEN = "given"  # rows as they came in
Views = Callable[[str], Any]  # the other views of the same rows, by name


class View(Named):
    """A way to make a matrix of a table; a new one is one more child with a `name`.

    A view is fitted on training rows and then applied to these and other rows. It may build on
    other views of the same rows, which are made once.
    """

    known: ClassVar[dict[str, type[View]]] = {}

    @abstractmethod
    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn from training rows.

        Parameters
        ----------
        table : Table
            The rows.
        views : callable
            Gives another view of them, by name.
        weight : ndarray of shape (n_samples,) or None
            Weight of each row; none is 0.
        seed : int
            Seed of what is drawn at random.

        Returns
        -------
        self
            The fitted view.
        """

    @abstractmethod
    def transform(self, table: Table, views: Views) -> Any:
        """Return rows as a matrix.

        Parameters
        ----------
        table : Table
            The rows.
        views : callable
            Gives another view of them, by name.

        Returns
        -------
        ndarray or CSR matrix of shape (n_samples, n_columns)
            What the learner gets.
        """
