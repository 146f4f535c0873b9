"""The index of pandas, which predictions share with their rows."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
from narwhals.stable.v2 import dependencies


def with_index_of(rows: Any, predicted: nw.DataFrame[Any] | nw.Series[Any]) -> Any:
    """Return the native frame or column, with the index of the rows where both are pandas."""
    native = predicted.to_native()
    if predicted.implementation.is_pandas() and (
        dependencies.is_pandas_dataframe(rows) or dependencies.is_pandas_series(rows)
    ):
        native.index = rows.index
    return native
