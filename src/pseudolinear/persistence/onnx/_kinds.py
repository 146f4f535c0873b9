"""Kinds of problem as nodes: from scores to labels."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.kinds import Binary, Kind, Multiclass, Multilabel
from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._refusal import refuse_unknown


@singledispatch
def decide(kind: Kind, graph: Graph, scores: dict[int, str], threshold: Any) -> None:
    """Add the outputs `label` and `decision`.

    Parameters
    ----------
    kind : Kind
        The kind of problem.
    graph : Graph
        Gets the nodes.
    scores : dict of int to str
        Scores of every label that has a model.
    threshold : float or ndarray
        What is subtracted.
    """
    raise refuse_unknown(kind)


@decide.register
def _binary(kind: Binary, graph: Graph, scores: dict[int, str], threshold: Any) -> None:
    margins = graph("Sub", graph("Squeeze", scores[0], np.array([1])), float(threshold))
    positive = _as_int(graph, graph("Greater", margins, 0.0))
    _name(graph, kind.code_classes, positive)
    signed = margins if kind.positive == 1 else graph("Neg", margins)
    graph.output("decision", signed, np.float64)


@decide.register
def _multilabel(kind: Multilabel, graph: Graph, scores: dict[int, str], threshold: Any) -> None:
    columns = graph.arrange(list(scores.values()), list(scores), kind.n_models, 0.0)
    margins = graph("Sub", columns, np.asarray(threshold)[None, :])
    graph.output("label", _as_int(graph, graph("Greater", margins, 0.0)), np.int64, kind.n_models)
    graph.output("decision", margins, np.float64, kind.n_models)


@decide.register
def _multiclass(kind: Multiclass, graph: Graph, scores: dict[int, str], threshold: Any) -> None:
    columns = graph.columns(scores[0], kind._columns)
    margins = graph("Sub", columns, np.asarray(threshold)[None, :])
    _name(graph, kind.classes, graph("ArgMax", margins, axis=1, keepdims=0))
    if len(kind.classes) > 2:
        return graph.output("decision", margins, np.float64, len(kind.classes))
    lead = graph("Sub", graph.columns(margins, [1]), graph.columns(margins, [0]))
    return graph.output("decision", graph("Squeeze", lead, np.array([1])), np.float64)


def _name(graph: Graph, classes: NDArray[Any], numbers: str) -> None:
    """Add the names of classes: integers, floats and booleans as they are, others as strings."""
    kinds = {"i": np.int64, "u": np.int64, "f": np.float64, "b": np.bool_}
    dtype = kinds.get(classes.dtype.kind, np.object_)
    if dtype is np.object_:
        classes = np.array([str(name) for name in classes.tolist()], dtype=object)
    graph.output("label", graph("Gather", classes.astype(dtype), numbers, axis=0), dtype)


def _as_int(graph: Graph, tensor: str) -> str:
    return graph("Cast", tensor, to=graph.onnx.TensorProto.INT64)
