"""Batches of rows that somebody else makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from scipy import sparse

from pseudolinear.scale._part import Part
from pseudolinear.scale._parts import Parts
from pseudolinear.scale._scratch import Scratch

SHAPES = "give batches (X, y), or (X, y, sample_weight), each with the same columns"


class BatchParts(Parts):
    """Batches ``(X, y)`` or ``(X, y, sample_weight)``, made anew whenever rows are read.

    Parameters
    ----------
    batches : iterable or callable
        Gives the batches each time it is iterated, or called. An iterator that can be used only
        once, such as a generator, is written to a temporary folder first.

    Examples
    --------
    >>> from pseudolinear.scale import BatchParts
    >>> batches = [(np.zeros((3, 2)), [0, 1, 0]), (np.ones((2, 2)), [1, 1])]
    >>> [part.first for part in BatchParts(iter(batches))]
    [0, 3]
    """

    def __init__(self, batches: Iterable[Any] | Callable[[], Iterable[Any]]) -> None:
        self._scratch: Scratch | None = None
        if isinstance(batches, Iterator):
            self._scratch = Scratch()
            self._files = [self._write(i, batch) for i, batch in enumerate(batches)]
            batches = self._written
        self._make = batches if callable(batches) else batches.__iter__

    def read(self) -> Iterator[Part]:
        """Take one batch after the other."""
        for i, batch in enumerate(self._make()):
            if not isinstance(batch, tuple) or not 2 <= len(batch) <= 3:
                raise ValueError(f"Batch {i} is a {type(batch).__name__}; {SHAPES}.")
            X, y, *weight = batch
            X = X if sparse.issparse(X) or hasattr(X, "columns") else np.asarray(X)
            if X.ndim != 2 or len(y) != X.shape[0]:
                raise ValueError(f"Batch {i} has X of shape {X.shape} and {len(y)} y; {SHAPES}.")
            yield Part(X, y, weight[0] if weight else None, f"batch {i}")

    def close(self) -> None:
        """Delete what was written down."""
        if self._scratch is not None:
            self._scratch.close()

    def _write(self, number: int, batch: Any) -> Path:
        """Keep a batch in a file of ours, which nobody else can write."""
        assert self._scratch is not None
        file = self._scratch.path / f"{number}.joblib"
        joblib.dump(batch, file)
        return file

    def _written(self) -> Iterator[Any]:
        return (joblib.load(file) for file in self._files)
