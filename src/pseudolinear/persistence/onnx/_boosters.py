"""Boosters of LightGBM as trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._refusal import refuse
from pseudolinear.persistence.onnx._trees import Tree, add_trees


def add_booster(booster: Any, graph: Graph, X: str) -> str:
    """Add the raw scores of a booster: one column, or one per class."""
    model = booster.dump_model()
    n_targets = model["num_tree_per_iteration"]
    trees = [_read(info["tree_structure"]) for info in model["tree_info"]]
    targets = [number % n_targets for number in range(len(trees))]
    return add_trees(graph, X, trees, targets, n_targets)


def _read(root: dict[str, Any]) -> Tree:
    """Read a tree of LightGBM, which numbers nodes and leaves as they are needed here."""
    if "split_index" not in root:
        return Tree.of_one_leaf(root["leaf_value"])
    nodes: dict[int, dict[str, Any]] = {}
    leaves: dict[int, float] = {}
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if "split_index" in one:
            nodes[one["split_index"]] = one
            waiting += [one["left_child"], one["right_child"]]
        else:
            leaves[one["leaf_index"]] = one["leaf_value"]
    ordered = [nodes[number] for number in range(len(nodes))]
    sets = {i: _members(one) for i, one in enumerate(ordered) if one["decision_type"] == "=="}
    return Tree(
        np.array([one["split_feature"] for one in ordered]),
        np.array([0.0 if i in sets else one["threshold"] for i, one in enumerate(ordered)]),
        np.array([_number(one["left_child"]) for one in ordered]),
        np.array([_number(one["right_child"]) for one in ordered]),
        np.array([_missing(one) for one in ordered]),
        np.array([leaves[number] for number in range(len(leaves))]),
        sets,
    )


def _number(child: dict[str, Any]) -> int:
    return child["split_index"] if "split_index" in child else ~child["leaf_index"]


def _members(node: dict[str, Any]) -> list[float]:
    return [float(code) for code in str(node["threshold"]).split("||")]


def _missing(node: dict[str, Any]) -> bool:
    """Say where NaN goes: if training had none, where 0 goes; of categories, where others go."""
    if node["decision_type"] == "==":
        return False
    if node["missing_type"] == "Zero":
        raise refuse("A booster with zero_as_missing", "trees of ONNX take NaN alone as missing")
    return bool(node["default_left"] if node["missing_type"] == "NaN" else node["threshold"] >= 0)
