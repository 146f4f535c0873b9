"""Splits: which rows train and which validate."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.model_selection import ShuffleSplit, StratifiedKFold, StratifiedShuffleSplit, check_cv

from pseudolinear._kernels._stratification import iterative_folds
from pseudolinear._targets import Targets
from pseudolinear._training import Split


class IterativeKFold:
    """Folds that share the rows of every label evenly, for multilabel problems.

    Rows are dealt label by label, the rarest first, each to the fold that lacks the label most
    (Sechidis, Tsoumakas and Vlahavas 2011). A label with at least as many rows as there are folds
    is then in nearly every fold, where random folds often miss it.

    Parameters
    ----------
    n_splits : int, default=3
        Number of folds.
    random_state : int, default=None
        Seed of the order in which rows are dealt.

    Examples
    --------
    >>> Y = np.eye(4, dtype=int)[[0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]]
    >>> [Y[test].sum(axis=0).tolist() for _, test in IterativeKFold(random_state=0).split(Y, Y)]
    [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]
    """

    def __init__(self, n_splits: int = 3, *, random_state: int | None = None) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[Split]:
        """Yield the row numbers of each fold.

        Parameters
        ----------
        X : object
            Not looked at.
        y : array-like of shape (n_samples, n_labels)
            0/1 labels.
        groups : object
            Not looked at.

        Yields
        ------
        train, test : ndarray of int
            Row numbers.
        """
        fold = self._folds(np.asarray(y))
        for k in range(self.n_splits):
            yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)

    def _folds(self, y: NDArray[Any]) -> NDArray[np.int64]:
        if not 2 <= self.n_splits <= len(y):
            raise ValueError(
                f"IterativeKFold: {self.n_splits} folds of {len(y)} rows are not possible; the "
                "number of folds must lie between 2 and the number of rows."
            )
        order = np.random.RandomState(self.random_state).permutation(len(y))
        by_row = sparse.csr_matrix(y[order])
        by_label = by_row.tocsc()
        rows = [a.astype(np.int64) for a in (by_label.indptr, by_label.indices)]
        labels = [a.astype(np.int64) for a in (by_row.indptr, by_row.indices)]
        fold = np.empty(len(y), dtype=np.int64)
        fold[order] = iterative_folds(rows[0], rows[1], labels[0], labels[1], self.n_splits)
        return fold


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
