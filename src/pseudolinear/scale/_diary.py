"""What a long computation keeps of itself, to go on with after it was killed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from pseudolinear.sweep import Checkpoint

LARGEST = 1 << 26  # bytes that are worth writing after every pass


@dataclass(frozen=True, eq=False)
class Diary:
    """A piece of a checkpoint that is written again and again.

    Attributes
    ----------
    checkpoint : Checkpoint
        Where it is kept.
    key : str
        Hash of all that the computation depends on.
    """

    checkpoint: Checkpoint
    key: str

    def write(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep arrays in place of those kept before, unless they are too large for that."""
        if sum(array.nbytes for array in arrays.values()) <= LARGEST:
            self.checkpoint.save(self.key, arrays)

    def read(self) -> dict[str, NDArray[Any]] | None:
        """Return what was kept last."""
        return self.checkpoint.load(self.key, dict)
