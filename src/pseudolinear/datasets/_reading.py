"""Files of rows as people have them: what they hold, at once or a part at a time."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any

from pseudolinear._files import check_file
from pseudolinear.datasets._content import BROKEN, open_content, reason, without_compression
from pseudolinear.datasets._formats import Format


def read_file(
    path: str | os.PathLike[str], format: str | None = None, *, strings: Sequence[str] = ()
) -> Any:
    r"""Read a file of rows into a data frame, or into sparse rows.

    Parameters
    ----------
    path : path
        The file, compressed or not (``.gz``, ``.bz2``, ``.xz``, ``.zst``, ``.zip``); ``-`` is the
        standard input.
    format : {"csv", "tsv", "jsonl", "parquet", "arrow", "svmlight", "arff"}, default=None
        What it is; by default its name says so, and the standard input is CSV.
    strings : sequence of str, default=()
        Columns of CSV and TSV that are strings even where they look like numbers.

    Returns
    -------
    pandas.DataFrame or SparseRows
        The columns, unless it is an svmlight file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from pseudolinear.datasets import read_file
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "small.csv")
    ...     _ = file.write_text("age;city\n31;Oslo\n;Rome\n")
    ...     frame = read_file(file)
    >>> frame.columns.tolist(), frame["age"].isna().tolist()
    (['age', 'city'], [False, True])
    """
    (rows,) = read_parts(path, format, n_rows=None, strings=strings)
    return rows


def read_parts(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    n_rows: int | None = 10_000,
    strings: Sequence[str] = (),
    n_features: int | None = None,
    columns: Sequence[str] | None = None,
    allow_empty: bool = False,
) -> Generator[Any, None, None]:
    r"""Read a file of rows a part at a time, so that it may be larger than memory.

    ARFF is always one part, and so are compressed Parquet and Arrow files.

    Parameters
    ----------
    path, format, strings
        As for :func:`read_file`.
    n_rows : int or None, default=10_000
        Rows of a part; None reads all at once.
    n_features : int, default=None
        Number of features of an svmlight file; by default those that occur.
    columns : sequence of str, default=None
        Columns that are wanted: Parquet and Arrow files are read no further, all others as they
        are.
    allow_empty : bool, default=False
        Whether a file may have names of columns and no rows.

    Yields
    ------
    pandas.DataFrame or SparseRows
        At least one row each.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from pseudolinear.datasets import read_parts
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "small.csv")
    ...     _ = file.write_text("age\n31\n45\n60\n")
    ...     [len(part) for part in read_parts(file, n_rows=2)]
    [2, 1]
    """
    file = Path(path)
    if str(file) != "-":
        check_file(file)
    kind = _format_of(file, format)
    name = "the standard input" if str(file) == "-" else str(file)
    empty = True
    with open_content(file) as content:
        if not _start(content, name).strip():
            raise ValueError(f"{name} is empty; give a file with at least one row.")
        try:
            for part in kind.parts(content, n_rows, strings, n_features, columns):
                if len(part):
                    empty = False
                    yield part
        except ImportError as error:
            raise ImportError(
                f"{name} needs pandas, and pyarrow unless it is text; install them by "
                "'pip install pandas pyarrow'."
            ) from error
        except (ValueError, TypeError, LookupError, AttributeError, *BROKEN) as error:
            raise ValueError(f"{name} is not a valid {kind.name} file: {reason(error)}.") from error
    if empty and not allow_empty:
        raise ValueError(f"{name} has no rows; give a file with at least one.")


def _start(content: BufferedReader, name: str) -> bytes:
    try:
        return content.peek()
    except BROKEN as error:
        raise ValueError(f"{name} cannot be decompressed: {reason(error)}.") from error


def _format_of(path: Path, format: str | None) -> Format:
    if format is None and str(path) == "-":
        format = "csv"
    if format is not None:
        if format not in Format.known:
            raise ValueError(f"Unknown format {format!r}; known are {', '.join(Format.known)}.")
        return Format.known[format]
    suffix = without_compression(path).suffix.lower()
    for known in Format.known.values():
        if suffix in known.suffixes:
            return known
    raise ValueError(
        f"The name of {path} does not say what it is; give the format, one of "
        f"{', '.join(Format.known)}."
    )
