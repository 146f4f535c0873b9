"""At most k labels for every row, of those on its shortlist."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.loops._listed_labels import ascend_listed
from pseudolinear.measures import Measure
from pseudolinear.thresholds._best_labels import (
    MAX_LEVELS,
    MAX_PASSES,
    NEVER,
    check_labels,
    label_average,
)
from pseudolinear.thresholds._expected_ratio import ExpectedRatio


def best_listed_labels(
    probabilities: Any, k: int, measure: str | Measure = "f1_micro"
) -> sparse.csr_matrix:
    """Choose at most k labels for every row as `best_labels` does, of sparse probabilities.

    Parameters
    ----------
    probabilities : sparse matrix of shape (n_samples, n_labels)
        Calibrated probabilities; labels without a stored one have the probability 0.
    k : int
        Most labels of a row.
    measure : str or Measure, default="f1_micro"
        A micro, macro or weighted average.

    Returns
    -------
    csr_matrix of int8, shape (n_samples, n_labels)
        1 where a label is to be predicted.

    Examples
    --------
    >>> P = sparse.csr_array([[0.9, 0.8, 0.3], [0.7, 0.6, 0.1], [0.8, 0.1, 0.2]])
    >>> best_listed_labels(P, k=1, measure="f1_macro").toarray()
    array([[0, 0, 1], [0, 1, 0], [1, 0, 0]], dtype=int8)
    """
    p = sparse.csr_array(probabilities, dtype=np.float64)
    if not ((p.data >= 0) & (p.data <= 1)).all():  # False for NaN
        raise ValueError("probabilities must lie between 0 and 1; check for NaN and for scores.")
    p.data = np.where(p.data < NEVER, 0.0, p.data)
    check_labels(k, p.shape[1], "best_listed_labels")
    ratio: Any = ExpectedRatio.of(label_average(measure, "best_listed_labels"), p)
    chosen = _by_levels(ratio, p, int(k)) if ratio.pooled else _by_ascent(ratio, p, int(k))
    found = sparse.csr_matrix((chosen.astype(np.int8), p.indices, p.indptr), shape=p.shape)
    found.eliminate_zeros()
    return found


def _by_levels(ratio: Any, p: sparse.csr_array, k: int) -> NDArray[np.bool_]:
    """Maximise a pooled ratio: raise the level until no labels exceed it (Dinkelbach 1967)."""
    chosen = _largest(p, p.data, k)
    value = ratio.value(p, _with(p, chosen))
    for _ in range(MAX_LEVELS):
        of_positive, of_row = ratio.slopes(p, _with(p, chosen))
        gains = of_positive[p.indices] * p.data + of_row[p.indices]
        other = _largest(p, gains, k)
        raised = ratio.value(p, _with(p, other))
        if raised <= value:
            break
        chosen, value = other, raised
    return chosen


def _by_ascent(ratio: Any, p: sparse.csr_array, k: int) -> NDArray[np.bool_]:
    """Maximise a mean of ratios from three starts: likely labels, surprising ones, and none."""
    usual = np.maximum(p.mean(axis=0), np.finfo(np.float64).tiny)
    starts = [
        _largest(p, p.data, k),
        _largest(p, p.data / usual[p.indices], k),
        np.zeros(p.nnz, dtype=bool),
    ]
    sides = ratio.above, ratio.below, ratio.zero, ratio.weight
    for chosen in starts:
        ascend_listed(p.indptr, p.indices, p.data, chosen, *sides, k, MAX_PASSES)
    return max(starts, key=lambda chosen: ratio.value(p, _with(p, chosen)))


def _largest(p: sparse.csr_array, gains: NDArray[np.float64], k: int) -> NDArray[np.bool_]:
    """Say which stored gains are among the k largest of their row, and positive."""
    counts = np.diff(p.indptr)
    rows = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((-gains, rows))
    chosen = np.zeros(p.nnz, dtype=bool)
    chosen[order] = np.arange(p.nnz) - np.repeat(p.indptr[:-1], counts) < k
    return chosen & (gains > 0)


def _with(p: sparse.csr_array, chosen: NDArray[np.bool_]) -> sparse.csr_array:
    parts = chosen.astype(np.float64), p.indices, p.indptr
    return sparse.csr_array(parts, shape=p.shape)
