"""Checks of probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_probabilities(probabilities: ArrayLike, name: str) -> NDArray[np.float64]:
    """Return numbers from 0 to 1 as float64."""
    p = np.asarray(probabilities, dtype=np.float64)
    outside = ~((p >= 0) & (p <= 1))  # true for NaN
    if outside.any():
        raise ValueError(
            f"{name} must lie between 0 and 1, got {p[outside][0]:g}; calibrate scores of another "
            "kind first, as with CalibratedClassifierCV."
        )
    return p
