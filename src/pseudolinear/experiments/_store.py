"""The database of finished pieces."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pseudolinear.experiments._piece import Piece, Result
from pseudolinear.experiments._protocol import Source

_SCHEMA = """
CREATE TABLE IF NOT EXISTS pieces (
    key TEXT PRIMARY KEY, settings TEXT NOT NULL, seconds REAL NOT NULL, result BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS sources (
    name TEXT, settings TEXT, checksum TEXT NOT NULL, n_labels INTEGER NOT NULL,
    PRIMARY KEY (name, settings));
"""


class Store:
    """Finished pieces in one SQLite file, each under the hash of all its settings.

    A piece is written in one transaction, so it is there whole or not at all, whenever the
    process is killed. Pieces of other settings, data or versions have other keys and are never
    seen.

    Parameters
    ----------
    path : path
        The file; it is made if it does not exist.

    Examples
    --------
    >>> from pseudolinear.experiments import Source, Store
    >>> source = Source("mine")
    >>> with Store(":memory:") as store:
    ...     store.put_source(source, checksum="0f3a", n_labels=1)
    ...     print(store.get_source(source))
    ('0f3a', 1)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        folder = Path(path).parent
        if not folder.is_dir():
            raise ValueError(f"the folder {folder} does not exist; create it or choose another.")
        self._connection = sqlite3.connect(path, timeout=60.0)
        try:
            self._connection.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise ValueError(
                f"{path} cannot be used as the database of results ({error}); choose another file."
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._connection.close()

    def __contains__(self, piece: Piece[Any]) -> bool:
        query = "SELECT 1 FROM pieces WHERE key = ?"
        return self._connection.execute(query, (piece.key,)).fetchone() is not None

    def put(self, piece: Piece[Result], result: Result, seconds: float) -> None:
        """Store a finished piece."""
        settings = json.dumps(piece.identity, sort_keys=True)
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO pieces VALUES (?, ?, ?, ?)",
                (piece.key, settings, seconds, piece.pack(result)),
            )

    def get(self, piece: Piece[Result]) -> tuple[Result, float] | None:
        """Return the result of a piece and its seconds, or None where it is not finished."""
        query = "SELECT result, seconds FROM pieces WHERE key = ?"
        row = self._connection.execute(query, (piece.key,)).fetchone()
        return None if row is None else (piece.unpack(row[0]), row[1])

    def put_source(self, source: Source, checksum: str, n_labels: int) -> None:
        """Note which rows the last run saw under the name of a source."""
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)",
                (source.name, _maker(source), checksum, n_labels),
            )

    def get_source(self, source: Source) -> tuple[str, int] | None:
        """Return the checksum and number of labels of a source, or None if no run saw it."""
        query = "SELECT checksum, n_labels FROM sources WHERE name = ? AND settings = ?"
        row = self._connection.execute(query, (source.name, _maker(source))).fetchone()
        return None if row is None else (row[0], row[1])


def _maker(source: Source) -> str:
    return json.dumps([source.maker, dict(source.params)], sort_keys=True)
