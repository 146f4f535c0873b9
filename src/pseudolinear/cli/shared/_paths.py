"""Files to write, checked before the work that fills them."""

from __future__ import annotations

import os
from pathlib import Path


def check_output(path: str, *, force: bool) -> Path:
    """Refuse, before any work, what could not be written after it.

    Parameters
    ----------
    path : str
        What will be written.
    force : bool
        Whether it may be there already.

    Returns
    -------
    Path
        The same.
    """
    file = Path(path)
    if not file.parent.is_dir():
        raise FileNotFoundError(f"The folder {file.parent} does not exist; create it first.")
    if file.is_dir():
        raise IsADirectoryError(f"{file} is a folder; give the name of a file.")
    if file.exists() and not force:
        raise FileExistsError(f"{file} is there already; --force overwrites it.")
    if not os.access(file.parent, os.W_OK):
        raise PermissionError(f"The folder {file.parent} cannot be written to; choose another one.")
    return file
