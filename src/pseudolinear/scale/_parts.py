"""Rows that are read part by part."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from pseudolinear.scale._part import Part

PART_BYTES = 1 << 25  # numbers of a part, 32 MB
FEWEST, MOST = 1024, 1 << 18  # rows of a part


class Parts(ABC):
    """Rows that can be read again and again, part by part; a new source is one more child.

    Examples
    --------
    >>> from pseudolinear.scale import ArrayParts
    >>> X, y = np.arange(10.0).reshape(5, 2), np.array([0, 1, 0, 1, 0])
    >>> [(part.first, len(part)) for part in ArrayParts(X, y, rows=2)]
    [(0, 2), (2, 2), (4, 1)]
    """

    def __iter__(self) -> Iterator[Part]:
        """Read the parts in their order; empty ones are left out."""
        first = 0
        for part in self.read():
            if len(part):
                yield part.starting_at(first)
                first += len(part)

    @abstractmethod
    def read(self) -> Iterator[Part]:
        """Read the parts in their order, each counted from 0."""

    def close(self) -> None:  # noqa: B027 - most have nothing to drop
        """Drop what was kept for reading again."""


def rows_of_a_part(n_columns: int) -> int:
    """Say how many rows of so many numbers are a part.

    Examples
    --------
    >>> from pseudolinear.scale._parts import rows_of_a_part
    >>> rows_of_a_part(50), rows_of_a_part(1_000_000)
    (83886, 1024)
    """
    return max(FEWEST, min(MOST, PART_BYTES // (8 * max(n_columns, 1))))
