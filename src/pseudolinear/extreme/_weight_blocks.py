"""WeightBlocks: trained weights of labels, gathered block by block, small ones left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.extreme._label_weights import LabelWeights
from pseudolinear.extreme._memory import ArrayStore
from pseudolinear.loops._label_curves import transpose_into


def leave_out(coef: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Set weights to 0 that are below a share of the largest of their label.

    Parameters
    ----------
    coef : ndarray of shape (n_labels, n_features)
        Weights.
    share : float
        0 leaves out nothing.

    Returns
    -------
    ndarray
        The others as they are.

    Examples
    --------
    >>> from pseudolinear.extreme import leave_out
    >>> leave_out(np.array([[1.0, 0.005, -0.5]]), 0.01)
    array([[ 1. ,  0. , -0.5]])
    """
    size = np.abs(coef)
    return np.where(size >= share * size.max(axis=1, keepdims=True), coef, 0.0)


@dataclass(eq=False)
class WeightBlocks:
    """Gathers the weights of labels.

    Attributes
    ----------
    n_labels, n_features : int
        Shape of all weights.
    share : float
        Weights below this share of the largest of their label are left out.
    store : ArrayStore
        Where arrays are.
    """

    n_labels: int
    n_features: int
    share: float
    store: ArrayStore
    _blocks: list[tuple[Any, ...]] = field(default_factory=list, init=False)
    _counts: NDArray[np.int64] = field(init=False)
    _intercept: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self._counts = np.zeros(self.n_features + 1, np.int64)
        self._intercept = np.zeros(self.n_labels)

    def add(
        self,
        labels: NDArray[np.intp],
        coef: NDArray[np.float64],
        intercept: NDArray[np.float64],
    ) -> None:
        """Keep the weights of some labels, in single precision."""
        kept = sparse.csr_matrix(leave_out(coef, self.share).astype(np.float32))
        self._counts[1:] += np.bincount(kept.indices, minlength=self.n_features)
        self._intercept[labels] = intercept
        arrays = (self.store.keep(one) for one in (kept.indices, kept.data))
        self._blocks.append((labels, kept.indptr, *arrays))

    def model(self) -> LabelWeights:
        """Return all weights, by feature."""
        starts = np.cumsum(self._counts)
        indices = self.store.empty(int(starts[-1]), np.int32)
        data = self.store.empty(int(starts[-1]), np.float32)
        at = starts.copy()
        for labels, indptr, features, weights in self._blocks:
            transpose_into(indptr, features, weights, labels, at, indices, data)
        coef = sparse.csr_matrix(
            (data, indices, starts), shape=(self.n_features, self.n_labels), copy=False
        )
        return LabelWeights(coef, self._intercept)
