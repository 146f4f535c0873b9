"""Checks of the measures' parameters."""

from __future__ import annotations

import numpy as np

from pseudolinear.measures._measure import Measure


def check_positive(measure: Measure, *fields: str) -> None:
    for field in fields:
        number = getattr(measure, field)
        if not (np.isfinite(number) and number > 0):
            name = type(measure).__name__
            raise ValueError(f"{name}: {field} must be positive, got {number!r}.")
