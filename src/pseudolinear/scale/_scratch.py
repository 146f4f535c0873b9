"""A temporary folder that goes with its owner."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class Scratch:
    """A folder for what does not fit into memory, deleted when it is closed, or forgotten.

    Examples
    --------
    >>> from pseudolinear.scale._scratch import Scratch
    >>> scratch = Scratch()
    >>> scratch.close()
    >>> scratch.path.exists()
    False
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="pseudolinear-"))
        self.close = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
