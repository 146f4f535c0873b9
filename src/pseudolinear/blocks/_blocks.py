"""Blocks: matrices of different kinds side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.blocks._codes import Codes


class Blocks:
    """Columns in blocks, each as what it is: dense, sparse, or codes.

    Parameters
    ----------
    blocks : sequence of ndarray, CSR matrix or Codes
        Matrices of the same rows.

    Examples
    --------
    >>> from pseudolinear.blocks import Blocks, Codes
    >>> X = Blocks([np.array([[0.5], [1.5]]), Codes(np.array([[0], [1]]), 2)])
    >>> X.toarray()
    array([[0.5, 1. , 0. ],
           [1.5, 0. , 1. ]])
    >>> X[[1]] @ np.array([1.0, 10.0, 100.0])
    array([101.5])
    """

    ndim = 2

    def __init__(self, blocks: Sequence[Any]) -> None:
        self.blocks = list(blocks)

    def __repr__(self) -> str:
        return f"<Blocks: {len(self.blocks)} side by side, shape {self.shape}>"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.blocks[0].shape[0], sum(block.shape[1] for block in self.blocks)

    def __getitem__(self, rows: Any) -> Blocks:
        """Return some rows."""
        return Blocks([block[rows] for block in self.blocks])

    def __matmul__(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Multiply by a vector, or by the columns of a matrix."""
        ends = np.cumsum([block.shape[1] for block in self.blocks])
        parts = np.split(np.asarray(weights), ends[:-1])
        return sum(block @ own for block, own in zip(self.blocks, parts, strict=True))

    def toarray(self) -> NDArray[np.float64]:
        """Return all columns."""
        dense = [b if isinstance(b, np.ndarray) else b.toarray() for b in self.blocks]
        return np.hstack(dense)


def as_plain(X: Any) -> Any:
    """Return blocks and codes as an array, or sparse where a block is; others as they are."""
    if not isinstance(X, Blocks | Codes):
        return X
    blocks = X.blocks if isinstance(X, Blocks) else [X]
    if not any(sparse.issparse(block) for block in blocks):
        return X.toarray()
    return sparse.hstack([b.toarray() if isinstance(b, Codes) else b for b in blocks], format="csr")
