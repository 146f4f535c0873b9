"""Files to write, checked before the work that fills them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import click


def check_output(path: str, *, force: bool, read: Iterable[str | None] = ()) -> Path:
    """Refuse, before any work, what could not be written after it.

    Parameters
    ----------
    path : str
        What will be written.
    force : bool
        Whether it may be there already.
    read : iterable of str or None, default=()
        Files that are read, which it must not take the place of.

    Returns
    -------
    Path
        The same.
    """
    if path == "-":
        raise click.UsageError("Only predict writes to the standard output; give a file.")
    file = Path(path)
    if not file.parent.is_dir():
        raise FileNotFoundError(f"The folder {file.parent} does not exist; create it first.")
    if file.is_dir():
        raise IsADirectoryError(f"{file} is a folder; give the name of a file.")
    if file.is_file() and any(other and _same(file, Path(other)) for other in read):
        raise click.UsageError(f"{file} is what is read; give another file to write.")
    if file.is_file() and not force:
        raise FileExistsError(f"{file} is there already; --force overwrites it.")
    place = file if file.exists() and not file.is_file() else file.parent  # a device, or a folder
    if not os.access(place, os.W_OK):
        raise PermissionError(f"{place} cannot be written to; choose another place.")
    return file


def _same(file: Path, other: Path) -> bool:
    return other.exists() and file.samefile(other)
