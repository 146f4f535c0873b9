"""Models as nodes; a new learner is one more function here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from pseudolinear.learners import (
    BoostingLearner,
    EstimatorLearner,
    JointLearner,
    KernelLearner,
    LinearLearner,
    PrefitLearner,
)
from pseudolinear.learners._native import ClassModel
from pseudolinear.learners._prefit import SMALLEST
from pseudolinear.learners._scoring import CERTAIN
from pseudolinear.persistence.onnx._boosters import add_booster
from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._kernels import kernel
from pseudolinear.persistence.onnx._refusal import refuse_unknown
from pseudolinear.persistence.onnx._scores import class_scores, join, label_scores, place


@singledispatch
def score(learner: Any, graph: Graph, models: Sequence[Any], X: str) -> list[str]:
    """Add the scores of several models of one learner.

    Parameters
    ----------
    learner : Learner
        What made the models.
    graph : Graph
        Gets the nodes.
    models : sequence of Model
        The models.
    X : str
        The rows, as the learner likes them.

    Returns
    -------
    list of str
        Of each model one column, or one per class.
    """
    raise refuse_unknown(learner)


@score.register
def _linear(learner: LinearLearner, graph: Graph, models: Sequence[Any], X: str) -> list[str]:
    each = [model.models if isinstance(model, ClassModel) else [model] for model in models]
    flat = [one for own in each for one in own]
    weights = np.stack([one.coef for one in flat], axis=1)
    scores = graph.product(X, weights, [one.intercept for one in flat])
    return _split(graph, scores, [len(own) for own in each])


@score.register
def _kernel(learner: KernelLearner, graph: Graph, models: Sequence[Any], X: str) -> list[str]:
    return [
        graph.stack([_machine(graph, one, X) for one in model.models])
        if isinstance(model, ClassModel)
        else _machine(graph, model, X)
        for model in models
    ]


@score.register
def _boosting(learner: BoostingLearner, graph: Graph, models: Sequence[Any], X: str) -> list[str]:
    return [_boosted(graph, model, X) for model in models]


@score.register
def _estimator(learner: EstimatorLearner, graph: Graph, models: Sequence[Any], X: str) -> list[str]:
    return [_fitted(graph, model, X) for model in models]


@score.register
def _joint(learner: JointLearner, graph: Graph, models: Sequence[Any], X: str) -> list[str]:
    distinct = {id(model.estimator): model for model in models}
    known = {
        key: label_scores(one.estimator, graph, X, one.n_labels) for key, one in distinct.items()
    }
    return [graph.columns(known[id(model.estimator)], [model.column]) for model in models]


@score.register
def _prefit(learner: PrefitLearner, graph: Graph, models: Sequence[Any], X: str) -> list[str]:
    n_labels = models[0].n_labels
    if n_labels > 1:
        labels = label_scores(learner.estimator, graph, X, n_labels, SMALLEST)
        return [graph.columns(labels, [model.problem.label]) for model in models]
    classes = class_scores(learner.estimator, graph, X, SMALLEST)
    wanted = [(model.problem, learner._columns(model.problem)) for model in models]
    return [join(problem, graph, graph.columns(classes, own)) for problem, own in wanted]


def _machine(graph: Graph, model: Any, X: str) -> str:
    """Add the scores of a support vector machine; rows that do not support it are left out."""
    support = np.flatnonzero(model.dual_coef)
    params = model.learner.get_params()
    rows = None if model.rows is None else model.rows[support]
    similarity = kernel(model.learner.kernel, graph, X, rows, params)
    return graph.product(similarity, model.dual_coef[support][:, None], model.intercept)


def _boosted(graph: Graph, model: Any, X: str) -> str:
    """Add the scores of boosted trees: log-odds, or log-probabilities of the classes."""
    if model.n_classes == 1:
        if model.booster is None:
            return graph.repeat(np.array([CERTAIN if model.present[0] else -CERTAIN]), X)
        return add_booster(model.booster, graph, X)
    if model.booster is None:
        return _only(graph, model.present, model.n_classes, X)
    raw = add_booster(model.booster, graph, X)
    if len(model.present) == 2:
        raw = graph.stack([graph("Mul", raw, -0.5), graph("Mul", raw, 0.5)])
    logs = graph("Max", graph("LogSoftmax", raw, axis=1), -CERTAIN)
    return place(graph, logs, model.present, model.n_classes)


def _fitted(graph: Graph, model: Any, X: str) -> str:
    """Add the scores of a classifier of scikit-learn."""
    n_classes = len(model.problem.costs)
    if model.estimator is None:
        return join(model.problem, graph, _only(graph, model.present, n_classes, X))
    scores = class_scores(model.estimator, graph, X)
    return join(model.problem, graph, place(graph, scores, model.present, n_classes))


def _only(graph: Graph, present: Any, n_classes: int, X: str) -> str:
    """Add the scores where training rows had one class, the only one that is possible."""
    row = np.full(n_classes, -CERTAIN)
    row[present] = 0.0
    return graph.repeat(row, X)


def _split(graph: Graph, scores: str, sizes: list[int]) -> list[str]:
    """Give every model its columns."""
    if len(sizes) == 1:
        return [scores]
    ends = np.cumsum(sizes)
    return [
        graph.columns(scores, np.arange(end - size, end))
        for end, size in zip(ends, sizes, strict=True)
    ]
