"""Splits: which rows train and which validate."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedKFold, StratifiedShuffleSplit, check_cv

from pseudolinear.kinds._targets import Targets
from pseudolinear.sweep._iterative_folds import IterativeKFold
from pseudolinear.sweep._training import Split


def make_splits(cv: Any, X: Any, targets: Targets, seed: int) -> list[Split]:
    """Turn the parameter `cv` into a list of splits.

    Parameters
    ----------
    cv : int, "holdout", splitter or iterable of splits
        See :class:`MeasureClassifier`.
    X : array-like of shape (n_samples, n_features)
        The rows.
    targets : Targets
        Stratified by, unless a third of a multilabel problem is held out.
    seed : int
        Seed of the shuffling.

    Returns
    -------
    list of (train, test)
        Row numbers.
    """
    several = targets.kind == "multilabel"
    y = targets.codes if several or targets.codes.ndim == 1 else targets.codes[:, 0]
    if isinstance(cv, str) and cv != "holdout":
        raise ValueError(f"cv must be 'holdout', a number of folds or a splitter, got {cv!r}.")
    if isinstance(cv, str):
        splitter = (ShuffleSplit if several else StratifiedShuffleSplit)(
            1, test_size=1 / 3, random_state=seed
        )
    elif isinstance(cv, Integral) and not isinstance(cv, bool):
        splitter = (
            IterativeKFold(int(cv), random_state=seed)
            if several
            else StratifiedKFold(int(cv), shuffle=True, random_state=seed)
        )
    else:
        splitter = check_cv(cv, y, classifier=True)
    splits = list(splitter.split(X, y))
    if not splits:
        raise ValueError("cv gives no split; at least one is needed to choose on.")
    _warn_of_empty_folds(targets, splits)
    return splits


def _warn_of_empty_folds(targets: Targets, splits: list[Split]) -> None:
    codes = targets.codes
    if codes.ndim == 1:
        codes = codes[:, None] == np.arange(targets.order.size)
    some = codes.any(axis=0)
    missing = sum(int((~codes[train][:, some].any(axis=0)).sum()) for train, _ in splits)
    if missing:
        warnings.warn(
            f"In {missing} of {len(splits) * int(some.sum())} folds and labels no training row "
            "carries the label, so nothing can be learnt there; use fewer folds or add rows.",
            stacklevel=4,
        )
