"""Kernels between rows and fixed rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from pseudolinear.persistence.onnx._graph import Graph
from pseudolinear.persistence.onnx._refusal import refuse


def kernel(name: str, graph: Graph, X: str, rows: Any, params: Mapping[str, Any]) -> str:
    """Add the kernel of X with fixed rows, by the same steps as scikit-learn.

    Parameters
    ----------
    name : {"rbf", "poly", "linear"}
        The kernel.
    graph : Graph
        Gets the nodes.
    X : str
        The rows.
    rows : ndarray or sparse matrix of shape (n_fixed, n_columns), or None
        The fixed rows; a precomputed kernel has none.
    params : mapping
        `gamma`, `degree` and `coef0`, as far as the kernel has them.

    Returns
    -------
    str
        Shape (n_samples, n_fixed).
    """
    if name not in ("rbf", "poly", "linear"):
        raise refuse("KernelLearner", f"the kernel {name!r} is computed outside of the model")
    fixed = np.asarray(rows.toarray() if sparse.issparse(rows) else rows, dtype=np.float64)
    products = graph.product(X, fixed.T)
    if name == "linear":
        return products
    if name == "poly":
        inner = graph("Add", graph("Mul", products, float(params["gamma"])), float(params["coef0"]))
        return graph("Pow", inner, float(params["degree"]))
    squares = graph("ReduceSum", graph("Mul", X, X), np.array([1]), keepdims=1)
    apart = graph("Sub", squares, graph("Mul", products, 2.0))
    apart = graph("Max", graph("Add", apart, (fixed**2).sum(axis=1)[None, :]), 0.0)
    return graph("Exp", graph("Mul", apart, -float(params["gamma"])))
