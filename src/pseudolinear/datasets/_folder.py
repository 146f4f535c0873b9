"""Where data sets are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "PSEUDOLINEAR_DATA"


def data_folder(data_dir: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder of the data sets; it need not exist.

    Parameters
    ----------
    data_dir : path, default=None
        The folder; by default that of the environment variable PSEUDOLINEAR_DATA, or else
        the folder ``pseudolinear`` among the user's caches.

    Returns
    -------
    Path
        The folder.

    Examples
    --------
    >>> data_folder("data").name
    'data'
    """
    if data_dir is not None:
        return Path(data_dir).expanduser()
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        caches = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    else:
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "pseudolinear"
