"""The optional plotting library, with a helpful error where it is missing."""

from __future__ import annotations

from typing import Any


def pyplot() -> Any:
    """Import matplotlib's pyplot."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "Plots need matplotlib; install it by 'pip install pseudolinear[plot]'."
        ) from error
    return plt
