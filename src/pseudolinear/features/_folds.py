"""The rows of a fit as each learner likes them, with features fitted inside the folds."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.features._features import Encoded, Features
from pseudolinear.features._schema import Schema
from pseudolinear.features._table import Table

Numbers = NDArray[np.intp]


class FoldFeatures:
    """Features of all rows, fitted once for every set of training rows and shared by all learners.

    Parameters
    ----------
    schema : Schema
        What reads the rows.
    X : ndarray, sparse matrix, data frame or sequence of strings
        The rows.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    seed : int
        Seed of views that draw rows.
    kept : Features, default=None
        What other rows have fitted, to be used as it is.
    """

    def __init__(
        self,
        schema: Schema,
        X: Any,
        weight: NDArray[np.float64] | None = None,
        seed: int = 0,
        kept: Features | None = None,
    ) -> None:
        self.schema, self.X, self.weight, self.seed, self.kept = schema, X, weight, seed, kept
        self._table: Table | None = None
        self._features: dict[bytes, Features] = {}
        self._encoded: dict[tuple[bytes, bytes], Encoded] = {}

    def view(self, name: str, numbers: Numbers, train: Numbers) -> Any:
        """Return some rows as features that the training rows have fitted."""
        key = row_key(train)
        self._fit([name], train, key)
        encoded = self._encode(numbers, train, key)
        made = encoded(name)
        encoded.rest()
        return made

    def encoded(self, numbers: Numbers, train: Numbers) -> Encoded:
        """Return some rows, for views that the training rows have fitted."""
        return self._encode(numbers, train, row_key(train))

    def fitted(self, names: list[str], train: Numbers) -> Features:
        """Return features with the views that the training rows have fitted."""
        return self._fit(names, train, row_key(train))

    def _encode(self, numbers: Numbers, train: Numbers, key: bytes) -> Encoded:
        both = (key, key if numbers is train else row_key(numbers))
        if both not in self._encoded:
            take = partial(self._take, numbers)
            self._encoded[both] = Encoded(self._fit([], train, key), take=take)
        return self._encoded[both]

    def _fit(self, names: list[str], train: Numbers, key: bytes) -> Features:
        if self.kept is not None:
            return self.kept
        features = self._features.setdefault(key, Features(self.schema, self.seed))
        if not features.views.keys() >= set(names):
            weight = None if self.weight is None else self.weight[train]
            features.fit(self._encode(train, train, key).table, names, weight)
        return features

    def forget(self, name: str) -> None:
        """Drop the rows of a view that no learner needs any more; what it learnt stays."""
        for encoded in self._encoded.values():
            encoded.forget(name)

    def _take(self, numbers: Numbers) -> Table:
        """Return some rows; all of them are not copied."""
        every = len(numbers) == len(self.table) and (np.diff(numbers, prepend=-1) == 1).all()
        return self.table if every else self.table.take(numbers)

    @property
    def table(self) -> Table:
        """All rows, read once."""
        if self._table is None:
            self._table = self.schema.read(self.X)
        return self._table


def row_key(numbers: Numbers) -> bytes:
    """Return a few bytes that stand for a set of rows, of which memory holds fewer than 2^32."""
    return sha256(numbers.astype(np.uint32).data).digest()
