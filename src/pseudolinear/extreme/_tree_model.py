"""TreeModel: a fitted tree of labels, which gives each row its likeliest labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear.extreme._label_tree import LabelTree
from pseudolinear.extreme._shortlist import Shortlist
from pseudolinear.loops._beam import shortlist_rows

ROW_NUMBERS = 1 << 22  # scores of a block of rows, before those that are not filled are left out


@dataclass(frozen=True, eq=False)
class TreeModel:
    """A fitted tree of labels.

    Attributes
    ----------
    tree : LabelTree
        The labels.
    weights : csr_array of shape (n_features, n_edges)
        Of the margin of each edge; small ones are left out.
    intercept : ndarray of shape (n_edges,)
        Intercepts of the margins.
    damping : float
        What the log-probabilities of edges to nodes are multiplied by.
    beam, most : int
        Most nodes that are looked at on a level of the tree, and most labels of a row.
    kept : float
        Share of the weights that is kept.
    optimality : float
        Worst relative duality gap of the problems.
    converged : bool
        Whether all of them reached the tolerance.

    Examples
    --------
    >>> from pseudolinear.extreme import TreeLearner
    >>> X = sparse.csr_array(np.eye(4)[[0, 1, 2, 3] * 5])
    >>> model = TreeLearner(arity=2, leaf_size=2, C=100.0).fit(X, X)
    >>> model.shortlist(X[:4], most=1).scores.indices.tolist()
    [0, 1, 2, 3]
    """

    tree: LabelTree
    weights: sparse.csr_array
    intercept: NDArray[np.float64]
    damping: float
    beam: int
    most: int
    kept: float
    optimality: float
    converged: bool

    __repr__ = brief_repr

    def shortlist(
        self,
        X: Any,
        *,
        most: int | None = None,
        beam: int | None = None,
        floors: NDArray[np.float64] | None = None,
    ) -> Shortlist:
        """Find the likeliest labels of each row by beam search.

        Parameters
        ----------
        X : CSR matrix of shape (n_samples, n_features)
            The rows.
        most : int, default=None
            Most labels of a row; None is that of the model.
        beam : int, default=None
            Most nodes that are looked at on a level of the tree; None is that of the model.
        floors : ndarray of shape (n_labels,), default=None
            Score from which each label is of interest, such as its threshold: what leads
            to no such label is not looked at.

        Returns
        -------
        Shortlist
            With at most so many labels for each row.
        """
        if floors is None:
            floors = np.full(self.tree.n_labels, -np.inf)
        X, lowest = sparse.csr_array(X, dtype=np.float64), self.tree.lowest(floors)
        most = min(self.most if most is None else most, self.tree.n_labels)
        beam = min(self.beam if beam is None else beam, self.tree.n_nodes)
        size = max(ROW_NUMBERS // most, 1)
        starts = range(0, max(X.shape[0], 1), size)
        blocks = [self._search(X[i : i + size], lowest, beam, most) for i in starts]
        if len(blocks) == 1:
            return Shortlist(*blocks[0])
        scores, bounds, left_out = zip(*blocks, strict=True)
        return Shortlist(
            sparse.csr_array(sparse.vstack(scores, format="csr")),
            np.concatenate(bounds),
            np.concatenate(left_out),
        )

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows: shape (n_samples, n_labels), minus infinity where there is no score."""
        found = self.shortlist(X).scores.tocoo()
        scores = np.full(found.shape, -np.inf)
        scores[found.row, found.col] = found.data
        return scores

    def predict(self, X: Any, thresholds: NDArray[np.float64]) -> sparse.csr_matrix:
        """Predict the labels on the list of each row that reach their thresholds.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            The rows.
        thresholds : ndarray of shape (n_labels,)
            Labels with at least this score are predicted.

        Returns
        -------
        csr_matrix of int8, shape (n_samples, n_labels)
            1 where a label is predicted.
        """
        scores = self.shortlist(X).scores
        keep = scores.data >= thresholds[scores.indices]
        ends = np.append(0, np.cumsum(keep))[scores.indptr]
        ones = np.ones(int(keep.sum()), np.int8)
        return sparse.csr_matrix((ones, scores.indices[keep], ends), shape=scores.shape)

    def _search(
        self, X: sparse.csr_array, lowest: NDArray[np.float64], beam: int, most: int
    ) -> tuple[sparse.csr_array, NDArray[np.float64], NDArray[np.float64]]:
        n_samples, weights, tree = X.shape[0], self.weights, self.tree
        labels = np.empty((n_samples, most), dtype=np.int32)
        scores = np.empty((n_samples, most))
        counts = np.empty(n_samples, dtype=np.int64)
        bounds, left_out = np.empty((2, n_samples))
        shortlist_rows(
            X.indptr, X.indices, X.data,
            weights.indptr, weights.indices, weights.data,
            self.intercept, tree.first, tree.child, self.damping, lowest,
            beam, labels, scores, counts, bounds, left_out,
        )  # fmt: skip
        filled = np.arange(most) < counts[:, None]
        parts = scores[filled], labels[filled], np.append(0, np.cumsum(counts))
        return sparse.csr_array(parts, shape=(n_samples, tree.n_labels)), bounds, left_out
