"""Features: what turns the rows of a fold into what each learner likes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context

from pseudolinear.features._schema import Schema
from pseudolinear.features._table import Table
from pseudolinear.features._view import GIVEN, View


class Features:
    """Views of tables, each fitted once, when it is first asked for.

    Parameters
    ----------
    schema : Schema
        What reads rows into tables.
    seed : int
        Seed of views that draw rows.

    Examples
    --------
    >>> import numpy as np
    >>> from pseudolinear.features import Features, describe
    >>> X = np.array([[1.0, 10.0], [2.0, np.nan], [3.0, 40.0]])
    >>> schema = describe(X)
    >>> features = Features(schema).fit(schema.read(X), ["scaled", "trees"])
    >>> features.encode(X)("scaled").round(1)  # the last column says where a number was missing
    array([[-1.2, -1.2,  0. ],
           [ 0. ,  0. ,  1. ],
           [ 1.2,  1.2,  0. ]])
    """

    def __init__(self, schema: Schema, seed: int = 0) -> None:
        self.schema = schema
        self.seed = seed
        self.views: dict[str, View] = {}

    def __repr__(self) -> str:
        return f"<Features: {type(self.schema).__name__}, views {sorted(self.views)}>"

    def fit(
        self, table: Table, names: list[str], weight: NDArray[np.float64] | None = None
    ) -> Features:
        """Fit views on training rows.

        Parameters
        ----------
        table : Table
            The rows.
        names : list of str
            The views, and with them those that they build on.
        weight : ndarray of shape (n_samples,), default=None
            Weight of each row; rows of weight 0 are left out.

        Returns
        -------
        self
            With these views fitted, besides those that were.
        """
        if weight is not None and not weight.any():
            raise ValueError(
                "A fold of cv has no row with a weight above 0 to train on; take fewer folds, or "
                "leave out rows of weight 0."
            )
        if weight is not None and not weight.all():
            table, weight = table.take(np.flatnonzero(weight)), weight[weight > 0]
        rows = Encoded(self, table, training=(table, weight))
        for name in names:
            rows.fitted(name)
        return self

    def encode(self, X: Any) -> Encoded:
        """Take rows; their views are made when they are asked for."""
        return Encoded(self, given=X)

    def unscaled(
        self, view: str, coef: NDArray[np.float64], intercept: Any
    ) -> tuple[NDArray[np.float64], Any]:
        """Turn a linear function of a view into one of the given columns.

        Parameters
        ----------
        view : str
            Name of the view.
        coef : ndarray of shape (n_columns,) or (n_columns, n_functions)
            Coefficients.
        intercept : float or ndarray of shape (n_functions,)
            What is added.

        Returns
        -------
        coef, intercept
            Of the given columns; an AttributeError says what stands in the way.
        """
        if view == GIVEN:
            return coef, intercept
        if not self.schema.plain:
            raise AttributeError(
                "This classifier has no coef_: it is linear in numbers, categories and words that "
                "were made of the columns, not in the columns."
            )
        # Of a matrix of numbers, these are all that is scaled.
        return self.views["numbers" if view in ("scaled", "coded") else view].unscaled(
            coef, intercept
        )

    def origins(self, view: str, n_columns: int) -> NDArray[np.intp]:
        """Say of which given column each column of a view is made.

        Parameters
        ----------
        view : str
            Name of the view.
        n_columns : int
            Number of its columns.

        Returns
        -------
        ndarray of shape (n_columns,)
            Positions; an AttributeError says where there are none.
        """
        if view == GIVEN:
            return np.arange(n_columns)
        return self.views[view].origins(self.schema, n_columns)


class Encoded:
    """Rows in every view, each made once, when it is first asked for."""

    def __init__(
        self,
        features: Features,
        table: Table | None = None,
        *,
        given: Any = None,
        take: Callable[[], Table] | None = None,
        training: tuple[Table, NDArray[np.float64] | None] | None = None,
    ) -> None:
        self.features = features
        self._table, self._take, self._training = table, take, training
        self._made = {GIVEN: given}

    def __call__(self, name: str) -> Any:
        """Return a view of the rows."""
        if name not in self._made:
            view = self.fitted(name)
            with config_context(transform_output="default"):  # set_config is for the user's steps
                self._made[name] = view.transform(self.table, self)
        return self._made[name]

    @property
    def table(self) -> Table:
        """The rows, read once."""
        if self._table is None and self._take is not None:
            self._table = self._take()
        elif self._table is None:
            self._table = self.features.schema.read(self._made[GIVEN])
        return self._table

    def give(self, X: Any) -> None:
        """Take the rows as they came in, for learners that take them so."""
        self._made[GIVEN] = X

    def rest(self) -> None:
        """Let go of rows that can be taken again: views of all folds stay, and are large enough."""
        if self._take is not None:
            self._table = None

    def forget(self, name: str) -> None:
        """Drop a view of the rows."""
        self._made.pop(name, None)

    def fitted(self, name: str) -> View:
        """Return a fitted view; rows that may train fit it first."""
        views = self.features.views
        if name not in views and self._training is not None:
            table, weight = self._training
            with config_context(transform_output="default"):
                views[name] = View.known[name]().fit(table, self, weight, self.features.seed)
        return views[name]
