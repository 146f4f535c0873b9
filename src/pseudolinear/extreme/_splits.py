"""Splits of rows with many labels: nothing of rows x labels is dense."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from pseudolinear.kinds import ManyLabels

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


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
    if isinstance(cv, str):
        if cv != "holdout":
            raise ValueError(f"cv must be 'holdout', a number of folds or a splitter, got {cv!r}.")
        splitter, y = kind.holdout(seed, grouped=grouped), np.zeros(n_rows)
    elif isinstance(cv, Integral) and not isinstance(cv, bool):
        most = len(set(groups)) if grouped else n_rows
        if most < int(cv):
            what = "groups" if grouped else "rows"
            raise ValueError(f"{cv} folds need at least {cv} {what}, and there are {most}.")
        splitter, y = kind.folds(int(cv), seed, grouped=grouped), codes
    else:
        y = rarest_labels(codes)
        splitter = check_cv(cv, y, classifier=True)
    if grouped:
        y = np.zeros(n_rows) if y is codes else y
    splits = list(splitter.split(np.zeros(n_rows), y, groups=groups, **metadata))
    if not splits:
        raise ValueError("cv gives no split; at least one is needed to choose on.")
    _warn_of_missing_labels(codes, splits)
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


def _warn_of_missing_labels(codes: Any, splits: list[Split]) -> None:
    by_row, some = codes.tocsr(), int((np.diff(codes.indptr) > 0).sum())
    missing = sum(some - len(np.unique(by_row[train].indices)) for train, _ in splits)
    if missing:
        warnings.warn(
            f"In {missing} of {len(splits) * some} folds and labels no training row carries the "
            "label, so nothing can be learnt there; use fewer folds or add rows.",
            stacklevel=6,
        )
