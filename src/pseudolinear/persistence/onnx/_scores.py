"""Scores of classifiers: log-odds or log-probabilities, as `learners/_scoring.py` has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._problem import LabelProblem, Problem
from pseudolinear.learners._scoring import CERTAIN
from pseudolinear.persistence.onnx._estimators import respond
from pseudolinear.persistence.onnx._graph import Graph


def class_scores(estimator: Any, graph: Graph, X: str, limit: float = CERTAIN) -> str:
    """Add the scores of the classes: shape (n_samples, n_classes)."""
    said = respond(estimator, graph, X)
    if hasattr(estimator, "predict_proba"):
        return graph("Max", graph("Log", said), -limit)
    if len(estimator.classes_) > 2:
        return said
    return graph.stack([graph("Mul", said, -0.5), graph("Mul", said, 0.5)])


def label_scores(
    estimator: Any, graph: Graph, X: str, n_labels: int, limit: float = CERTAIN
) -> str:
    """Add the scores of the labels: shape (n_samples, n_labels)."""
    said = respond(estimator, graph, X)
    if not hasattr(estimator, "predict_proba"):
        return said
    classes = [estimator.classes_] if n_labels == 1 else estimator.classes_
    ends = np.cumsum([len(own) for own in classes])
    both = [label for label, own in enumerate(classes) if len(own) == 2]
    never = [label for label, own in enumerate(classes) if len(own) < 2 and not own[0]]
    ones = graph.arrange([graph.columns(said, ends[both] - 1)], both, n_labels, 1.0)
    if never:  # labels of one value have the probability 1 or 0
        ones = graph("Mul", ones, np.isin(np.arange(n_labels), never, invert=True).astype(float))
    odds = graph("Sub", graph("Log", ones), graph("Log", graph("Sub", 1.0, ones)))
    return graph("Clip", odds, -limit, limit)


def place(graph: Graph, scores: str, present: NDArray[np.intp], n_classes: int) -> str:
    """Add the scores of some classes where all have their place; the others are impossible."""
    return graph.arrange([scores], present.tolist(), n_classes, -CERTAIN)


def join(problem: Problem, graph: Graph, scores: str) -> str:
    """Add the scores of a problem made from those of its classes."""
    if isinstance(problem, LabelProblem):
        return graph("Sub", graph.columns(scores, [1]), graph.columns(scores, [0]))
    return scores
