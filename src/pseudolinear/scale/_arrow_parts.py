"""Parquet and other files that Arrow reads, in parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from pseudolinear._decimal_commas import DecimalCommas
from pseudolinear.scale._arrow_files import open_dataset
from pseudolinear.scale._part import Part
from pseudolinear.scale._parts import Parts, rows_of_a_part

ODD_VALUE = re.compile(r"In CSV column #(\d+):.*CSV conversion error to (\S+): invalid value (.*)")


class ArrowParts(Parts):
    """A Parquet file, a folder of them or an Arrow data set, of which a batch is read at a time.

    Parameters
    ----------
    source : path, list of paths or pyarrow.dataset.Dataset
        Where the rows are; a folder may be partitioned as Spark and Hive write it.
    target : str, list of str or None
        Column of the classes, or columns of the labels; None where rows are to be predicted.
    sample_weight : str, default=None
        Column of the weights.
    columns : list of str, default=None
        Columns of the features; None takes all others.
    rows : int, default=None
        Rows of a part at the most; None for parts of 32 MB.
    strings : sequence of str, default=()
        Columns of CSV that are strings even where they look like numbers.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from pseudolinear.scale import ArrowParts
    >>> path = tempfile.mkdtemp() + "/rows.parquet"
    >>> pd.DataFrame({"a": [1.0, 2.0, 3.0], "y": [0, 1, 1]}).to_parquet(path)
    >>> [len(part) for part in ArrowParts(path, "y", rows=2)]
    [2, 1]
    """

    def __init__(
        self,
        source: Any,
        target: str | Sequence[str] | None = None,
        sample_weight: str | None = None,
        columns: Sequence[str] | None = None,
        rows: int | None = None,
        strings: Sequence[str] = (),
    ) -> None:
        self.dataset = open_dataset(source)
        self.target = list(target) if isinstance(target, list | tuple) else target
        self.weight = sample_weight
        wanted = self.target if isinstance(self.target, list) else [self.target]
        others = [name for name in [*wanted, sample_weight] if name is not None]
        # pandas writes an index that is none as a column
        known = [n for n in self.dataset.schema.names if not n.startswith("__index_level_")]
        self.columns = [n for n in known if n not in others] if columns is None else list(columns)
        self._read = [*self.columns, *(name for name in others if name not in self.columns)]
        for name in self._read:
            if name not in known:
                raise ValueError(f"There is no column {name!r}; the columns are {_listed(known)}.")
        self.rows = rows or rows_of_a_part(len(self._read))
        self._schema = self._types(strings) if self._is_text else self.dataset.schema

    def read(self) -> Iterator[Part]:
        """Read one batch of rows after the other."""
        commas = self._decimal_commas()
        for fragment in self.dataset.get_fragments():
            path = getattr(fragment, "path", "the table")
            try:
                self._check_columns(fragment, path)
                for batch in fragment.to_batches(
                    schema=self._schema,
                    columns=self._read,
                    batch_size=self.rows,
                    batch_readahead=1,
                    fragment_readahead=1,
                ):
                    yield self._part(batch.to_pandas(), path, commas)
            except (OSError, import_module("pyarrow").lib.ArrowException) as error:
                reason = _reason(str(error).splitlines()[0], fragment)
                raise ValueError(f"{path} cannot be read: {reason}") from error

    @property
    def _is_text(self) -> bool:
        """Whether types are found by looking at the first rows."""
        format = getattr(self.dataset, "format", None)  # a table in memory has none
        return format is not None and format.default_extname == "csv"

    def _types(self, strings: Sequence[str]) -> Any:
        """Return the types of a text file: further rows may have fractions, and values for gaps."""
        arrow, schema = import_module("pyarrow"), self.dataset.schema
        for k, (name, kind) in enumerate(zip(schema.names, schema.types, strict=True)):
            if name in strings:
                schema = schema.set(k, arrow.field(name, arrow.string()))
            elif name in (*self.columns, self.weight) and (
                arrow.types.is_integer(kind) or arrow.types.is_null(kind)
            ):
                schema = schema.set(k, arrow.field(name, arrow.float64()))
        return schema

    def _decimal_commas(self) -> DecimalCommas | None:
        """Return what reads numbers with decimal commas, which only text files have."""
        if not self._is_text:
            return None
        classes = [name for name in self._read if name not in self.columns and name != self.weight]
        return DecimalCommas(self.dataset.format.parse_options.delimiter, classes)

    def _check_columns(self, fragment: Any, path: str) -> None:
        """Refuse a file that lacks columns, which Arrow would take for missing values."""
        found = set(fragment.physical_schema.names)
        for name in self._read:
            if name not in found and f"{name}=" not in path:
                raise ValueError(
                    f"{path} has no column {name!r}, which other files have; "
                    "write all files with the same columns."
                )

    def _part(self, frame: Any, path: str, commas: DecimalCommas | None) -> Part:
        if commas is not None:
            try:
                frame = commas.read(frame)
            except ValueError as error:
                raise ValueError(f"{path} cannot be read: {error}.") from error
        y = None if self.target is None else frame[self.target]
        weight = None if self.weight is None else frame[self.weight].to_numpy()
        return Part(frame[self.columns], y, weight, path)


def _reason(error: str, fragment: Any) -> str:
    """Return why Arrow cannot read a file, with the name of a column that has two types."""
    if (found := ODD_VALUE.search(error)) is None:
        return error
    name = fragment.physical_schema.names[int(found[1])]
    return (
        f"the column {name!r} holds {found[3]} where the first rows have the type {found[2]}; "
        "write all of them alike, or the file as Parquet, which states its types."
    )


def _listed(names: list[str], most: int = 20) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
