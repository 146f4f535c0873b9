"""Kinds of problem as nodes: from scores to labels and probabilities."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._calibration import LEAD
from pseudolinear.kinds import Binary, Kind, Multiclass, Multilabel
from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._refusal import refuse_unknown


@singledispatch
def arrange(kind: Kind, graph: Graph, scores: dict[int, str]) -> str:
    """Add the scores with one column per label or class; those of labels without a model are 0."""
    raise refuse_unknown(kind)


@arrange.register
def _binary_scores(kind: Binary, graph: Graph, scores: dict[int, str]) -> str:
    return scores[0]


@arrange.register
def _multilabel_scores(kind: Multilabel, graph: Graph, scores: dict[int, str]) -> str:
    return graph.arrange(list(scores.values()), list(scores), kind.n_models, 0.0)


@arrange.register
def _multiclass_scores(kind: Multiclass, graph: Graph, scores: dict[int, str]) -> str:
    return graph.columns(scores[0], kind._columns)


@singledispatch
def decide(kind: Kind, graph: Graph, margins: str) -> None:
    """Add the outputs `label` and `decision`, from scores less thresholds."""
    raise refuse_unknown(kind)


@decide.register
def _binary(kind: Binary, graph: Graph, margins: str) -> None:
    lead = graph("Squeeze", margins, np.array([1]))
    _name(graph, kind.code_classes, _as_int(graph, graph("Greater", lead, 0.0)))
    graph.output("decision", lead if kind.positive == 1 else graph("Neg", lead), np.float64)


@decide.register
def _multilabel(kind: Multilabel, graph: Graph, margins: str) -> None:
    graph.output("label", _as_int(graph, graph("Greater", margins, 0.0)), np.int64, kind.n_models)
    graph.output("decision", margins, np.float64, kind.n_models)


@decide.register
def _multiclass(kind: Multiclass, graph: Graph, margins: str) -> None:
    _name(graph, kind.classes, graph("ArgMax", margins, axis=1, keepdims=0))
    if len(kind.classes) > 2:
        return graph.output("decision", margins, np.float64, len(kind.classes))
    lead = graph("Sub", graph.columns(margins, [1]), graph.columns(margins, [0]))
    return graph.output("decision", graph("Squeeze", lead, np.array([1])), np.float64)


@singledispatch
def say_probability(kind: Kind, graph: Graph, log_odds: str, margins: str | None) -> None:
    """Add the output `probability`; with margins it agrees with them."""
    raise refuse_unknown(kind)


@say_probability.register
def _binary_probability(kind: Binary, graph: Graph, log_odds: str, margins: str | None) -> None:
    positive = _of_labels(graph, log_odds, margins)
    both = [graph("Sub", 1.0, positive), positive][:: 1 if kind.positive == 1 else -1]
    graph.output("probability", graph.stack(both), np.float64, 2)


@say_probability.register
def _multilabel_probability(
    kind: Multilabel, graph: Graph, log_odds: str, margins: str | None
) -> None:
    found = _of_labels(graph, log_odds, margins)
    graph.output("probability", found, np.float64, kind.n_models)


@say_probability.register
def _multiclass_probability(
    kind: Multiclass, graph: Graph, log_odds: str, margins: str | None
) -> None:
    n_classes = len(kind.classes)
    found = graph("Softmax", log_odds, axis=1)
    if margins is not None:
        number = graph("ArgMax", margins, axis=1, keepdims=0)
        predicted = graph("Gather", np.eye(n_classes), number, axis=0)
        own = graph("ReduceSum", graph("Mul", found, predicted), np.array([1]))
        missing = graph("Sub", graph("ReduceMax", found, np.array([1])), own)
        share = graph("Div", graph("Add", missing, LEAD), graph("Add", missing, 1.0))
        share = graph("Where", graph("Greater", missing, 0.0), share, 0.0)
        rest = graph("Mul", graph("Sub", 1.0, share), found)
        found = graph("Add", rest, graph("Mul", share, predicted))
    graph.output("probability", found, np.float64, n_classes)


def _of_labels(graph: Graph, log_odds: str, margins: str | None) -> str:
    found = graph("Sigmoid", log_odds)
    if margins is None:
        return found
    above, below = graph("Max", found, 0.5 + LEAD), graph("Min", found, 0.5 - LEAD)
    return graph("Where", graph("Greater", margins, 0.0), above, below)


def _name(graph: Graph, classes: NDArray[Any], numbers: str) -> None:
    """Add the names of classes: integers, floats and booleans as they are, others as strings."""
    kinds = {"i": np.int64, "u": np.int64, "f": np.float64, "b": np.bool_}
    dtype = kinds.get(classes.dtype.kind, np.object_)
    if dtype is np.object_:
        classes = np.array([str(name) for name in classes.tolist()], dtype=object)
    graph.output("label", graph("Gather", classes.astype(dtype), numbers, axis=0), dtype)


def _as_int(graph: Graph, tensor: str) -> str:
    return graph("Cast", tensor, to=graph.onnx.TensorProto.INT64)
