"""Folds that share the rows of every label evenly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pseudolinear.loops import _compile

# The numpy error model spares the tests of every divisor, which are more code than the division.
compiled = _compile.compiled(error_model="numpy")


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
    n_rows, n_labels = labels_ptr.size - 1, indptr.size - 1
    left = np.empty(n_labels, np.int64)
    wanted = np.empty((n_labels, n_folds))
    room = np.empty(n_folds)
    fold = np.empty(n_rows, np.int64)
    for k in range(n_labels):
        left[k] = indptr[k + 1] - indptr[k]
        for j in range(n_folds):
            wanted[k, j] = left[k] / n_folds
    for j in range(n_folds):
        room[j] = n_rows / n_folds
    for row in range(n_rows):
        fold[row] = -1
    for _ in range(n_labels):
        rarest = -1
        for k in range(n_labels):
            if left[k] > 0 and (rarest < 0 or left[k] < left[rarest]):
                rarest = k
        if rarest < 0:
            break
        for i in range(indptr[rarest], indptr[rarest + 1]):
            row = rows[i]
            if fold[row] >= 0:
                continue
            best = 0
            for j in range(1, n_folds):
                lead = wanted[rarest, j] - wanted[rarest, best]
                if lead > 0.0 or (lead == 0.0 and room[j] > room[best]):
                    best = j
            fold[row] = best
            room[best] -= 1.0
            for i_label in range(labels_ptr[row], labels_ptr[row + 1]):
                k = labels[i_label]
                wanted[k, best] -= 1.0
                left[k] -= 1
    for row in range(n_rows):  # rows without any label
        if fold[row] < 0:
            best = 0
            for j in range(1, n_folds):
                if room[j] > room[best]:
                    best = j
            fold[row] = best
            room[best] -= 1.0
    return fold
