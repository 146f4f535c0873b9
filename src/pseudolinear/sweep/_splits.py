"""Splits: which rows train and which validate."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from pseudolinear.kinds import Kind
from pseudolinear.sweep._rows import Split


def make_splits(
    cv: Any,
    X: Any,
    codes: NDArray[Any],
    kind: Kind,
    seed: int,
    groups: Any = None,
    **metadata: Any,
) -> list[Split]:
    """Turn the parameter `cv` into a list of splits.

    Parameters
    ----------
    cv : int, "holdout", "prefit", splitter or iterable of splits
        See :class:`MeasureClassifier`.
    X : array-like of shape (n_samples, n_features)
        The rows.
    codes : ndarray of shape (n_samples, n_labels)
        Labels or classes, which the splits share evenly where they can.
    kind : Kind
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
    if isinstance(cv, str) and cv == "prefit":
        every = np.arange(len(codes))
        return [(every, every)]  # nothing is trained, so no row has to be held out
    if isinstance(cv, str) and cv != "holdout":
        raise ValueError(
            f"cv must be 'holdout', 'prefit', a number of folds or a splitter, got {cv!r}."
        )
    y = kind.stratify_by(codes)
    if isinstance(cv, str):
        splitter = kind.holdout(seed, grouped=groups is not None)
    elif isinstance(cv, Integral) and not isinstance(cv, bool):
        _check_folds(int(cv), y, groups)
        splitter = kind.folds(int(cv), seed, grouped=groups is not None)
    else:
        splitter = check_cv(cv, y, classifier=True)
    splits = list(splitter.split(X, y, groups=groups, **metadata))
    if not splits:
        raise ValueError("cv gives no split; at least one is needed to choose on.")
    _warn_of_missing_labels(kind.indicators(codes), splits)
    return splits


def _check_folds(n_folds: int, y: NDArray[Any], groups: Any) -> None:
    """Refuse more folds than there is something to put into."""
    what, found = ("rows", len(y)) if groups is None else ("groups", len(set(groups)))
    if found >= n_folds and groups is None and y.ndim == 1:
        what, found = "rows of some class", int(np.unique(y, return_counts=True)[1].max())
    if found < n_folds:
        raise ValueError(
            f"{n_folds} folds need at least {n_folds} {what}, and there are {found}; add some."
        )


def fold_shares(
    splits: Sequence[Split], sample_weight: NDArray[np.float64] | None
) -> tuple[float, ...]:
    """Return the weight of each fold, relative to that of all validation rows, each taken once.

    Examples
    --------
    >>> rows = np.arange(6)
    >>> fold_shares([(rows[3:], rows[:3]), (rows[:3], rows[3:])], None)
    (0.5, 0.5)
    """
    tests = [test for _, test in splits]
    every = np.unique(np.concatenate(tests))
    weight = np.ones(every[-1] + 1) if sample_weight is None else sample_weight
    return tuple(float(weight[test].sum() / weight[every].sum()) for test in tests)


def _warn_of_missing_labels(indicators: NDArray[Any], splits: list[Split]) -> None:
    some = indicators.any(axis=0)
    missing = sum(int((~indicators[train][:, some].any(axis=0)).sum()) for train, _ in splits)
    if missing:
        warnings.warn(
            f"In {missing} of {len(splits) * int(some.sum())} folds and labels no training row "
            "carries the label, so nothing can be learnt there; use fewer folds or add rows.",
            stacklevel=5,
        )
