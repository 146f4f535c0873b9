"""Pieces of work: what is computed at once, and stored at once."""

from __future__ import annotations

import hashlib
import json
import os
import time
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any, Generic, TypeVar

from threadpoolctl import threadpool_limits

from pseudolinear.experiments._code import code_hash
from pseudolinear.experiments._protocol import Source

PACKAGES = ("pseudolinear", "numpy", "scipy", "scikit-learn", "numba")

Result = TypeVar("Result")
Folder = str | os.PathLike[str] | None


@dataclass(frozen=True)
class Piece(ABC, Generic[Result]):
    """What is computed at once, and stored at once.

    Parameters
    ----------
    source : Source
        Data set.
    checksum : str
        Fingerprint of its rows.
    """

    source: Source
    checksum: str

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """What the result depends on, besides the rows, the versions and the code."""

    @abstractmethod
    def compute(self, data_dir: Folder) -> Result:
        """Compute the result."""

    @abstractmethod
    def pack(self, result: Result) -> bytes:
        """Turn a result into what is stored."""

    @abstractmethod
    def unpack(self, blob: bytes) -> Result:
        """Turn what is stored into a result."""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the result depends on."""
        return self.settings | {
            "data": {"name": self.source.name, "checksum": self.checksum},
            "versions": versions(type(self).__module__),
        }

    @property
    def key(self) -> str:
        """A hash of everything that the result depends on."""
        return hashlib.sha256(json.dumps(self.identity, sort_keys=True).encode()).hexdigest()


@cache
def versions(module: str) -> dict[str, str]:
    """Return the versions of the packages that take part, and a hash of the code of a module."""
    return {name: version(name) for name in PACKAGES} | {"code": code_hash(module)}


def compute(piece: Piece[Result], data_dir: Folder) -> tuple[Piece[Result], Result, float]:
    """Compute a piece; return it with its result and the seconds of processor time.

    One thread per process: sums would be rounded differently with another number of threads.
    """
    start = time.process_time()
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # unsolved problems are counted
        result = piece.compute(data_dir)
    return piece, result, time.process_time() - start
