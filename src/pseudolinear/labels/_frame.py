"""LabelFrame: y came as a data frame whose columns are the labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.labels._form import LabelForm, arrange_by_name
from pseudolinear.labels._index import with_index_of


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelFrame(LabelForm):
    """A frame of pandas, polars or another library that narwhals knows.

    Attributes
    ----------
    names : ndarray of shape (n_labels,)
        Names of the columns.
    library : str
        Whose frames predictions are.
    boolean : bool
        Whether all columns were boolean; predictions then are.
    """

    names: NDArray[Any]
    library: Any
    boolean: bool

    __repr__ = brief_repr

    @classmethod
    def read(cls, frame: nw.DataFrame[Any]) -> tuple[NDArray[Any], Self]:
        """Return the 0/1 matrix, and the form."""
        columns = [_zero_or_one(column) for column in frame.iter_columns()]
        matrix = np.stack(columns, axis=1) if columns else np.empty(frame.shape, np.int8)
        names = np.fromiter(frame.columns, dtype=object)
        boolean = all(dtype == nw.Boolean for dtype in frame.schema.dtypes())
        return matrix, cls(names=names, library=frame.implementation.value, boolean=boolean)

    def decode(self, matrix: NDArray[Any], rows: Any) -> Any:
        """Return a frame of the same library and columns; of pandas, with the index of the rows."""
        columns = matrix.T.astype(bool) if self.boolean else matrix.T
        data = dict(zip(self.names.tolist(), columns, strict=True))
        return with_index_of(rows, nw.from_dict(data, backend=self.library))

    def arrange(
        self, matrix: NDArray[Any], names: NDArray[Any] | None, n_labels: int
    ) -> tuple[NDArray[Any], list[Any]]:
        """Put the columns into the order of the other labels, whose names must be the same."""
        if names is None:
            return super().arrange(matrix, names, n_labels)
        own, others = self.names.tolist(), names.tolist()
        if missing := [name for name in others if name not in set(own)]:
            raise ValueError(f"y has no column for the label {missing[0]!r}; add it.")
        if unknown := [name for name in own if name not in set(others)]:
            raise ValueError(
                f"y has the column {unknown[0]!r}, which is not one of the {n_labels} labels; "
                "leave it out."
            )
        return arrange_by_name(matrix, own, others)


def _zero_or_one(column: Any) -> NDArray[np.int8]:
    values = column.to_numpy()
    if column.is_null().any():
        raise ValueError(
            f"The column {column.name!r} of y has missing values; give 1 where a row has the "
            "label and 0 where it has not."
        )
    if (others := values[~np.isin(values, (0, 1))]).size:
        raise ValueError(
            f"The column {column.name!r} of y holds {others.tolist()[0]!r}; the columns of a frame "
            "are labels that hold 0 and 1 or booleans (classes are a single column)."
        )
    return values.astype(np.int8)
