"""What plain scikit-learn cannot express, said in one sentence."""

from __future__ import annotations


def refuse(what: str, why: str) -> TypeError:
    """Return the error that says what has no plain equivalent, why, and what to do instead."""
    return TypeError(
        f"{what} cannot be expressed in plain scikit-learn: {why}; keep it by clf.save(path), or "
        "export it by clf.to_onnx(), which can express more, but not everything."
    )
