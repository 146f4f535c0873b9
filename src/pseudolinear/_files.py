"""Files that are there, and files that are whole or not there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def check_file(path: Path) -> None:
    """Refuse what is no file to be read, and say why."""
    if path.is_file():
        return
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; give a file.")
    if path.exists():
        raise OSError(f"{path} is a pipe or a device; give a file, or - for the standard input.")
    raise FileNotFoundError(f"{path} does not exist; check the name and the folder.")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write beside the place and move there, so that a broken write leaves the old file."""
    with open_atomically(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def open_atomically(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes its place once it is whole; what breaks leaves the old one.

    A link stays a link, and a device or a pipe is written to: a file must never take its place.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()
    if not path.parent.is_dir():
        raise FileNotFoundError(f"The folder {path.parent} does not exist; create it first.")
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    """Return the permissions that new files do not get."""
    mask = os.umask(0o077)  # it can only be read by setting it
    os.umask(mask)
    return mask
