"""Trees, forests and histogram boosting of scikit-learn as trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._refusal import refuse
from pseudolinear.persistence.onnx._trees import Tree, add_trees


def add_forest(trees: Sequence[Any], graph: Graph, X: str) -> str:
    """Add the mean probabilities of trees, the classes of all outputs side by side.

    A leaf of ONNX holds one number, so the trees give the number of the leaf that a row falls
    into, and a table gives what the leaf holds.
    """
    kinds = graph.onnx.TensorProto
    X = graph("Cast", graph("Cast", X, to=kinds.FLOAT), to=kinds.DOUBLE)  # what trees round to
    tables = [_values(tree) for tree in trees]
    firsts = np.cumsum([0, *(len(table) for table in tables)])
    numbered = [_read(one.tree_, first) for one, first in zip(trees, firsts, strict=False)]
    leaves = add_trees(graph, X, numbered, range(len(trees)), len(trees))
    held = graph("Gather", np.vstack(tables), graph("Cast", leaves, to=kinds.INT64), axis=0)
    total = graph("ReduceSum", held, np.array([1]), keepdims=0)
    return graph("Div", total, float(len(trees)))


def add_hist_boosting(model: HistGradientBoostingClassifier, graph: Graph, X: str) -> str:
    """Add the raw scores of histogram boosting: one column, or one per class."""
    columns, known = _columns(model)
    rounds = model._predictors
    trees = [_read_hist(one, columns, known) for each in rounds for one in each]
    targets = [number for each in rounds for number in range(len(each))]
    raw = add_trees(graph, X, trees, targets, len(rounds[0]))
    return graph("Add", raw, np.atleast_2d(model._baseline_prediction))


def _values(tree: Any) -> NDArray[np.float64]:
    """Return what every leaf holds."""
    own = tree.tree_
    sizes = np.atleast_1d(tree.n_classes_)
    is_leaf = own.children_left < 0
    return np.hstack([own.value[is_leaf, k, :n] for k, n in enumerate(sizes)])


def _read(tree: Any, first: int) -> Tree:
    """Read a tree of scikit-learn, with the number of a leaf as its value."""
    is_leaf = tree.children_left < 0
    n_leaves = int(is_leaf.sum())
    if n_leaves == 1:
        return Tree.of_one_leaf(first)
    numbers = _renumber(is_leaf)
    inner = ~is_leaf
    return Tree(
        tree.feature[inner],
        tree.threshold[inner],
        numbers[tree.children_left[inner]],
        numbers[tree.children_right[inner]],
        tree.missing_go_to_left[inner].astype(bool),
        first + np.arange(n_leaves, dtype=np.float64),
        {},
    )


def _read_hist(predictor: Any, columns: Any, known: Any) -> Tree:
    """Read a tree of histogram boosting."""
    nodes = predictor.nodes
    is_leaf = nodes["is_leaf"].astype(bool)
    if is_leaf.sum() == 1:
        return Tree.of_one_leaf(float(nodes["value"][is_leaf][0]))
    numbers, own = _renumber(is_leaf), nodes[~is_leaf]
    yes, no = numbers[own["left"]], numbers[own["right"]]
    missing = own["missing_go_to_left"].astype(bool)
    members = {}
    for i in np.flatnonzero(own["is_categorical"]):
        bits = predictor.raw_left_cat_bitsets[own["bitset_idx"][i]]
        left = [bool(bits[code // 32] >> (code % 32) & 1) for code in range(256)]
        values = known[own["feature_idx"][i]]
        if missing[i]:  # unknown categories go left as well: ask for those that go right
            yes[i], no[i], missing[i] = no[i], yes[i], False
            left = [not one for one in left]
        members[int(i)] = [float(v) for v, goes in zip(values, left, strict=False) if goes]
    threshold = np.where(own["is_categorical"], 0.0, own["num_threshold"])
    leaves = nodes["value"][is_leaf]
    return Tree(columns[own["feature_idx"]], threshold, yes, no, missing, leaves, members)


def _columns(model: HistGradientBoostingClassifier) -> tuple[NDArray[np.intp], list[Any]]:
    """Say which column each feature of the trees is, and which categories its codes stand for."""
    if model._preprocessor is None:
        return np.arange(model.n_features_in_), []
    categorical = np.asarray(model.is_categorical_)
    encoder = model._preprocessor.named_transformers_["encoder"]
    if any(own.dtype.kind not in "iuf" for own in encoder.categories_):
        raise refuse("HistGradientBoostingClassifier", "it reads categories of data frames itself")
    known = [own[~np.isnan(own.astype(float))] for own in encoder.categories_]
    return np.concatenate([np.flatnonzero(categorical), np.flatnonzero(~categorical)]), known


def _renumber(is_leaf: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Give nodes and leaves numbers of their own, leaves from -1 downwards."""
    return np.where(is_leaf, ~(np.cumsum(is_leaf) - 1), np.cumsum(~is_leaf) - 1)
