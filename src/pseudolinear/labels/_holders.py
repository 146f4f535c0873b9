"""Holders: what the rows of label sets are held in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import narwhals.stable.v2 as nw
import numpy as np

from pseudolinear.labels._index import with_index_of


class Holder(ABC):
    """What holds one collection of labels per row."""

    @abstractmethod
    def hold(self, sets: list[Any], rows: Any) -> Any:
        """Return the sets in the holder; `rows` are those that they were predicted for."""


class ListHolder(Holder):
    """A list."""

    def hold(self, sets: list[Any], rows: Any) -> list[Any]:
        """Return them as they are."""
        return sets


class ArrayHolder(Holder):
    """An array of objects."""

    def hold(self, sets: list[Any], rows: Any) -> Any:
        """Return an array of one dimension, even where all rows are lists of equal length."""
        return np.fromiter(sets, dtype=object, count=len(sets))


@dataclass(frozen=True)
class ColumnHolder(Holder):
    """A column of pandas, polars or another library that narwhals knows.

    Attributes
    ----------
    name : object
        Its name.
    library : str
        Whose column it is.
    dtype : narwhals.dtypes.DType or None
        Its type, which rows without labels cannot tell; None for objects.
    """

    name: Any
    library: Any
    dtype: Any

    @classmethod
    def of(cls, column: nw.Series[Any]) -> Self:
        """Describe a column."""
        dtype = column.dtype if isinstance(column.dtype, nw.List) else None
        return cls(column.name, column.implementation.value, dtype)

    def __getstate__(self) -> dict[str, Any]:
        """Name the type of the labels, since types of columns are not for files."""
        inner = None if self.dtype is None else str(self.dtype.inner)
        if inner is not None and not hasattr(nw, inner):
            inner = "String"  # such as an Enum, whose labels are strings
        return self.__dict__ | {"dtype": inner}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Find the type by its name."""
        inner = state["dtype"]
        self.__dict__.update(state, dtype=inner and nw.List(getattr(nw, inner)))

    def hold(self, sets: list[Any], rows: Any) -> Any:
        """Return a column of the same name; of pandas, with the index of the rows."""
        column = nw.new_series(self.name, sets, self.dtype, backend=self.library)
        return with_index_of(rows, column)
