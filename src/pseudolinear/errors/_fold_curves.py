"""Curves of many columns of scores in every fold and in all folds together, in one pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import check_weights
from pseudolinear.errors._curve import POWERS
from pseudolinear.errors._curves import ErrorCurves
from pseudolinear.loops._outlines import fold_outlines, weighted_fold_outlines


def fold_curves(
    scores: NDArray[np.float64],
    truth: NDArray[np.bool_],
    owner: NDArray[np.intp],
    sizes: Sequence[int],
    sample_weight: NDArray[np.float64] | None = None,
) -> ErrorCurves:
    """Cut many columns of scores, in every fold and in all folds together.

    Every fold of a column is sorted once, and the folds are merged. Columns do not depend on each
    other, and neither sorting nor the loops hold Python's lock.

    Parameters
    ----------
    scores : ndarray of shape (n_columns, n_rows)
        Finite scores, the rows of one fold after those of another; sorted in place.
    truth : ndarray of bool, shape (n_labels, n_rows)
        Which rows are positive.
    owner : ndarray of int, shape (n_columns,)
        Which label each column scores.
    sizes : sequence of int
        Number of rows of each fold.
    sample_weight : ndarray of shape (n_rows,), default=None
        Weight of each row.

    Returns
    -------
    ErrorCurves
        The cuts that :meth:`ErrorCurve.outline` keeps. Of several folds, each column has a curve of
        all folds together, and then one of every fold; of a single one it has one.

    Examples
    --------
    >>> truth = np.array([[False, True, False, True]])
    >>> scores = np.array([[0.1, 0.8, 0.4, 0.3], [1.0, 3.0, 2.0, 4.0]])
    >>> curves = fold_curves(scores, truth, np.array([0, 0]), [2, 2])
    >>> len(curves), curves[0].fn[:, 0]
    (6, array([0.25, 0.25, 0.  , 0.  ]))
    """
    if not np.isfinite(scores).all():
        raise ValueError("y_score contains NaN or infinity; every row needs a finite score.")
    ends = np.cumsum(sizes)
    if sample_weight is None:
        positives = _sorted_positives(scores, truth, owner, ends)
        for own in np.split(scores, ends[:-1], axis=1):
            own.sort(axis=1)
        found = fold_outlines(scores, ends, *positives, owner, POWERS)
    else:
        for own in np.split(sample_weight, ends[:-1]):
            check_weights(own, len(own))
        some = sample_weight > 0
        if not some.all():  # rows without weight make no cuts
            scores, truth, sample_weight = scores[:, some], truth[:, some], sample_weight[some]
            ends = np.cumsum([np.count_nonzero(own) for own in np.split(some, ends[:-1])])
        folds = zip(np.split(scores, ends[:-1], axis=1), [0, *ends[:-1]], strict=True)
        order = np.concatenate([np.argsort(own, axis=1) + first for own, first in folds], axis=1)
        found = weighted_fold_outlines(scores, order, ends, truth, owner, sample_weight, POWERS)
    starts, prevalence, out = found
    thresholds, fn, fp = out[:, : starts[-1]].copy()
    return ErrorCurves(starts, thresholds, fn, fp, prevalence)


def _sorted_positives(
    scores: NDArray[np.float64],
    truth: NDArray[np.bool_],
    owner: NDArray[np.intp],
    ends: NDArray[np.intp],
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Sort the scores of the positive rows, which tell the classes of sorted scores.

    Returns
    -------
    starts : ndarray of shape (n_columns,)
        Where those of each column begin.
    pos_ends : ndarray of shape (n_labels, n_folds)
        Positive rows of each label up to the end of a fold.
    positives : ndarray
        The scores.
    """
    pos_ends = np.ascontiguousarray(np.cumsum(truth, axis=1, dtype=np.intp)[:, ends - 1])
    size = pos_ends[owner, -1]
    starts = np.empty(len(owner), dtype=np.intp)
    by_label = np.argsort(owner, kind="stable")  # columns of one label are sorted together
    starts[by_label] = np.cumsum(size[by_label]) - size[by_label]
    positives = np.empty(size.sum())
    for columns in np.split(by_label, np.flatnonzero(np.diff(owner[by_label])) + 1):
        label = owner[columns[0]]
        own = scores[np.ix_(columns, np.flatnonzero(truth[label]))]
        for part in np.split(own, pos_ends[label, :-1], axis=1):
            part.sort(axis=1)
        positives[starts[columns[0]] :][: own.size] = own.ravel()
    return starts, pos_ends, positives
