"""Writers of tables, a part at a time."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import click

from pseudolinear._files import open_atomically

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
COMPRESSED: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
OUTPUT_FORMATS = ("csv", "tsv", "jsonl", "parquet")


def output_format(path: str, given: str | None, *, as_json: bool = False) -> str:
    """Return what is written: what was said, or what the name says."""
    if given:
        return given
    if path == "-":
        return "jsonl" if as_json else "csv"
    file = Path(path)
    suffix = (file.with_suffix("") if file.suffix in COMPRESSED else file).suffix
    if suffix not in SUFFIXES:
        raise click.BadParameter(
            f"The name {path} does not say what to write; end it with .csv, .tsv, .jsonl or "
            ".parquet, or give --output-format.",
            param_hint="--out",
        )
    return SUFFIXES[suffix]


@contextmanager
def open_writer(path: str, kind: str) -> Iterator[Callable[[Any], None]]:
    """Open a file, or the standard output, for frames; a file is there once it is whole.

    Parameters
    ----------
    path : str
        Where to; ``-`` is the standard output.
    kind : {"csv", "tsv", "jsonl", "parquet"}
        What is written.

    Yields
    ------
    callable
        Writes a frame.
    """
    with ExitStack() as stack:
        if path == "-":
            file: Any = sys.stdout.buffer
        else:
            file = stack.enter_context(open_atomically(Path(path)))
            if Path(path).suffix in COMPRESSED:
                file = stack.enter_context(COMPRESSED[Path(path).suffix](file, "wb"))
        writer: Any = _Parquet(file, stack) if kind == "parquet" else _Text(file, kind)
        yield writer.write


class _Text:
    """Writes text; the names of columns come first, once."""

    def __init__(self, file: IO[bytes], kind: str) -> None:
        self.file, self.kind, self.first = file, kind, True

    def write(self, frame: Any) -> None:
        if self.kind == "jsonl":
            text = frame.to_json(orient="records", lines=True, double_precision=15)
        else:
            separator = "\t" if self.kind == "tsv" else ","
            lists = {
                name: [";".join(map(str, row)) for row in frame[name]]
                for name in frame.columns
                if frame[name].map(lambda cell: isinstance(cell, list)).any()
            }
            text = frame.assign(**lists).to_csv(index=False, sep=separator, header=self.first)
        self.first = False
        self.file.write(text.encode())


class _Parquet:
    """Writes Parquet; the types of the first frame are those of all."""

    def __init__(self, file: IO[bytes], stack: ExitStack) -> None:
        self.file, self.stack = file, stack
        self.writer: Any = None

    def write(self, frame: Any) -> None:
        from pyarrow import Table
        from pyarrow.parquet import ParquetWriter

        if self.writer is None:
            table = Table.from_pandas(frame, preserve_index=False)
            self.writer = self.stack.enter_context(ParquetWriter(self.file, table.schema))
        else:
            table = Table.from_pandas(frame, self.writer.schema, preserve_index=False)
        self.writer.write_table(table)
