"""Blocks: a part of the rows as the solver sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr

TILE = 4096  # rows that are scored at once, so that scores stay in the cache


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows, encoded.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (n_rows, n_columns)
        Features, as the learner likes them.
    codes : ndarray of int8, shape (n_rows, n_labels)
        Labels, 0 or 1.
    weight : ndarray of shape (n_rows,)
        Weights.
    fold : ndarray of intp, shape (n_rows,)
        The fold that each row validates.
    """

    X: Any
    codes: NDArray[np.int8]
    weight: NDArray[np.float64]
    fold: NDArray[np.intp]

    __repr__ = brief_repr

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes)

    def tiles(
        self,
    ) -> Iterator[tuple[Any, NDArray[np.int8], NDArray[np.float64], NDArray[np.intp]]]:
        """Yield features, labels, weights and folds of some rows after the other."""
        for start in range(0, len(self), TILE):
            rows = slice(start, start + TILE)
            yield self.X[rows], self.codes[rows], self.weight[rows], self.fold[rows]

    def take(self, rows: NDArray[Any]) -> Block:
        """Return some rows."""
        return Block(self.X[rows], self.codes[rows], self.weight[rows], self.fold[rows])

    def write(self, folder: Path, number: int) -> None:
        """Write the arrays into a folder, from where :meth:`mapped` reads them."""
        for name, array in self._arrays().items():
            np.save(folder / f"{number}-{name}.npy", array)

    @classmethod
    def mapped(cls, folder: Path, number: int) -> Block:
        """Return a block whose features are read from its files when they are needed."""

        def load(name: str, mode: Any = None) -> Any:
            return np.load(folder / f"{number}-{name}.npy", mmap_mode=mode)

        if (folder / f"{number}-X.npy").exists():
            X = load("X", "r")
        else:
            arrays = load("data", "r"), load("indices", "r"), load("indptr")
            X = sparse.csr_matrix(arrays, shape=tuple(load("shape")), copy=False)
        return cls(X, load("codes"), load("weight"), load("fold"))

    def _arrays(self) -> dict[str, Any]:
        own = {"codes": self.codes, "weight": self.weight, "fold": self.fold}
        if not sparse.issparse(self.X):
            return {"X": self.X, **own}
        X = {name: getattr(self.X, name) for name in ("data", "indices", "indptr")}
        return {**X, "shape": np.array(self.X.shape), **own}
