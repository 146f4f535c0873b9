"""Views: a table as a learner likes it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear._discovery import Named
from pseudolinear.features._schema import Schema
from pseudolinear.features._table import Table

GIVEN = "given"  # rows as they came in


class Views(Protocol):
    """The other views of the same rows, by name."""

    def __call__(self, name: str) -> Any:
        """Return a view of the rows."""

    def fitted(self, name: str) -> View:
        """Return what makes a view; training rows have fitted it, but it need not be made yet."""


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
        views : Views
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
        views : Views
            Gives another view of them, by name.

        Returns
        -------
        ndarray or CSR matrix of shape (n_samples, n_columns)
            What the learner gets.
        """

    def unscaled(
        self, coef: NDArray[np.float64], intercept: Any
    ) -> tuple[NDArray[np.float64], Any]:
        """Turn a linear function of this view into one of the columns, if it scales columns."""
        raise AttributeError(
            f"This classifier has no coef_: it is linear in the view {self.name!r} of the columns, "
            "not in the columns."
        )

    def origins(self, schema: Schema, n_columns: int) -> NDArray[np.intp]:
        """Say of which column each column of this view is made, if it is made of one."""
        raise AttributeError(
            f"This classifier has no feature_importances_: its trees see the view {self.name!r}, "
            "in which columns are mixed."
        )
