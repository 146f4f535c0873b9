"""What files hold, compressed or not."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import zipfile
import zlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from pseudolinear._files import check_file

PARSERS = re.compile(  # how pandas says what is wrong
    r"Error tokenizing data. C error: (EOF inside string.*|(?P<what>.*))"
)
GENEROUS, RATIO = 1 << 30, 200  # bytes that any file, or each byte of one, may unpack to
BROKEN = (OSError, EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile)  # while it is read


def open_content(path: Path) -> io.BufferedReader:
    """Open a file for reading, decompressed; the path ``-`` is the standard input."""
    if str(path) == "-":
        return io.BufferedReader(sys.stdin.buffer)  # type: ignore[arg-type]
    check_file(path)
    opener = OPENERS.get(path.suffix.lower())
    if opener is None:
        return path.open("rb")
    limit = max(GENEROUS, RATIO * path.stat().st_size)
    return io.BufferedReader(Bounded(opener(path), path, limit))


class Bounded(io.RawIOBase):
    """What a compressed file holds, up to a limit: a few bytes can unpack to more than any memory.

    Parameters
    ----------
    file : binary file
        Gives the bytes, decompressed.
    path : Path
        Of the compressed file, for the error.
    limit : int
        Bytes beyond which it is refused.
    """

    def __init__(self, file: Any, path: Path, limit: int) -> None:
        self.file, self.path, self.limit, self.n_bytes = file, path, limit, 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes, or refuse more of them."""
        data = self.file.read(len(buffer))
        self.n_bytes += len(data)
        if self.n_bytes > self.limit:
            raise ValueError(
                f"{self.path} unpacks to more than {self.limit / 1e9:,.1f} GB, far more than files "
                "of its size do; unpack it first if you trust it."
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the compressed file as well."""
        self.file.close()
        super().close()


def read_content(path: Path, n_lines: int | None = None) -> bytes:
    """Return what a file holds, decompressed; only the first lines if their number is given."""
    with open_content(path) as file:
        try:
            content = file.read() if n_lines is None else b"".join(islice(file, n_lines))
        except BROKEN as error:
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
    if isinstance(error, LookupError | AttributeError):  # of a parser that expected a name
        return f"its description of the columns is damaged ({' '.join(str(error).split())})"
    # The first line, so that the message stays one sentence.
    text = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return PARSERS.sub(lambda found: found["what"] or "a quotation mark is not closed", text)


def _open_zip(path: Path) -> Any:
    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise ValueError(f"{path} cannot be decompressed: {reason(error)}.") from error
    if len(names := archive.namelist()) != 1:
        raise ValueError(f"{path} holds {len(names)} files; give an archive of a single one.")
    return archive.open(names[0])


def _open_zst(path: Path) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError(
            f"{path} needs pyarrow to be decompressed; install it by 'pip install pyarrow'."
        ) from error
    return pyarrow.input_stream(str(path), compression="zstd")


OPENERS: dict[str, Callable[[Path], Any]] = {
    ".xz": lzma.open,
    ".bz2": bz2.open,
    ".gz": gzip.open,
    ".zip": _open_zip,
    ".zst": _open_zst,
}
