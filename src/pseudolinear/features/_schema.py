"""Schemas: how rows of one origin are read into tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear._groups import is_missing
from pseudolinear.features._category_block import CategoryBlock
from pseudolinear.features._columns import Column, make_column
from pseudolinear.features._given import without_mask
from pseudolinear.features._table import Table
from pseudolinear.features._text_block import TextBlock


class Schema(ABC):
    """What the rows of a fit look like; rows of the same look can be read later."""

    plain = False  # whether rows are nothing but a matrix of numbers
    categorical = False  # whether all columns are numbers or of a categorical type

    @property
    def strings(self) -> tuple[Any, ...]:
        """Columns that are strings even where they look like numbers."""
        return ()

    @abstractmethod
    def read(self, X: Any) -> Table:
        """Read rows into a table."""

    def origins(self, n_columns: int) -> NDArray[np.intp]:
        """Say of which column each number, and then each category, of a table is made."""
        return np.arange(n_columns)


@dataclass(frozen=True)
class MatrixSchema(Schema):
    """A matrix of numbers, dense or sparse."""

    plain = True

    def read(self, X: Any) -> Table:
        """Read rows into a table."""
        n = X.shape[0]
        return Table(X, CategoryBlock.of([], n), TextBlock(np.empty((n, 0), dtype=object)))


@dataclass(frozen=True)
class TextSchema(Schema):
    """A sequence of strings: one text per row."""

    def read(self, X: Any) -> Table:
        """Read rows into a table."""
        if not _is_sequence(X) or not all(isinstance(x, str) or is_missing(x) for x in X):
            raise ValueError(
                "This classifier was fitted on texts; give a list of strings, one per row."
            )
        n, texts = len(X), np.array(["" if is_missing(x) else x for x in X], dtype=object)
        return Table(np.empty((n, 0)), CategoryBlock.of([], n), TextBlock(texts[:, None]))


@dataclass(frozen=True, eq=False)
class ColumnSchema(Schema):
    """A data frame or an array of objects: every column has its own role."""

    columns: tuple[Column, ...]
    categorical: bool = False

    __repr__ = brief_repr

    @property
    def strings(self) -> tuple[Any, ...]:
        """Columns that are strings even where they look like numbers."""
        return tuple(column.name for column in self.columns if column.block != "numbers")

    def origins(self, n_columns: int) -> NDArray[np.intp]:
        """Say of which column each number, and then each category, of a table is made."""
        blocks = ("numbers", "categories")
        return np.array(
            [
                number
                for block in blocks
                for number, column in enumerate(self.columns)
                for _ in range(column.width * (column.block == block))
            ]
        )

    def read(self, X: Any) -> Table:
        """Read rows into a table; column names were compared before."""
        blocks: dict[str, list[Any]] = {"numbers": [], "categories": [], "texts": []}
        for column, (_, values) in zip(self.columns, _columns(X), strict=True):
            blocks[column.block].append(column.read(values))
        n = len(X)
        return Table(
            np.hstack([np.empty((n, 0)), *blocks["numbers"]]),
            CategoryBlock.of(blocks["categories"], n),
            TextBlock(np.hstack([np.empty((n, 0), dtype=object), *blocks["texts"]])),
        )


def describe(X: Any) -> Schema:
    """Find out how rows are to be read.

    Parameters
    ----------
    X : ndarray, sparse matrix, data frame or sequence of strings
        The rows; an array of numbers is taken as it is.

    Returns
    -------
    Schema
        What reads them, and others like them.

    Examples
    --------
    >>> import numpy as np
    >>> from pseudolinear.features import describe
    >>> X = np.array([["a", 1.5], ["b", None]], dtype=object)
    >>> [type(column).__name__ for column in describe(X).columns]
    ['Categories', 'Numbers']
    """
    X = without_mask(X)
    if is_text(X):
        return TextSchema()
    X = as_rows(X)
    objects = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind == "O"
    if not (objects or hasattr(X, "columns")):
        return MatrixSchema()
    columns = _columns(X)
    types = [values.dtype for _, values in columns if isinstance(values, nw.Series)]
    numeric = [kind.is_numeric() or kind == nw.Boolean for kind in types]
    if not columns:
        raise ValueError(f"X has 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    if types and all(numeric):
        return MatrixSchema()
    known = [n or kind in (nw.Categorical, nw.Enum) for n, kind in zip(numeric, types, strict=True)]
    described = tuple(make_column(name, values) for name, values in columns)
    return ColumnSchema(described, categorical=bool(types) and all(known))


def as_rows(X: Any) -> Any:
    """Return a list of rows that are not all numbers as an array of objects; others as they are."""
    if isinstance(X, list | tuple) and not is_text(X):
        array = np.asarray(X)
        return array if array.dtype.kind in "biuf" else np.array(X, dtype=object)
    return X.astype(object) if isinstance(X, np.ndarray) and X.dtype.kind == "U" else X


def is_text(X: Any) -> bool:
    """Tell a sequence of strings, some of which may be missing, from anything else."""
    if not _is_sequence(X):
        return False
    strings = [isinstance(x, str) for x in X]
    return any(strings) and all(s or is_missing(x) for s, x in zip(strings, X, strict=True))


def _is_sequence(X: Any) -> bool:
    """Tell what has one value per row."""
    if isinstance(X, str) or not hasattr(X, "__len__") or getattr(X, "ndim", 1) != 1:
        return False
    return not (sparse.issparse(X) or hasattr(X, "columns"))


def _columns(X: Any) -> list[tuple[Any, Any]]:
    """Return names and values of the columns."""
    if isinstance(X, np.ndarray):
        return [(i, X[:, i]) for i in range(X.shape[1])]
    try:
        frame = nw.from_native(X, eager_only=True)
    except DuplicateError as error:
        twice = next(name for name, count in Counter(X.columns).items() if count > 1)
        raise ValueError(
            f"X has two columns of the name {twice!r}; give every column a name of its own."
        ) from error
    return [(name, frame.get_column(name)) for name in frame.columns]
