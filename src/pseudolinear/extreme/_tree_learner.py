"""TreeLearner: trains a tree of labels, one batch of linear problems for every node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator

from pseudolinear._validation import narrow_indices
from pseudolinear.extreme._balanced_clusters import label_centroids
from pseudolinear.extreme._label_tree import LabelTree, grow_tree
from pseudolinear.extreme._tree_model import TreeModel
from pseudolinear.learners.losses import get_loss

LOSS = "squared_hinge"  # a few rows of a rare label move it further than the logistic loss
STEEPNESS = 3.0  # of the sigmoid that makes a probability of a margin


class TreeLearner(BaseEstimator):
    """Linear models on the edges of a tree of labels.

    Labels whose rows are similar are put below the same node (balanced 2-means of the sums of their
    rows). At every node, the rows that carry a label below it are told apart by which of its
    branches they go on to (squared hinge loss; a sigmoid makes probabilities of margins). The score
    of a label is the sum of the log-probabilities along its path, all but the last one damped: the
    rows of a rare label say little about which node they belong to, and much about the label once
    they are there.

    Parameters
    ----------
    C : float, default=4.0
        Weight of the losses against the regularisation, for rows of length 1; where the mean of
        their squared lengths is another, C is divided by it.
    arity : int, default=64
        Most nodes below a node.
    leaf_size : int, default=64
        Most labels below a node.
    damping : float, default=0.15
        What the log-probabilities of edges to nodes are multiplied by; 1 makes of scores
        log-probabilities.
    beam : int, default=10
        Most nodes that are looked at on a level of the tree to score a row.
    most : int, default=50
        Most labels of a row that get a score.
    truncation : float, default=0.03
        Share of the largest weight of an edge from which a weight is kept.
    tol : float, default=1e-2
        Relative duality gap at which a problem is solved.
    max_iter : int, default=1000
        Largest number of iterations per problem.
    random_state : int, default=0
        Seed of the clusters.

    Examples
    --------
    >>> X = sparse.csr_array(np.eye(4)[[0, 1, 2, 3] * 5])
    >>> TreeLearner(arity=2, leaf_size=2).fit(X, X).tree.n_nodes
    3
    """

    def __init__(
        self,
        C: float = 4.0,
        *,
        arity: int = 64,
        leaf_size: int = 64,
        damping: float = 0.15,
        beam: int = 10,
        most: int = 50,
        truncation: float = 0.03,
        tol: float = 1e-2,
        max_iter: int = 1000,
        random_state: int = 0,
    ) -> None:
        self.C = C
        self.arity = arity
        self.leaf_size = leaf_size
        self.damping = damping
        self.beam = beam
        self.most = most
        self.truncation = truncation
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def grow(self, X: Any, Y: Any) -> LabelTree:
        """Return the tree of the labels of these rows."""
        return grow_tree(label_centroids(X, Y), self.arity, self.leaf_size, self.random_state)

    def fit(self, X: Any, Y: Any, tree: LabelTree | None = None) -> TreeModel:
        """Train all edges of a tree.

        Parameters
        ----------
        X : CSR matrix of shape (n_samples, n_features)
            The rows.
        Y : CSR matrix of shape (n_samples, n_labels)
            Their labels, 0 or 1.
        tree : LabelTree, default=None
            The tree; None grows it from these rows.

        Returns
        -------
        TreeModel
            What was learnt.
        """
        X = narrow_indices(sparse.csr_array(X, dtype=np.float64))
        Y = sparse.csr_array(Y)
        tree = self.grow(X, Y) if tree is None else tree
        shape = X.shape[1], len(tree.child)
        edges, features, weights = [], [], []
        intercept, gaps, n_weights = np.zeros(shape[1]), np.zeros(shape[1]), 0
        C = self.C / max(float(X.data @ X.data) / X.shape[0], np.finfo(np.float64).tiny)
        for own, rows, branches in _nodes(tree, Y):
            coef, columns, intercept[own], gaps[own] = self._solve(X[rows], branches, C)
            n_weights += coef.size
            edge, feature = np.nonzero(coef)
            weights.append(coef[edge, feature].astype(np.float32))
            edges.append((own.start + edge).astype(np.int32))
            features.append(columns[feature].astype(np.int32))
        kept = np.concatenate(weights), (np.concatenate(features), np.concatenate(edges))
        worst = float(gaps.max())
        found = sparse.csr_array(kept, shape=shape)
        found.sort_indices()
        search, share = (self.damping, self.beam, self.most), found.nnz / max(n_weights, 1)
        return TreeModel(tree, found, intercept, *search, share, worst, worst <= self.tol)

    def _solve(self, X: sparse.csr_array, branches: NDArray[np.int8], C: float) -> tuple[Any, ...]:
        """Return truncated weights, their columns, intercepts and gaps of the edges of a node."""
        columns = np.unique(X.indices)
        own = np.searchsorted(columns, X.indices).astype(np.int32)
        X = sparse.csr_array((X.data, own, X.indptr), shape=(X.shape[0], max(len(columns), 1)))
        one = np.ones(branches.shape[1])
        fit = get_loss(LOSS).solve(
            X,
            branches,
            np.arange(len(one)),
            one,
            one,
            one * C,
            intercept_scaling=np.inf,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        size = np.abs(fit.coef)
        fit.coef[size < self.truncation * size.max(axis=1, keepdims=True)] = 0.0
        return STEEPNESS * fit.coef, columns, STEEPNESS * fit.intercept, fit.optimality


def _nodes(
    tree: LabelTree, Y: sparse.csr_array
) -> Iterator[tuple[slice, NDArray[np.intp], NDArray[np.int8]]]:
    """Yield the edges of each node, the rows that reach it, and which edges these go on to.

    The root is reached by rows without a label as well.
    """
    reached = sparse.csc_array(Y.astype(bool) @ tree.paths.astype(bool))
    for start, stop in zip(tree.first[:-1], tree.first[1:], strict=True):
        ends = reached.indptr[start : stop + 1]
        at = reached.indices[ends[0] : ends[-1]]
        rows = np.arange(Y.shape[0])
        if start:
            rows, at = np.unique(at, return_inverse=True)
        if not len(rows):  # labels that nothing is known of
            rows = np.zeros(1, np.intp)
        branches = np.zeros((len(rows), stop - start), dtype=np.int8)
        branches[at, np.repeat(np.arange(stop - start), np.diff(ends))] = 1
        yield slice(start, stop), rows, branches
