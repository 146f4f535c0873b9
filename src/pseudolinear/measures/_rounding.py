"""Which values are equal, and the first of the best ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ROUNDING = 1e-12  # values and shares closer than this are equal


def rounding(*values: float) -> float:
    """Return how much values of this size may differ and be equal: money has no scale of its own.

    Examples
    --------
    >>> from pseudolinear.measures import rounding
    >>> rounding(0.5), rounding(-2000.0)
    (1e-12, 2e-09)
    """
    return ROUNDING * max(1.0, *(abs(value) for value in values))


def first_best(values: NDArray[np.float64]) -> int:
    """Return the position of the first of the largest values, equal up to rounding."""
    top = float(values.max())
    return int(np.argmax(values >= top - rounding(top)))
