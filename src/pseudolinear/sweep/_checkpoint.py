"""Checkpoint: finished pieces of a fit in a folder, so that a killed fit can be resumed."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Self, TypeVar
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from numpy.typing import NDArray

from pseudolinear._files import open_atomically, write_atomically
from pseudolinear._journal import logger
from pseudolinear.sweep._packing import Arrays
from pseudolinear.sweep._piece_keys import PieceKeys

T = TypeVar("T")

README = "README.md"
OWN = re.compile(r"README\.md|[0-9a-f]{40}\.npz|tmp.*")  # a piece, or one that is being written
STALE = 600.0  # seconds after which a file that is still being written was left by a killed fit
PROBE = 1 << 16  # bytes that must fit on the disk at the start

TEXT = """\
# A checkpoint of pseudolinear

Finished pieces of fits, written by `MeasureClassifier.fit(..., checkpoint="this folder")`. The
same call finds them and goes on where it was stopped; a fit of other rows or settings finds
nothing here and adds its own. A file holds numbers only and is named by a hash of all that it
depends on; there is no other state.

Once the fit is done and saved, delete this folder; nothing else needs it.
"""


class Checkpoint:
    """Finished pieces of fits in a folder, by their keys.

    A piece is a file of arrays that is whole or not there. Nothing of it is executed on loading,
    and what is damaged, cut off or belongs elsewhere is as good as not there. Several fits may use
    one folder at the same time: pieces of equal keys are equal.

    Parameters
    ----------
    folder : Path
        Where pieces are; see :meth:`open`.

    Attributes
    ----------
    keys : PieceKeys
        What makes the keys of a fit.

    Examples
    --------
    >>> from pseudolinear.sweep import Checkpoint
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     checkpoint = Checkpoint.open(folder)
    ...     checkpoint.save("0" * 40, {"numbers": np.arange(3)})
    ...     [checkpoint.load(key * 40, lambda arrays: arrays["numbers"]) for key in "01"]
    [array([0, 1, 2]), None]
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.keys = folder, PieceKeys()
        self._writes = True

    @classmethod
    def open(cls, folder: Any) -> Self:
        """Take a folder, make it where it does not exist, and say at once what is wrong with it."""
        path = Path(folder)
        try:
            path.mkdir(parents=True, exist_ok=True)
            names = [one.name for one in path.iterdir()]
            foreign = sorted(name for name in names if not OWN.fullmatch(name))
            if foreign and README not in names:
                raise ValueError(
                    f"The folder {path} is no checkpoint, as it holds {foreign[0]!r}; give an "
                    "empty or a new one."
                )
            _remove_stale(path)
            with TemporaryFile(dir=path) as probe:
                probe.write(bytes(PROBE))
                probe.flush()
            if README not in names:
                write_atomically(path / README, TEXT)
        except OSError as error:
            raise OSError(
                f"The checkpoint {path} cannot be written ({error.strerror or error}); give a "
                "folder that can be, on a disk with space."
            ) from error
        return cls(path)

    def load(self, key: str, unpack: Callable[[Arrays], T]) -> T | None:
        """Return what is made of the arrays of a piece, or None where there is no whole one."""
        path = self.folder / f"{key}.npz"
        if not path.is_file():
            return None
        try:
            return unpack(_read(path, key))
        except Exception as reason:  # whatever a damaged file makes numpy and zipfile raise
            logger.info("%s is no whole piece of a fit and is made again: %s", path, reason)
            return None

    def save(self, key: str, arrays: Arrays) -> None:
        """Keep a piece; where that fails, say so once and go on without."""
        if not self._writes:
            return
        try:
            with open_atomically(self.folder / f"{key}.npz") as file:
                named: dict[str, Any] = {"key": _as_bytes(key), **arrays}
                np.savez(file, **named)
        except OSError as error:
            self._writes = False
            warnings.warn(
                f"The checkpoint {self.folder} can no longer be written "
                f"({error.strerror or error}); the fit goes on, but what is trained from now on "
                "is not kept.",
                stacklevel=2,
            )


def _read(path: Path, key: str) -> dict[str, NDArray[Any]]:
    """Read a piece; numbers only, and no more of them than the file has bytes."""
    data = path.read_bytes()
    with ZipFile(BytesIO(data)) as archive:
        if any(one.compress_type != ZIP_STORED for one in archive.infolist()):
            raise ValueError("it is packed, as no piece is")
    with np.load(BytesIO(data), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    if arrays.pop("key").tobytes() != key.encode():
        raise ValueError("it has another name than it was written with")
    return arrays


def _as_bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _remove_stale(folder: Path) -> None:
    """Remove what killed fits were writing; what is being written now is younger."""
    for path in folder.glob("tmp*"):
        try:
            if time.time() - path.stat().st_mtime > STALE:
                path.unlink()
        except OSError:  # another fit was faster, or it is not ours to remove
            continue
