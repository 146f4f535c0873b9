"""Outcomes: what was true and what was predicted, row by row and label by label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from pseudolinear._validation import check_binary
from pseudolinear.errors._profile import ErrorProfile


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What was true and what was predicted, row by row and label by label.

    Attributes
    ----------
    true, predicted : ndarray of bool, shape (n_samples, n_labels)
        A binary problem has one column, that of the positive class.
    labels : tuple
        Names of the columns.
    exclusive : bool
        Whether every row has exactly one of several classes.

    Examples
    --------
    >>> from pseudolinear.errors import Outcomes
    >>> Outcomes.of_classes(["a", "b"], ["a", "a"], ["a", "b"]).profile().fn
    array([0. , 0.5])
    """

    true: NDArray[np.bool_]
    predicted: NDArray[np.bool_]
    labels: tuple[Any, ...]
    exclusive: bool = False

    def __post_init__(self) -> None:
        if self.true.shape != self.predicted.shape:
            raise ValueError(
                f"y_true has the shape {self.true.shape} and y_pred {self.predicted.shape}; they "
                "must be equal."
            )
        names = (name.item() if isinstance(name, np.generic) else name for name in self.labels)
        object.__setattr__(self, "labels", tuple(names))

    @classmethod
    def of_classes(cls, true: ArrayLike, predicted: ArrayLike, classes: ArrayLike) -> Self:
        """Compare classes, of which every row has one."""
        order = np.asarray(classes)
        columns = [np.asarray(y)[:, None] == order for y in (true, predicted)]
        return cls(columns[0], columns[1], tuple(order), exclusive=True)

    @classmethod
    def of_labels(cls, true: Any, predicted: Any, labels: Sequence[Any]) -> Self:
        """Compare labels, of which a row may have several or none: columns of 0 and 1."""
        columns = [
            y.reshape(len(y), -1)
            for y in (check_binary(true, "y_true"), check_binary(predicted, "y_pred"))
        ]
        return cls(columns[0], columns[1], tuple(labels))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.true.shape[0])

    def take(self, rows: NDArray[Any]) -> Self:
        """Return the same of some rows."""
        return replace(self, true=self.true[rows], predicted=self.predicted[rows])

    def cells(self) -> tuple[Any, Any, Any]:
        """Return true positives, false negatives and false positives, as sparse matrices."""
        true, predicted = self.true, self.predicted
        tp, fn, fp = map(sparse.csr_array, (true & predicted, true & ~predicted, predicted & ~true))
        return tp, fn, fp

    def profile(self, sample_weight: ArrayLike | None = None) -> ErrorProfile:
        """Count the errors."""
        return ErrorProfile.from_labels(self.true, self.predicted, sample_weight=sample_weight)
