"""The packages that only an export needs."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def import_extra(name: str) -> Any:
    """Return a package, or say how to get it."""
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(
            f"to_onnx needs the package {name}: install it by pip install 'pseudolinear[onnx]'."
        ) from None
