"""Trees of any origin as one node of doubles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.persistence.onnx._graph import Graph

AT_MOST, MEMBER = 0, 6  # how ONNX numbers comparisons
SUM, NO_TRANSFORM = 1, 0


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree: nodes that send rows to one of two sides, and leaves.

    Attributes
    ----------
    feature : ndarray of shape (n_nodes,)
        The column that a node looks at.
    threshold : ndarray of shape (n_nodes,)
        Values of at most this go to `yes`.
    yes, no : ndarray of shape (n_nodes,)
        The next node, or ``~leaf``.
    missing : ndarray of bool, shape (n_nodes,)
        Whether NaN goes to `yes`.
    leaves : ndarray of shape (n_leaves,)
        The values.
    members : dict of int to list
        Of the nodes that ask for categories: which go to `yes`.
    """

    feature: NDArray[np.intp]
    threshold: NDArray[np.float64]
    yes: NDArray[np.intp]
    no: NDArray[np.intp]
    missing: NDArray[np.bool_]
    leaves: NDArray[np.float64]
    members: dict[int, list[float]]

    @classmethod
    def of_one_leaf(cls, value: float) -> Tree:
        """Return a tree that gives every row one value; ONNX wants a node all the same."""
        zero, leaf = np.zeros(1, dtype=np.intp), np.array([value, value])
        return cls(zero, np.zeros(1), ~zero, ~(zero + 1), zero.astype(bool), leaf, {})


def add_trees(
    graph: Graph, X: str, trees: Sequence[Tree], targets: Sequence[int], n_targets: int
) -> str:
    """Add trees.

    Parameters
    ----------
    graph : Graph
        Gets the node.
    X : str
        The rows.
    trees : sequence of Tree
        The trees.
    targets : sequence of int
        The column that each tree adds to.
    n_targets : int
        Number of columns.

    Returns
    -------
    str
        The sums, shape (n_samples, n_targets).
    """
    first = np.cumsum([0, *(len(tree.feature) for tree in trees)])
    first_leaf = np.cumsum([0, *(len(tree.leaves) for tree in trees)])
    starts = list(zip(trees, first, first_leaf, strict=False))
    yes = np.concatenate([_positions(tree.yes, node, leaf) for tree, node, leaf in starts])
    no = np.concatenate([_positions(tree.no, node, leaf) for tree, node, leaf in starts])
    yes_is_leaf = np.concatenate([tree.yes < 0 for tree in trees])
    no_is_leaf = np.concatenate([tree.no < 0 for tree in trees])
    return graph(
        "TreeEnsemble",
        X,
        domain="ai.onnx.ml",
        aggregate_function=SUM,
        post_transform=NO_TRANSFORM,
        n_targets=n_targets,
        tree_roots=first[:-1].tolist(),
        nodes_featureids=_joined(trees, "feature").tolist(),
        nodes_splits=_joined(trees, "threshold").astype(np.float64),
        nodes_missing_value_tracks_true=_joined(trees, "missing").astype(int).tolist(),
        nodes_truenodeids=yes.tolist(),
        nodes_falsenodeids=no.tolist(),
        nodes_trueleafs=yes_is_leaf.astype(int).tolist(),
        nodes_falseleafs=no_is_leaf.astype(int).tolist(),
        leaf_targetids=np.repeat(targets, [len(tree.leaves) for tree in trees]).tolist(),
        leaf_weights=_joined(trees, "leaves").astype(np.float64),
        **_comparisons(trees),
    )


def _comparisons(trees: Sequence[Tree]) -> dict[str, Any]:
    """Return how every node compares, and the categories in the order of the nodes."""
    modes, members = [], []
    for tree in trees:
        own = np.full(len(tree.feature), AT_MOST, dtype=np.uint8)
        for node in sorted(tree.members):
            own[node] = MEMBER
            members.extend([*tree.members[node], np.nan])  # NaN ends a set
        modes.append(own)
    found: dict[str, Any] = {"nodes_modes": np.concatenate(modes)}
    return found | {"membership_values": np.array(members)} if members else found


def _joined(trees: Sequence[Tree], name: str) -> NDArray[Any]:
    return np.concatenate([getattr(tree, name) for tree in trees])


def _positions(child: NDArray[np.intp], node: int, leaf: int) -> NDArray[np.intp]:
    return np.where(child < 0, ~child + leaf, child + node)
