"""Packages that only some tables need."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def import_skrub(purpose: str | None = None) -> Any:
    """Return skrub; where it is missing None, or an error that says what it is needed for."""
    try:
        return import_module("skrub")
    except ImportError:
        if purpose is None:
            return None
        raise ImportError(
            f"{purpose}, which skrub turns into numbers: install it by "
            "pip install 'pseudolinear[tables]', or leave the column out."
        ) from None
