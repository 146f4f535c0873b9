"""The index of pandas, which predictions share with their rows."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
from narwhals.stable.v2 import dependencies


def with_index_of(rows: Any, predicted: nw.DataFrame[Any] | nw.Series[Any]) -> Any:
    """Return the native frame or column, with the index of the rows where both are pandas."""
    if dependencies.is_pandas_dataframe(rows) or dependencies.is_pandas_series(rows):
        predicted = nw.maybe_set_index(predicted, index=rows.index)
    return predicted.to_native()
