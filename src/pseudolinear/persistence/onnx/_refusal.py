"""What cannot be exported, said in one sentence."""

from __future__ import annotations

from typing import Any


def refuse(what: str, why: str) -> TypeError:
    """Return the error that says what cannot be exported, why, and what to do instead."""
    return TypeError(f"{what} cannot be exported to ONNX: {why}; keep the model by clf.save(path).")


def refuse_unknown(thing: Any) -> TypeError:
    """Return the error for what has no exporter."""
    return refuse(
        type(thing).__name__, "no graph is known that gives the same numbers in double precision"
    )
