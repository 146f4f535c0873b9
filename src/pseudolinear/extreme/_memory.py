"""Memory: how much a fit may take, and arrays that go to disk where it would take more."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
SIZE = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*([KMGT]?)B?\s*", re.IGNORECASE)
SHARE = 0.5  # of the memory of the machine, where nothing else is said
UNKNOWN = 4 * 10**9  # where the machine does not say what it has
OF_BLOCK = 0.25  # share of the budget that the arrays of a block of labels may take
OF_MODEL = 0.25  # share beyond which weights go to disk
LARGEST_BLOCK = 512  # problems; more side by side gain nothing


def read_memory(max_memory: Any) -> int:
    """Return a budget in bytes.

    Parameters
    ----------
    max_memory : str, int, float or None
        ``"8GB"``, ``"512 MB"`` or a number of bytes; None is half of what the machine has.

    Returns
    -------
    int
        Bytes.

    Examples
    --------
    >>> from pseudolinear.extreme import read_memory
    >>> read_memory("1.5GB"), read_memory(2e6)
    (1500000000, 2000000)
    """
    if max_memory is None:
        return int(SHARE * _of_machine())
    number = np.nan
    if isinstance(max_memory, str):
        if found := SIZE.fullmatch(max_memory):
            number = float(found[1]) * UNITS[found[2].upper()]
    elif isinstance(max_memory, Real) and not isinstance(max_memory, bool):
        number = float(max_memory)
    if not 1 <= number < np.inf:
        raise ValueError(
            f"max_memory must be a number of bytes or a text such as '8GB' or '512MB', got "
            f"{max_memory!r}."
        )
    return int(number)


def _of_machine() -> int:
    try:
        return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return UNKNOWN


def block_size(budget: int, n_rows: int, n_features: int) -> int:
    """Return how many problems are solved and scored at once.

    A problem needs its weights twice, and its scores of all rows three times while they are cut.

    Examples
    --------
    >>> from pseudolinear.extreme import block_size
    >>> block_size(8 * 10**9, 100_000, 50_000), block_size(10**8, 100_000, 50_000)
    (512, 8)
    """
    each = 8 * (2 * n_features + 3 * n_rows)
    return int(np.clip(OF_BLOCK * budget / each, 8, LARGEST_BLOCK))


@dataclass(eq=False)
class ArrayStore:
    """Makes arrays: in memory as long as they fit, then in files that vanish with them.

    Attributes
    ----------
    limit : float
        Bytes that may be in memory.
    used : float
        Bytes that are.

    Examples
    --------
    >>> from pseudolinear.extreme import ArrayStore
    >>> isinstance(ArrayStore(limit=10).keep(np.zeros(100)), np.memmap)
    True
    """

    limit: float
    used: float = field(default=0.0, init=False)

    def empty(self, size: int, dtype: Any) -> NDArray[Any]:
        """Return an array of one axis to be filled."""
        n_bytes = size * np.dtype(dtype).itemsize
        if not size or self.used + n_bytes <= self.limit:
            self.used += n_bytes
            return np.empty(size, dtype)
        with tempfile.TemporaryFile() as file:  # the mapping keeps it; it has no name
            file.truncate(n_bytes)
            return np.memmap(file, dtype, "r+", shape=(size,))

    def keep(self, array: NDArray[Any]) -> NDArray[Any]:
        """Keep an array: itself, or a copy in a file."""
        if self.used + array.nbytes <= self.limit:
            self.used += array.nbytes
            return array
        copy = self.empty(array.size, array.dtype)
        copy[:] = array
        return copy
