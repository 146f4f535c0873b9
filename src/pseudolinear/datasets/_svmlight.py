"""Files in the format of svmlight and LIBSVM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
from scipy import sparse
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
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{path} is not a valid svmlight file: {reason(error)}.") from error
    if not rows:
        raise ValueError(f"{path} has no rows; give a file with at least one.")
    if not np.isfinite([label for row in rows for label in row]).all():
        raise ValueError(f"{path} has a label that is NaN or infinite; every label is a number.")
    return narrow_indices(X), rows


@dataclass(frozen=True, eq=False)
class SparseRows:
    r"""Rows of an svmlight file.

    Attributes
    ----------
    X : csr_matrix of shape (n_rows, n_features)
        Features.
    labels : list of tuple
        The labels in front of each row.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "rows.svm"
    >>> _ = path.write_text("1 1:0.5 3:2\n-1 2:1\n")
    >>> rows = read_file(path)
    >>> rows.X.shape, rows.y
    ((2, 3), array([ 1, -1]))
    """

    X: Any
    labels: list[tuple[float, ...]]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def y(self) -> Any:
        """Classes, or a set of labels for each row where some have none or several."""
        if all(len(row) == 1 for row in self.labels):
            return as_whole(np.array(self.labels)[:, 0])
        return [
            {int(label) if label == int(label) else label for label in row} for row in self.labels
        ]


def svmlight_parts(
    file: IO[bytes], n_rows: int | None, n_features: int | None
) -> Iterator[SparseRows]:
    """Yield the rows of a file; see :meth:`Format.parts`.

    Features are numbered from 0 or 1: from 1 if the first part has none that is 0.
    """
    first = None
    while lines := list(islice(file, n_rows)):
        X, labels = load_svmlight_file(BytesIO(b"".join(lines)), multilabel=True, zero_based=True)
        if not labels:  # comments and empty lines
            continue
        smallest = X.indices.min(initial=1)
        first = min(smallest, 1) if first is None else first
        if smallest < first:
            raise ValueError("a feature is numbered 0, but the first rows are numbered from 1")
        width = X.shape[1] - first if n_features is None else n_features
        if X.shape[1] - first > width and X.nnz:
            raise ValueError(f"it has {X.shape[1] - first} features where {width} are expected")
        X = sparse.csr_matrix((X.data, X.indices - first, X.indptr), shape=(len(labels), width))
        yield SparseRows(narrow_indices(X), labels)


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
