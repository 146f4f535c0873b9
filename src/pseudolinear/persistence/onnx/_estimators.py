"""Classifiers of scikit-learn as nodes; a new one is one more function here."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model._base import LinearClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from pseudolinear.persistence.onnx._forests import add_forest, add_hist_boosting
from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._refusal import refuse, refuse_unknown
from pseudolinear.persistence.onnx._transformers import transform


@singledispatch
def respond(estimator: Any, graph: Graph, X: str) -> str:
    """Add what a fitted classifier says of rows.

    Parameters
    ----------
    estimator : classifier
        Fitted.
    graph : Graph
        Gets the nodes.
    X : str
        The rows.

    Returns
    -------
    str
        Its probabilities, if it has them (of several outputs, the classes of all side by side), or
        its decision function.
    """
    raise refuse_unknown(estimator)


@respond.register
def _pipeline(estimator: Pipeline, graph: Graph, X: str) -> str:
    for _, step in estimator.steps[:-1]:
        X = transform(step, graph, X)
    return respond(estimator.steps[-1][1], graph, X)


@respond.register
def _frozen(estimator: FrozenEstimator, graph: Graph, X: str) -> str:
    return respond(estimator.estimator, graph, X)


@respond.register
def _linear(estimator: LinearClassifierMixin, graph: Graph, X: str) -> str:
    if hasattr(estimator, "predict_proba"):
        raise refuse_unknown(estimator)
    return _decisions(estimator, graph, X)


@respond.register
def _logistic(estimator: LogisticRegression, graph: Graph, X: str) -> str:
    if len(estimator.classes_) == 2:
        return _logistic_function(graph, _decisions(estimator, graph, X))
    if estimator.solver == "liblinear":
        raise refuse("LogisticRegression", "liblinear tells several classes apart one by one")
    return graph("Softmax", _decisions(estimator, graph, X), axis=1)


@respond.register(DecisionTreeClassifier)
def _tree(estimator: DecisionTreeClassifier, graph: Graph, X: str) -> str:
    return add_forest([estimator], graph, X)


@respond.register(RandomForestClassifier)
@respond.register(ExtraTreesClassifier)
def _forest(estimator: Any, graph: Graph, X: str) -> str:
    return add_forest(estimator.estimators_, graph, X)


@respond.register
def _hist_boosting(estimator: HistGradientBoostingClassifier, graph: Graph, X: str) -> str:
    raw = add_hist_boosting(estimator, graph, X)
    if len(estimator.classes_) == 2:
        return _logistic_function(graph, raw)
    return graph("Softmax", raw, axis=1)


def _decisions(estimator: Any, graph: Graph, X: str) -> str:
    return graph.product(X, np.atleast_2d(estimator.coef_).T, estimator.intercept_)


def _logistic_function(graph: Graph, scores: str) -> str:
    """Add the probabilities of both classes, rounded as scikit-learn does."""
    ones = graph("Div", 1.0, graph("Add", graph("Exp", graph("Neg", scores)), 1.0))
    return graph.stack([graph("Sub", 1.0, ones), ones])
