"""Gaps: values that stand for none."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np


def is_missing(value: Any) -> bool:
    """Tell None, NaN and the missing values of data frames."""
    if isinstance(value, Number | np.generic):
        return bool(value != value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")
