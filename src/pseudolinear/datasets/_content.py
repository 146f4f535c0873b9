"""What files hold, compressed or not."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

OPENERS: dict[str, Callable[..., Any]] = {".xz": lzma.open, ".bz2": bz2.open, ".gz": gzip.open}


def read_content(path: Path, n_lines: int | None = None) -> bytes:
    """Return what a file holds, decompressed; only the first lines if their number is given."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} is no file; check the name and the folder.")
    with OPENERS.get(path.suffix.lower(), lambda path: path.open("rb"))(path) as file:
        try:
            content = file.read() if n_lines is None else b"".join(islice(file, n_lines))
        except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
            raise ValueError(f"{path} cannot be decompressed: {reason(error)}.") from error
    if not content or content.isspace():
        raise ValueError(f"{path} is empty; give a file with at least one row.")
    return content


def without_compression(path: Path) -> Path:
    """Return the name that the file has when it is decompressed."""
    return path.with_suffix("") if path.suffix.lower() in OPENERS else path


def reason(error: BaseException) -> str:
    """Return why a file cannot be read, without a full stop."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8; convert it"
    # The first line, so that the message stays one sentence.
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
