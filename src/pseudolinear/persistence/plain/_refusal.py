"""What plain scikit-learn cannot say, said in one sentence."""

from __future__ import annotations


def refuse(what: str, why: str) -> TypeError:
    """Return the error that says what has no plain equivalent, why, and what to do instead."""
    return TypeError(
        f"{what} cannot be said in plain scikit-learn: {why}; keep it by clf.save(path), or export "
        "it by clf.to_onnx(), which says more, but not all."
    )
