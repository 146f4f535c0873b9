"""LabelTree: labels as the leaves of a tree of similar labels."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear.extreme._balanced_clusters import balanced_clusters


@dataclass(frozen=True, eq=False)
class LabelTree:
    """Labels as the leaves of a tree; what is learnt belongs to its edges.

    Attributes
    ----------
    first : ndarray of shape (n_nodes + 1,)
        The edges that leave node i are first[i], ..., first[i + 1] - 1; the root is node 0, and
        nodes are numbered by their distance from it.
    child : ndarray of shape (n_edges,)
        What each edge leads to: a node, or n_nodes plus the number of a label.

    Examples
    --------
    >>> tree = LabelTree(np.array([0, 2, 4]), np.array([1, 4, 2, 3]))
    >>> tree.n_labels, tree.paths.toarray().astype(int)  # edges that lead to each label
    (3, array([[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 0]]))
    """

    first: NDArray[np.int64]
    child: NDArray[np.int64]

    __repr__ = brief_repr

    @property
    def n_nodes(self) -> int:
        """Number of nodes that are no labels."""
        return len(self.first) - 1

    @property
    def n_labels(self) -> int:
        """Number of labels: every edge leads to a label or to a node, and none to the root."""
        return len(self.child) - self.n_nodes + 1

    @cached_property
    def paths(self) -> sparse.csr_array:
        """Which edges lead to each label: ones of shape (n_labels, n_edges)."""
        edges: list[list[int]] = [[]] * (self.n_nodes + self.n_labels)
        for node in range(self.n_nodes):
            for edge in range(self.first[node], self.first[node + 1]):
                edges[self.child[edge]] = [*edges[node], edge]
        of_labels = edges[self.n_nodes :]
        ends = np.cumsum([0, *map(len, of_labels)])
        shape = (self.n_labels, len(self.child))
        return sparse.csr_array((np.ones(ends[-1]), np.concatenate(of_labels), ends), shape=shape)

    def lowest(self, of_label: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the lowest value of the labels below each node, then the values of the labels."""
        lowest = np.append(np.full(self.n_nodes, np.inf), of_label)
        for node in reversed(range(self.n_nodes)):
            lowest[node] = lowest[self.child[self.first[node] : self.first[node + 1]]].min()
        return lowest


def grow_tree(centroids: sparse.csr_array, arity: int, leaf_size: int, seed: int) -> LabelTree:
    """Grow a tree of similar labels from the root, all branches of a node of the same size.

    Parameters
    ----------
    centroids : csr_array of shape (n_labels, n_features)
        See `label_centroids`.
    arity : int
        Most nodes below a node.
    leaf_size : int
        Most labels below a node.
    seed : int
        Of the first centres.

    Returns
    -------
    LabelTree
        With every label once.

    Examples
    --------
    >>> grow_tree(sparse.csr_array(np.eye(10)), arity=2, leaf_size=3, seed=0).first
    array([ 0,  2,  4,  6,  8, 11, 14, 16])
    """
    rng = np.random.default_rng(seed)
    waiting = deque([np.arange(centroids.shape[0])])
    first, child = [0], []
    while waiting:
        labels = waiting.popleft()
        if len(labels) <= leaf_size:
            child += [-1 - label for label in labels]  # until it is known how many nodes there are
        else:
            n_clusters = min(arity, -(-len(labels) // leaf_size))
            for cluster in balanced_clusters(centroids[labels], n_clusters, rng):
                child.append(len(first) + len(waiting))
                waiting.append(labels[cluster])
        first.append(len(child))
    ends = np.array(child, dtype=np.int64)
    n_nodes = len(first) - 1
    return LabelTree(np.array(first, np.int64), np.where(ends < 0, n_nodes - 1 - ends, ends))
