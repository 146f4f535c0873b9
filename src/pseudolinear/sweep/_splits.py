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
        _check_holdout(y, groups)
        splitter = kind.holdout(seed, grouped=groups is not None)
    elif is_count(cv):
        _check_folds(int(cv), y, groups)
        splitter = kind.folds(int(cv), seed, grouped=groups is not None)
    else:
        splitter = check_cv(cv, y, classifier=True)
    with warnings.catch_warnings():  # what is done about few rows is said below
        warnings.filterwarnings("ignore", message="The least populated class")
        splits = draw(splitter, X, y, groups, metadata)
    _warn_of_few_rows(y, len(splits))
    indicators = kind.indicators(codes)
    some = indicators.any(axis=0)
    missing = [int((~indicators[train][:, some].any(axis=0)).sum()) for train, _ in splits]
    warn_of_missing_labels(missing, int(some.sum()))
    return splits


def is_count(cv: Any) -> bool:
    """Return whether the parameter `cv` is a number of folds.

    Examples
    --------
    >>> is_count(3), is_count(True), is_count("holdout")
    (True, False, False)
    """
    return isinstance(cv, Integral) and not isinstance(cv, bool)


def draw(splitter: Any, X: Any, y: Any, groups: Any, metadata: dict[str, Any]) -> list[Split]:
    """Return the splits of a splitter, of which there must be one."""
    splits = list(splitter.split(X, y, groups=groups, **metadata))
    if not splits:
        raise ValueError("cv gives no split; at least one is needed to choose on.")
    return splits


def check_size(n_folds: int, found: int, what: str) -> None:
    """Refuse more folds than there is something to put into."""
    if found < n_folds:
        raise ValueError(
            f"{n_folds} folds need at least {n_folds} {what}, and there are {found}; add some."
        )


def _check_folds(n_folds: int, y: NDArray[Any], groups: Any) -> None:
    if groups is not None:
        check_size(n_folds, len(set(groups)), "groups")
        return
    check_size(n_folds, len(y), "rows")
    if y.ndim == 1:
        largest = int(np.unique(y, return_counts=True)[1].max())
        check_size(n_folds, largest, "rows of some class")


def _check_holdout(y: NDArray[Any], groups: Any) -> None:
    """Refuse a class that cannot be on both sides."""
    if groups is None and y.ndim == 1 and np.unique(y, return_counts=True)[1].min() < 2:
        raise ValueError(
            "cv='holdout' needs at least two rows of every class, and one has a single row; add "
            "rows, or take folds, as in cv=3."
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
    every = np.flatnonzero(np.bincount(np.concatenate(tests)))
    weight = np.ones(every[-1] + 1) if sample_weight is None else sample_weight
    return tuple(float(weight[test].sum() / weight[every].sum()) for test in tests)


def _warn_of_few_rows(y: NDArray[Any], n_splits: int) -> None:
    """Say that a class is too rare for every fold to hold some of it."""
    fewest = int(np.unique(y, return_counts=True)[1].min()) if y.ndim == 1 else n_splits
    if fewest < n_splits:
        rows = "only 1 row" if fewest == 1 else f"only {fewest} rows"
        warnings.warn(
            f"The rarest class has {rows}, fewer than the {n_splits} folds: some validate without "
            "it, so the estimate rests on the others, and is rough.",
            stacklevel=5,
        )


def warn_of_missing_labels(missing: Sequence[int], n_labels: int) -> None:
    """Say that labels cannot be learnt in some folds, which miss so many of them."""
    if any(missing):
        warnings.warn(
            f"In {sum(missing)} of {len(missing) * n_labels} folds and labels no training row "
            "carries the label, so nothing can be learnt there; use fewer folds or add rows.",
            stacklevel=5,
        )
