"""What trees like: numbers as they are, gaps as gaps, categories as codes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.preprocessing import OrdinalEncoder

from pseudolinear.features._schema import Schema
from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views

MOST_CODES = 254  # categories of a column that trees tell apart


class TreesView(View):
    """Numbers with NaN, one code per category (NaN where unknown), and topics of texts."""

    name = "trees"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn codes and topics; see :class:`View`."""
        self.encoder, self.has_texts = None, table.texts.shape[1] > 0
        if table.categories.shape[1]:
            encoder = OrdinalEncoder(
                handle_unknown="use_encoded_value",
                unknown_value=np.nan,
                encoded_missing_value=np.nan,
                max_categories=MOST_CODES,
            )
            self.encoder = table.categories.fit(encoder)
        if self.has_texts:
            views.fitted("topics")
        return self

    def transform(self, table: Table, views: Views) -> Any:
        """Return numbers, codes and topics; see :class:`View`."""
        X = table.numbers
        blocks = [X.toarray() if sparse.issparse(X) else X]
        if self.encoder is not None:
            blocks.append(table.categories.encode(self.encoder.transform))
        if self.has_texts:
            blocks.append(views("topics"))
        return np.hstack(blocks) if len(blocks) > 1 else blocks[0]

    def origins(self, schema: Schema, n_columns: int) -> NDArray[np.intp]:
        """Say of which column each number and each code is made; see :class:`View`."""
        if self.has_texts:
            raise AttributeError(
                "This classifier has no feature_importances_: its trees see topics, which are made "
                "of all texts."
            )
        return schema.origins(n_columns)
