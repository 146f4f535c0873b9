"""Files in the format of svmlight and LIBSVM."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_svmlight_file

from pseudolinear._validation import narrow_indices
from pseudolinear.datasets._columns import Labels, as_whole
from pseudolinear.datasets._content import reason

Rows = tuple[Any, list[tuple[float, ...]]]


def read_svmlight(
    content: bytes, path: Path, labels: Labels, n_features: int | None
) -> tuple[Any, np.ndarray]:
    """Return the features as CSR and the labels; see :func:`read_rows`."""
    if not (labels is None or isinstance(labels, int)):
        raise TypeError(f"the labels of {path} have no names; give their number, or nothing.")
    if labels is not None and labels < 1:
        raise ValueError(f"labels must be at least 1, got {labels}.")
    X, rows = parse_svmlight(content, path, n_features)
    if labels is None and all(len(row) == 1 for row in rows):
        return X, as_whole(np.array(rows)[:, 0])
    return X, _matrix(rows, labels, path)


def parse_svmlight(content: bytes, path: Path, n_features: int | None = None) -> Rows:
    """Return the features as CSR, and the labels of each row."""
    try:
        X, rows = load_svmlight_file(BytesIO(content), n_features=n_features, multilabel=True)
    except ValueError as error:
        raise ValueError(f"{path} is not a valid svmlight file: {reason(error)}.") from error
    if not rows:
        raise ValueError(f"{path} has no rows; give a file with at least one.")
    if not np.isfinite([label for row in rows for label in row]).all():
        raise ValueError(f"{path} has a label that is NaN or infinite; every label is a number.")
    return narrow_indices(X), rows


def _matrix(rows: list[tuple[float, ...]], n_labels: int | None, path: Path) -> np.ndarray:
    present = sorted({label for row in rows for label in row})
    if not present:
        raise ValueError(f"{path} has no labels; each row starts with its own.")
    n_labels = int(present[-1]) + 1 if n_labels is None else n_labels
    if any(label != int(label) or not 0 <= label < n_labels for label in present):
        raise ValueError(
            f"{path} has the labels {present[0]:g} to {present[-1]:g}; several labels per row "
            f"must be whole numbers from 0 to {n_labels - 1}."
        )
    try:
        Y = np.zeros((len(rows), n_labels), dtype=np.intp)
    except (MemoryError, ValueError, OverflowError) as error:
        raise ValueError(
            f"{path} has the label {present[-1]:g}, too large for a matrix with a column per "
            "label; renumber the labels from 0."
        ) from error
    for i, row in enumerate(rows):
        Y[i, [int(label) for label in row]] = 1
    return Y
