"""Arrays, memory-mapped ones above all, in parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pseudolinear._validation import check_training_weights
from pseudolinear.scale._part import Part
from pseudolinear.scale._parts import Parts, rows_of_a_part


class ArrayParts(Parts):
    """An array or CSR matrix, in memory or memory-mapped, of which a slice is read at a time.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n_samples, n_features)
        The rows.
    y : array-like of shape (n_samples,) or (n_samples, n_labels), default=None
        Classes, or the 0/1 matrix of several labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.
    rows : int, default=None
        Rows of a part; None for parts of 32 MB.

    Examples
    --------
    >>> from pseudolinear.scale import ArrayParts
    >>> len(list(ArrayParts(np.zeros((100, 3)), np.zeros(100), rows=40)))
    3
    """

    def __init__(self, X: Any, y: Any = None, sample_weight: Any = None, rows: int | None = None):
        if X.ndim != 2:
            raise ValueError(f"X has the shape {X.shape}; give one row per row, and its columns.")
        if y is not None and len(y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows and y has {len(y)}; give one y per row.")
        self.X = X.tocsr() if hasattr(X, "tocsr") else X
        self.y = np.asarray(y) if isinstance(y, list | tuple) else y
        self.weight = check_training_weights(sample_weight, X.shape[0])
        self.rows = rows or rows_of_a_part(X.shape[1] if isinstance(self.X, np.ndarray) else 128)

    def read(self) -> Iterator[Part]:
        """Read slices of rows."""
        for start in range(0, self.X.shape[0], self.rows):
            rows = slice(start, min(start + self.rows, self.X.shape[0]))
            yield Part(
                self.X[rows],
                None if self.y is None else _slice(self.y, rows),
                None if self.weight is None else self.weight[rows],
                f"the rows from {start} on",
            )


def _slice(y: Any, rows: slice) -> Any:
    return y.iloc[rows] if hasattr(y, "iloc") else y[rows]
