"""Transformers of scikit-learn as nodes; a new one is one more function here."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from sklearn.feature_selection._base import SelectorMixin
from sklearn.impute import SimpleImputer
from sklearn.kernel_approximation import Nystroem
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, SplineTransformer, StandardScaler

from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._kernels import kernel
from pseudolinear.persistence.onnx._refusal import refuse, refuse_unknown
from pseudolinear.persistence.onnx._splines import bend


@singledispatch
def transform(transformer: Any, graph: Graph, X: str) -> str:
    """Add what a fitted transformer makes of rows."""
    if transformer is None or (isinstance(transformer, str) and transformer == "passthrough"):
        return X
    raise refuse_unknown(transformer)


@transform.register
def _impute(imputer: SimpleImputer, graph: Graph, X: str) -> str:
    if not (isinstance(imputer.missing_values, float) and np.isnan(imputer.missing_values)):
        raise refuse("SimpleImputer", "it fills in for other values than NaN")
    kept = np.arange(len(imputer.statistics_))
    if not imputer.keep_empty_features:
        kept = np.flatnonzero(~np.isnan(imputer.statistics_))
    own = X if len(kept) == len(imputer.statistics_) else graph.columns(X, kept)
    fill = imputer.statistics_[kept].astype(np.float64)
    filled = graph("Where", graph("IsNaN", own), fill[None, :], own)
    if imputer.indicator_ is None or not len(imputer.indicator_.features_):
        return filled
    gaps = graph("IsNaN", graph.columns(X, imputer.indicator_.features_))
    return graph.stack([filled, graph("Cast", gaps, to=graph.onnx.TensorProto.DOUBLE)])


@transform.register
def _standardise(scaler: StandardScaler, graph: Graph, X: str) -> str:
    if scaler.with_mean:
        X = graph("Sub", X, scaler.mean_[None, :])
    return graph("Div", X, scaler.scale_[None, :]) if scaler.with_std else X


@transform.register
def _divide(scaler: MaxAbsScaler, graph: Graph, X: str) -> str:
    return graph("Div", X, scaler.scale_[None, :])


@transform.register
def _to_range(scaler: MinMaxScaler, graph: Graph, X: str) -> str:
    X = graph("Add", graph("Mul", X, scaler.scale_[None, :]), scaler.min_[None, :])
    low, high = np.asarray(scaler.feature_range, dtype=np.float64)
    return graph("Clip", X, low, high) if scaler.clip else X


@transform.register
def _select(selector: SelectorMixin, graph: Graph, X: str) -> str:
    return graph.columns(X, selector.get_support(indices=True))


@transform.register
def _lift(lift: Nystroem, graph: Graph, X: str) -> str:
    if lift.kernel != "rbf":
        raise refuse("Nystroem", f"its kernel is {lift.kernel!r}, and only 'rbf' is known")
    gamma = 1.0 / lift.components_.shape[1] if lift.gamma is None else lift.gamma
    similarity = kernel("rbf", graph, X, lift.components_, {"gamma": gamma})
    return graph.product(similarity, lift.normalization_.T)


@transform.register
def _bend(splines: SplineTransformer, graph: Graph, X: str) -> str:
    return bend(splines, graph, X)
