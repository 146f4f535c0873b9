"""Formats of files: how each is read, at once or a part at a time."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import IO, Any, ClassVar

from pseudolinear._decimal_commas import DecimalCommas
from pseudolinear._separators import SEPARATORS, find_separator
from pseudolinear.datasets._arff import arff_frame
from pseudolinear.datasets._svmlight import SparseRows, svmlight_parts

COLUMNS = 100_000  # of a table; each costs time and memory of its own


class Format(ABC):
    """A format that is known by its name; one more is one more child.

    Examples
    --------
    >>> sorted(Format.known)
    ['arff', 'arrow', 'csv', 'jsonl', 'parquet', 'svmlight', 'tsv']
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    known: ClassVar[dict[str, Format]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Add the format."""
        super().__init_subclass__(**kwargs)
        if "name" in vars(cls):
            cls.known[cls.name] = cls()

    @abstractmethod
    def parts(
        self,
        file: IO[bytes],
        n_rows: int | None,
        strings: Sequence[str],
        n_features: int | None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[Any]:
        """Yield frames, or sparse rows, of at most `n_rows` rows; without a number all in one.

        Parameters
        ----------
        file : binary file
            What is read, from its beginning.
        n_rows : int or None
            Rows of a part.
        strings : sequence of str
            Columns that are strings even where they look like numbers; for text formats only.
        n_features : int or None
            Number of features, for formats that do not say it.
        columns : sequence of str, default=None
            What is wanted of the columns; formats that store them one by one read no others.
        """


class Csv(Format):
    """Values separated by commas, semicolons, tabs or bars, below a line of names."""

    name = "csv"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    separators: ClassVar[str] = SEPARATORS

    def parts(
        self,
        file: IO[bytes],
        n_rows: int | None,
        strings: Sequence[str],
        n_features: int | None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[Any]:
        """Yield frames; gaps and numbers are as pandas reads them, or have decimal commas."""
        import pandas

        content = io.BytesIO(file.read()) if n_rows is None else file
        separator = self._separator(content)
        _check_names(content, separator)
        options: dict[str, Any] = {
            "sep": separator,
            "dtype": {name: str for name in strings},
            "encoding": "utf-8-sig",
            "index_col": False,
            "low_memory": False,
            "chunksize": n_rows,
        }
        commas = DecimalCommas(separator, strings)
        read = _strictly(lambda: pandas.read_csv(content, **options))
        if n_rows is not None:
            with read:  # who stops before the end leaves it open otherwise
                while (part := _strictly(lambda: next(read, None))) is not None:
                    yield commas.read(part)
            return
        if len(read) and read.iloc[:, -1].isna().any():  # what a short row would give
            _check_lengths(content, separator)  # type: ignore[arg-type]
        yield commas.read(read)

    def _separator(self, file: Any) -> str:
        """Return the separator that the line of names has most."""
        return find_separator(_names(file), self.separators)


class Tsv(Csv):
    """Values separated by tabs."""

    name = "tsv"
    suffixes = (".tsv", ".tab")
    separators: ClassVar[str] = "\t"


class JsonLines(Format):
    """One JSON object per line."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson")

    def parts(
        self,
        file: IO[bytes],
        n_rows: int | None,
        strings: Sequence[str],
        n_features: int | None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[Any]:
        """Yield frames; types are those of JSON, and what an object lacks is a gap."""
        import pandas

        lines = (_object(line, i) for i, line in enumerate(file, 1) if not line.isspace())
        while objects := list(islice(lines, n_rows)):
            yield pandas.DataFrame(objects)


class Parquet(Format):
    """Parquet."""

    name = "parquet"
    suffixes = (".parquet", ".pq")

    def parts(
        self,
        file: IO[bytes],
        n_rows: int | None,
        strings: Sequence[str],
        n_features: int | None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[Any]:
        """Yield frames."""
        from pyarrow import Table
        from pyarrow.parquet import ParquetFile

        table = ParquetFile(_seekable(file))
        wanted = None
        if columns is not None:
            wanted = [name for name in table.schema_arrow.names if name in columns] or None
        if n_rows is None:
            yield table.read(wanted).to_pandas()
            return
        for batch in table.iter_batches(batch_size=n_rows, columns=wanted):
            yield Table.from_batches([batch]).to_pandas()


class Arrow(Format):
    """Arrow files and streams, Feather among them."""

    name = "arrow"
    suffixes = (".arrow", ".feather", ".ipc", ".arrows")

    def parts(
        self,
        file: IO[bytes],
        n_rows: int | None,
        strings: Sequence[str],
        n_features: int | None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[Any]:
        """Yield frames."""
        from pyarrow import ArrowInvalid, Table, ipc

        seekable = _seekable(file)
        try:
            reader = ipc.open_file(seekable)
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
        except ArrowInvalid:  # no end: a stream
            seekable.seek(0)
            batches = iter(ipc.open_stream(seekable))
        if columns is not None:
            batches = (
                batch.select([n for n in batch.schema.names if n in columns] or batch.schema.names)
                for batch in batches
            )
        if n_rows is None:
            yield Table.from_batches(list(batches)).to_pandas()
            return
        for batch in batches:
            for start in range(0, batch.num_rows, n_rows):
                yield Table.from_batches([batch.slice(start, n_rows)]).to_pandas()


class Svmlight(Format):
    """The format of svmlight and LIBSVM: labels in front, then features by number."""

    name = "svmlight"
    suffixes = (".svm", ".svmlight", ".libsvm")

    def parts(
        self,
        file: IO[bytes],
        n_rows: int | None,
        strings: Sequence[str],
        n_features: int | None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[SparseRows]:
        """Yield sparse rows."""
        return svmlight_parts(file, n_rows, n_features)


class Arff(Format):
    """ARFF; always read at once."""

    name = "arff"
    suffixes = (".arff",)

    def parts(
        self,
        file: IO[bytes],
        n_rows: int | None,
        strings: Sequence[str],
        n_features: int | None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[Any]:
        """Yield a frame; nominal values that are no numbers are strings."""
        yield arff_frame(file.read())


def _object(line: bytes, number: int) -> Any:
    try:
        one = json.loads(line)
    except json.JSONDecodeError:
        one = None
    if not isinstance(one, dict):
        raise ValueError(f"line {number} is no JSON object; each line must be one, as {{...}}")
    return one


def _names(file: Any) -> str:
    """Return the line of names, as far as it was read already; only a whole one has its end."""
    if isinstance(file, io.BytesIO):
        content = file.getvalue()
        start = content[: max(65536, content.find(b"\n") + 1)]
    else:
        start = file.peek()
    text = start.decode("utf-8-sig", "replace").lstrip("\r\n")
    return re.match("[^\r\n]*[\r\n]?", text)[0]  # type: ignore[index]


def _check_names(file: Any, separator: str) -> None:
    """Refuse names that occur twice, which pandas would number: a target could be a feature."""
    line = _names(file)
    names = next(csv.reader([line.rstrip("\r\n")], delimiter=separator), [])
    whole = names if line.endswith(("\r", "\n")) else names[:-1]
    if len(names) > COLUMNS:
        raise ValueError(f"it has {len(names):,} columns, and a table may have {COLUMNS:,}")
    for name, times in Counter(whole).items():
        if name and times > 1:
            raise ValueError(f"{times} columns are called {name!r}; give each a name of its own")


def _seekable(file: IO[bytes]) -> IO[bytes]:
    """Return the file, or what it holds, since the formats of Arrow begin at the end."""
    plain = isinstance(getattr(file, "raw", None), io.FileIO) and file.seekable()
    return file if plain else io.BytesIO(file.read())


def _strictly(read: Callable[[], Any]) -> Any:
    """Refuse rows that are all longer than the line of names, which pandas would cut."""
    from pandas.errors import ParserWarning

    with warnings.catch_warnings():
        warnings.simplefilter("error", ParserWarning)
        try:
            return read()
        except ParserWarning as error:
            raise ValueError("its rows have more values than there are names") from error


def _check_lengths(content: io.BytesIO, separator: str) -> None:
    """Refuse rows that are shorter than the line of names, which pandas fills silently."""
    content.seek(0)
    rows = csv.reader(io.TextIOWrapper(content, "utf-8-sig", newline=""), delimiter=separator)
    width = len(next(rows))
    for row in rows:
        if row and len(row) < width:
            values = f"{len(row)} value{'s' * (len(row) > 1)}"
            raise ValueError(f"line {rows.line_num} has {values} where {width} have names")
