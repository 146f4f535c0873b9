"""Sources: the rows as one learner sees them, and nothing else, so that they can be sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import take_rows
from pseudolinear.features import FoldFeatures, row_key
from pseudolinear.loops._crew import crew

Numbers = NDArray[np.intp]
Split = tuple[Numbers, Numbers]


@dataclass(frozen=True, eq=False)
class Given:
    """Rows as they came in.

    Attributes
    ----------
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        All rows.
    pairwise : bool
        Whether X is a Gram matrix.
    """

    X: Any
    pairwise: bool = False

    def __call__(self, numbers: Numbers, train: Numbers) -> Any:
        """Return some rows; of a Gram matrix the columns of the training rows."""
        X = take_rows(self.X, numbers)
        return X[:, train] if self.pairwise else X


@dataclass(frozen=True, eq=False)
class Made:
    """A view of the rows of some splits, made once.

    Attributes
    ----------
    views : dict
        What was made, by rows and training rows.
    """

    views: dict[tuple[bytes, bytes], Any]

    @classmethod
    def of(cls, folds: FoldFeatures, view: str, splits: Sequence[Split]) -> Self:
        """Make a view of the training and test rows of splits, in the threads that are idle."""
        by_training: dict[bytes, dict[tuple[bytes, bytes], Split]] = {}
        for train, test in splits:
            key = row_key(train)
            own = by_training.setdefault(key, {})
            own |= {(key, key): (train, train), (row_key(test), key): (test, train)}

        def make(pairs: dict[tuple[bytes, bytes], Split]) -> list[Any]:
            return [folds.view(view, *pair) for pair in pairs.values()]

        _ = folds.table  # read once
        made = crew.share(make, list(by_training.values()))
        keys = chain.from_iterable(by_training.values())
        return cls(dict(zip(keys, chain.from_iterable(made), strict=True)))

    def __call__(self, numbers: Numbers, train: Numbers) -> Any:
        """Return the view of some rows, fitted on the training rows."""
        return self.views[_key(numbers, train)]


def _key(numbers: Numbers, train: Numbers) -> tuple[bytes, bytes]:
    key = row_key(train)
    return key if numbers is train else row_key(numbers), key
