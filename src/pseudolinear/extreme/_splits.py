"""Splits of rows with many labels: nothing of rows x labels is dense."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from pseudolinear.kinds import ManyLabels
from pseudolinear.sweep import Split
from pseudolinear.sweep._splits import check_size, draw, is_count, warn_of_missing_labels


def split_labels(
    cv: Any, X: Any, codes: Any, kind: ManyLabels, seed: int, groups: Any = None, **metadata: Any
) -> list[Split]:
    """Turn the parameter `cv` into a list of splits; see :func:`make_splits`.

    Folds share the rows of every label, as of a few labels; a splitter gets the rarest label of
    each row as its class, which a stratified one can share evenly.

    Parameters
    ----------
    cv : int, "holdout", splitter or iterable of splits
        See :class:`MeasureClassifier`.
    X : object
        The rows.
    codes : csc_matrix of shape (n_samples, n_labels)
        0/1.
    kind : ManyLabels
        The kind of problem.
    seed : int
        Seed of the shuffling.
    groups : array-like of shape (n_samples,), default=None
        Rows of one group are never in both parts of a split.
    **metadata
        What else a splitter has requested.

    Returns
    -------
    list of (train, test)
        Row numbers.
    """
    grouped, n_rows = groups is not None, codes.shape[0]
    nothing = np.zeros(n_rows)
    if isinstance(cv, str):
        if cv != "holdout":
            raise ValueError(f"cv must be 'holdout', a number of folds or a splitter, got {cv!r}.")
        splitter, y = kind.holdout(seed, grouped=grouped), nothing
    elif is_count(cv):
        found, what = (len(set(groups)), "groups") if grouped else (n_rows, "rows")
        check_size(int(cv), found, what)
        splitter, y = kind.folds(int(cv), seed, grouped=grouped), nothing if grouped else codes
    else:
        y = rarest_labels(codes)
        splitter = check_cv(cv, y, classifier=True)
    splits = draw(splitter, nothing, y, groups, metadata)
    by_row, some = codes.tocsr(), int((np.diff(codes.indptr) > 0).sum())
    missing = [some - len(np.unique(by_row[train].indices)) for train, _ in splits]
    warn_of_missing_labels(missing, some)
    return splits


def rarest_labels(codes: Any) -> NDArray[np.intp]:
    """Return the rarest label of each row; -1 of a row without any.

    Examples
    --------
    >>> from scipy import sparse
    >>> from pseudolinear.extreme import rarest_labels
    >>> rarest_labels(sparse.csc_matrix([[1, 1], [1, 0], [0, 0]]))
    array([ 1,  0, -1])
    """
    counts = np.diff(codes.indptr)
    rank = np.empty(len(counts), np.intp)
    order = rank.copy()
    order[:] = np.argsort(counts, kind="stable")
    rank[order] = np.arange(len(counts))
    found = np.full(codes.shape[0], len(counts))
    np.minimum.at(found, codes.indices, np.repeat(rank, counts))
    return np.append(order, -1)[found]
