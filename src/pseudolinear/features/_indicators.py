"""Categories as indicators."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import OneHotEncoder

from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views

RARE = 5  # rows below which categories of a column are joined
MOST = 60  # indicators of a column


class IndicatorsView(View):
    """One column per category; a missing value is a category, rare and unknown ones are joined."""

    name = "indicators"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn the categories; see :class:`View`."""
        self.encoder = OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            drop="if_binary",
            min_frequency=RARE,
            max_categories=MOST,
            sparse_output=False,
        ).fit(table.categories)
        return self

    def transform(self, table: Table, views: Views) -> Any:
        """Return indicators; see :class:`View`."""
        with warnings.catch_warnings():  # unknown categories are joined, as said above
            warnings.filterwarnings("ignore", message="Found unknown categories")
            return self.encoder.transform(table.categories)
