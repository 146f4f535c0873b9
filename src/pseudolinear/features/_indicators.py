"""Categories as indicators."""

from __future__ import annotations

import warnings
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import OneHotEncoder

from pseudolinear.blocks import Codes
from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views

RARE = 5  # rows below which categories of a column are joined
MOST = 60  # indicators of a column


class IndicatorsView(View):
    """One column per category; a missing value is a category, rare and unknown ones are joined.

    The columns are held as codes.
    """

    name = "indicators"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn the categories; see :class:`View`."""
        encoder = OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            drop="if_binary",
            min_frequency=RARE,
            max_categories=MOST,
            sparse_output=False,
        )
        self.encoder = table.categories.fit(encoder)
        return self

    def transform(self, table: Table, views: Views) -> Any:
        """Return codes; see :class:`View`."""
        encoder, groups = copy(self.encoder).set_params(sparse_output=True), _groups(self.encoder)

        def codes(rows: NDArray[np.object_]) -> NDArray[np.intp]:
            with warnings.catch_warnings():  # unknown categories are joined, as said above
                warnings.filterwarnings("ignore", message="Found unknown categories")
                ones = encoder.transform(rows).tocoo()
            found = np.full(rows.shape, len(groups))
            found[ones.row, groups[ones.col]] = ones.col
            return found

        return Codes(table.categories.encode(codes), len(groups))


def _groups(encoder: OneHotEncoder) -> NDArray[np.intp]:
    """Say of which column of categories each indicator is made."""
    rare = encoder.infrequent_categories_ or [None] * len(encoder.categories_)
    joined = [0 if own is None else len(own) - 1 for own in rare]
    dropped = encoder.drop_idx_ if encoder.drop_idx_ is not None else [None] * len(joined)
    widths = [
        len(own) - less - (one is not None)
        for own, less, one in zip(encoder.categories_, joined, dropped, strict=True)
    ]
    return np.repeat(np.arange(len(widths)), widths)
