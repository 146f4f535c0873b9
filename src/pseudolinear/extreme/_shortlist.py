"""Shortlist: the likeliest labels of every row, and whether that is certain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr


@dataclass(frozen=True, eq=False)
class Shortlist:
    """The likeliest labels of every row.

    Attributes
    ----------
    scores : csr_array of shape (n_samples, n_labels)
        Scores of the labels on the list, none above 0; what is not stored is not on it.
    bounds : ndarray of shape (n_samples,)
        Score that no label exceeds which the search did not look at; -inf where it
        looked at all that are of interest.
    left_out : ndarray of shape (n_samples,)
        The largest one of a label that it looked at and that was one too many, or -inf.

    Examples
    --------
    >>> scores = sparse.csr_array(([-0.5, -2.0, -0.1], [0, 2, 1], [0, 2, 3]), shape=(2, 3))
    >>> found = Shortlist(scores, np.array([-1.0, -3.0]), np.full(2, -np.inf))
    >>> found.certified(1), found.certified(2)
    (array([ True,  True]), array([False, False]))
    >>> found.probabilities.toarray().round(2)
    array([[0.61, 0.  , 0.14], [0.  , 0.9 , 0.  ]])
    """

    scores: sparse.csr_array
    bounds: NDArray[np.float64]
    left_out: NDArray[np.float64]

    __repr__ = brief_repr

    @property
    def probabilities(self) -> sparse.csr_array:
        """Probabilities of the labels; 0 for those that are not on the list."""
        return self._with(np.exp(self.scores.data))

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Whether every label of interest is on the list of each row."""
        return np.isneginf(self.bounds) & np.isneginf(self.left_out)

    def certified(self, k: int) -> NDArray[np.bool_]:
        """Say for each row whether its k likeliest labels are those of all labels.

        They are when none of them scores less than what leads to labels that were not looked at.
        """
        return self._kth_scores(k) >= np.maximum(self.bounds, np.finfo(np.float64).min)

    def top(self, k: int) -> sparse.csr_array:
        """Return the scores of the k likeliest labels of each row; of equal ones all."""
        rows = np.repeat(np.arange(len(self.bounds)), np.diff(self.scores.indptr))
        keep = self.scores.data >= self._kth_scores(k)[rows]
        ends = np.append(0, np.cumsum(keep))[self.scores.indptr]
        parts = self.scores.data[keep], self.scores.indices[keep], ends
        return sparse.csr_array(parts, shape=self.scores.shape)

    def _kth_scores(self, k: int) -> NDArray[np.float64]:
        """Return the k-th largest score of each row, or -inf where the list is shorter."""
        starts, counts = self.scores.indptr[:-1], np.diff(self.scores.indptr)
        rows = np.repeat(np.arange(len(counts)), counts)
        order = np.lexsort((-self.scores.data, rows))
        found = np.full(len(counts), -np.inf)
        enough = counts >= k
        found[enough] = self.scores.data[order][starts[enough] + k - 1]
        return found

    def _with(self, data: NDArray[np.float64]) -> sparse.csr_array:
        parts = data, self.scores.indices, self.scores.indptr
        return sparse.csr_array(parts, shape=self.scores.shape)
