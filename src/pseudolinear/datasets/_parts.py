"""The parts of a table: which files paths, folders and patterns stand for."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path

from pseudolinear._files import check_file
from pseudolinear.datasets._content import without_compression
from pseudolinear.datasets._formats import Format

PathLike = str | os.PathLike[str]


def find_parts(paths: PathLike | Iterable[PathLike], format: str | None = None) -> list[Path]:
    r"""Return the files that paths, folders and patterns stand for, in order.

    Parameters
    ----------
    paths : path or list of paths
        What was given.
    format : str, default=None
        What the files are; by default, those of a folder whose names say a format.

    Returns
    -------
    list of Path
        At least one file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("part-1.csv", "part-0.csv", "_SUCCESS"):
    ...     _ = (folder / name).write_text("score,y\n")
    >>> [path.name for path in find_parts(folder)]
    ['part-0.csv', 'part-1.csv']
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not given:
        raise ValueError("There are no files; give at least one.")
    return [file for path in given for file in _expanded(Path(path), format)]


def _expanded(path: Path, format: str | None) -> list[Path]:
    if path.is_dir():
        found = [file for file in sorted(path.rglob("*")) if _is_part(file, path, format)]
        if not found:
            raise FileNotFoundError(f"The folder {path} holds no file of a known format.")
        return found
    if not path.exists() and glob.has_magic(str(path)):
        matching = [Path(name) for name in sorted(glob.glob(str(path), recursive=True))]
        if not matching:
            raise FileNotFoundError(f"No file matches {path}; check the pattern.")
        return [file for one in matching for file in _expanded(one, format)]
    check_file(path)
    return [path]


def _is_part(file: Path, folder: Path, format: str | None) -> bool:
    if not file.is_file() or any(p.startswith(("_", ".")) for p in file.relative_to(folder).parts):
        return False
    suffix = without_compression(file).suffix.lower()
    known = (suffix in kind.suffixes for kind in Format.known.values())
    return format is not None or any(known)
