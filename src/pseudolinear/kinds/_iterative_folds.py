"""IterativeKFold: folds that share the rows of every label evenly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.loops._stratification import iterative_folds


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

    def __repr__(self) -> str:
        return f"IterativeKFold(n_splits={self.n_splits!r}, random_state={self.random_state!r})"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits

    def split(
        self, X: Any, y: Any, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
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
        fold = self._folds(y if sparse.issparse(y) else np.asarray(y))
        for k in range(self.n_splits):
            yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)

    def _folds(self, y: Any) -> NDArray[np.int64]:
        n_rows = y.shape[0]
        if not 2 <= self.n_splits <= n_rows:
            raise ValueError(
                f"IterativeKFold: {self.n_splits} folds of {n_rows} rows are not possible; the "
                "number of folds must lie between 2 and the number of rows."
            )
        order = np.random.RandomState(self.random_state).permutation(n_rows)
        by_row = sparse.csr_matrix(y)[order]
        by_label = by_row.tocsc()
        rows = [a.astype(np.int64) for a in (by_label.indptr, by_label.indices)]
        labels = [a.astype(np.int64) for a in (by_row.indptr, by_row.indices)]
        fold = np.empty(n_rows, dtype=np.int64)
        fold[order] = iterative_folds(rows[0], rows[1], labels[0], labels[1], self.n_splits)
        return fold
