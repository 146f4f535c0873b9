"""Reprs of one line for what holds arrays and long lists."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

SHORT = 4  # entries that are written out
WIDE = 60  # characters of an entry


def brief_repr(self: Any) -> str:
    """Write a dataclass in one line: set ``__repr__ = brief_repr`` in its body.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Model:
    ...     coef: np.ndarray
    ...     intercept: float
    ...     __repr__ = brief_repr
    >>> Model(np.zeros(20), 1 / 3)
    Model(coef=<20 numbers>, intercept=0.3333)
    """
    parts = (f"{field.name}={_brief(getattr(self, field.name))}" for field in fields(self))
    return f"{type(self).__name__}({', '.join(parts)})"


def _brief(value: Any) -> str:
    text = _written(value)
    return text if len(text) <= WIDE else _cut(value, text)


def _cut(value: Any, text: str) -> str:
    """Shorten a text so that its brackets and quotes still close."""
    if isinstance(value, str):
        return f"{text[: WIDE - 4]}...{text[-1]}"
    if isinstance(value, list | tuple | dict | set | frozenset):
        return f"<{len(value)} entries>"
    name = text.partition("(")[0]
    return f"{name}(...)" if name.isidentifier() else f"<{type(value).__name__}>"


def _written(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, np.ndarray) and (value.ndim > 1 or value.size > SHORT):
        what = "numbers" if value.dtype.kind in "biuf" else "values"
        return f"<{' x '.join(map(str, value.shape))} {what}>"
    if isinstance(value, np.ndarray):
        return _written(value.tolist())
    if isinstance(value, list | tuple | dict) and len(value) > SHORT:
        return f"<{len(value)} entries>"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_brief, value))}]"
    return " ".join(repr(value).split())
