"""Rows with a thousand labels that can be learnt, small enough to be quick."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse


def make_rows(n_rows: int = 400, n_labels: int = 1000, seed: int = 0) -> tuple[Any, Any]:
    """Every label goes with one feature, which a tenth of the time it does not show."""
    rng = np.random.default_rng(seed)
    n_features, n_own = 200, 5
    columns = np.argsort(rng.random((n_rows, n_features)), axis=1)[:, :n_own]
    rows = np.repeat(np.arange(n_rows), n_own)
    values = rng.uniform(0.5, 1.0, columns.size)
    X = sparse.csr_matrix((values, (rows, columns.ravel())), shape=(n_rows, n_features))
    feature = np.arange(n_labels) % n_features
    Y = (X != 0).astype(np.int8).tocsc()[:, feature].tocoo()
    kept = rng.random(Y.nnz) < 0.9
    Y = sparse.csr_matrix(
        (Y.data[kept], (Y.row[kept], Y.col[kept])), shape=(n_rows, n_labels), dtype=np.int8
    )
    return X, Y


def draw(n_rows: int = 300, n_labels: int = 6, seed: int = 0, digits: int = 1) -> tuple[Any, Any]:
    """Scores of a few labels that tell something of them."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_rows, n_labels)).round(digits)  # with ties
    Y = rng.random((n_rows, n_labels)) < 1 / (1 + np.exp(3 - 2 * scores))
    Y[:2] = [[True], [False]]
    return scores, sparse.csc_matrix(Y.astype(np.int8))
