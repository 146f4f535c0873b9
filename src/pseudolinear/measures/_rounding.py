"""Which values are equal, and the first of the best ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ROUNDING = 1e-12  # values and shares closer than this are equal


def first_best(values: NDArray[np.float64]) -> int:
    """Return the position of the first of the largest values, equal up to rounding."""
    return int(np.argmax(values >= values.max() - ROUNDING))
