"""Folds that share the rows of every label evenly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pseudolinear.loops._compile import compiled


@compiled
def iterative_folds(
    indptr: NDArray[np.int64],
    rows: NDArray[np.int64],
    labels_ptr: NDArray[np.int64],
    labels: NDArray[np.int64],
    n_folds: int,
) -> NDArray[np.int64]:
    """Deal rows to folds, the rarest label first (Sechidis, Tsoumakas and Vlahavas 2011).

    Parameters
    ----------
    indptr, rows : ndarray
        Rows of each label, as in the CSC format.
    labels_ptr, labels : ndarray
        Labels of each row, as in the CSR format.
    n_folds : int
        Number of folds.

    Returns
    -------
    ndarray of shape (n_rows,)
        Fold of each row.
    """
    n_rows, n_labels = len(labels_ptr) - 1, len(indptr) - 1
    left = np.diff(indptr)
    wanted = np.empty((n_labels, n_folds))
    for k in range(n_labels):
        wanted[k] = left[k] / n_folds
    room = np.full(n_folds, n_rows / n_folds)
    fold = np.full(n_rows, -1, np.int64)
    for _ in range(n_labels):
        rarest = -1
        for k in range(n_labels):
            if left[k] > 0 and (rarest < 0 or left[k] < left[rarest]):
                rarest = k
        if rarest < 0:
            break
        for row in rows[indptr[rarest] : indptr[rarest + 1]]:
            if fold[row] >= 0:
                continue
            best = 0
            for j in range(1, n_folds):
                lead = wanted[rarest, j] - wanted[rarest, best]
                if lead > 0 or (lead == 0 and room[j] > room[best]):
                    best = j
            fold[row] = best
            room[best] -= 1
            for k in labels[labels_ptr[row] : labels_ptr[row + 1]]:
                wanted[k, best] -= 1
                left[k] -= 1
    for row in range(n_rows):  # rows without any label
        if fold[row] < 0:
            fold[row] = np.argmax(room)
            room[fold[row]] -= 1
    return fold
