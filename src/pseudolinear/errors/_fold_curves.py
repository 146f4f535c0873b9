"""Curves of many columns of scores in every fold and in all folds together, in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import check_weights
from pseudolinear.errors._curve import LIMITS
from pseudolinear.errors._curves import ErrorCurves, clear_ends
from pseudolinear.loops._outlines import outlines, weighted_outlines


def fold_curves(
    scores: NDArray[np.float64],
    truth: NDArray[np.bool_],
    owner: NDArray[np.intp],
    sizes: Sequence[int],
    sample_weight: NDArray[np.float64] | None = None,
) -> tuple[ErrorCurves, ErrorCurves]:
    """Cut many columns of scores, in every fold and in all folds together.

    Every fold of a column is sorted, and then all of them together. Columns do not depend on each
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
    together : ErrorCurves
        The cuts that :meth:`ErrorCurve.outline` keeps, of all rows of each column.
    by_fold : ErrorCurves
        Those of every fold of the first column, then those of the next.

    Examples
    --------
    >>> truth = np.array([[False, True, False, True]])
    >>> scores = np.array([[0.1, 0.8, 0.4, 0.3], [1.0, 3.0, 2.0, 4.0]])
    >>> together, by_fold = fold_curves(scores, truth, np.array([0, 0]), [2, 2])
    >>> len(together), len(by_fold), together[0].fn[:, 0]
    (2, 4, array([0.25, 0.25, 0.  , 0.  ]))
    """
    if not np.isfinite(scores).all():
        raise ValueError("y_score contains NaN or infinity; every row needs a finite score.")
    ends = np.cumsum(sizes)
    if sample_weight is None:
        found = _plain(np.ascontiguousarray(scores), truth, owner, ends)
    else:
        for own in np.split(sample_weight, ends[:-1]):
            check_weights(own, len(own))
        some = sample_weight > 0
        if not some.all():  # rows without weight make no cuts
            scores, truth, sample_weight = scores[:, some], truth[:, some], sample_weight[some]
            ends = np.cumsum([np.count_nonzero(own) for own in np.split(some, ends[:-1])])
        found = _weighted(np.ascontiguousarray(scores), truth, owner, ends, sample_weight)
    return found[-1], found[0]


def _parts(ends: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return the ends of the folds, and then that of all rows together."""
    return [ends] if len(ends) == 1 else [ends, ends[-1:]]


def _plain(
    scores: NDArray[np.float64],
    truth: NDArray[np.bool_],
    owner: NDArray[np.intp],
    ends: NDArray[np.intp],
) -> list[ErrorCurves]:
    """Cut the folds of all columns, and then all rows of each.

    Scores of the positive rows are sorted as well, and tell the classes of all sorted scores.
    """
    upto = np.cumsum(truth, axis=1, dtype=np.intp)
    sizes = upto[owner, -1]
    positives, pos_first = np.empty(sizes.sum()), np.empty(len(owner), np.intp)
    by_label = np.argsort(owner, kind="stable")  # columns of one label are sorted together
    pos_first[by_label] = np.cumsum(sizes[by_label]) - sizes[by_label]
    views = []
    for columns in np.split(by_label, np.flatnonzero(np.diff(owner[by_label])) + 1):
        label = owner[columns[0]]
        own = scores[np.ix_(columns, np.flatnonzero(truth[label]))]
        view = positives[pos_first[columns[0]] :][: own.size].reshape(own.shape)
        view[:] = own
        views.append((view, upto[label]))
    first = np.arange(len(scores)) * scores.shape[1]
    found = []
    for bounds in _parts(ends):
        _sort(scores, bounds)
        for view, own_upto in views:
            _sort(view, own_upto[bounds - 1])
        rows, n_rows = _flat(first, np.repeat(bounds[None], len(scores), axis=0))
        true, n_positive = _flat(pos_first, upto[:, bounds - 1][owner])
        counts = np.stack([n_positive, n_rows])
        parts = np.stack([*rows, *true])
        starts, out = outlines(parts, counts, scores.ravel(), positives, LIMITS)
        found.append(_curves(starts, out, n_positive / n_rows))
    return found


def _weighted(
    scores: NDArray[np.float64],
    truth: NDArray[np.bool_],
    owner: NDArray[np.intp],
    ends: NDArray[np.intp],
    sample_weight: NDArray[np.float64],
) -> list[ErrorCurves]:
    """Cut the folds of all columns, and then all rows of each, rows by their weight."""
    found = []
    for bounds in _parts(ends):
        folds = zip(np.split(scores, bounds[:-1], axis=1), [0, *bounds[:-1]], strict=True)
        order = np.concatenate([np.argsort(own, axis=1) + first for own, first in folds], axis=1)
        args = scores, order, bounds, truth, owner, sample_weight, LIMITS
        found.append(_curves(*weighted_outlines(*args)))
    return found


def _sort(scores: NDArray[np.float64], ends: NDArray[np.intp]) -> None:
    """Sort parts of all rows of an array; vector code takes less than merging of sorted folds."""
    for start, end in pairwise([0, *ends.tolist()]):
        scores[:, start:end].sort(axis=1)


def _flat(
    first: NDArray[np.intp], ends: NDArray[np.intp]
) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]:
    """Return where the parts of all columns begin and end in one array, and their sizes."""
    sizes = ends.copy()
    sizes[:, 1:] -= ends[:, :-1]
    ends = first[:, None] + ends
    return ((ends - sizes).ravel(), ends.ravel()), sizes.ravel().astype(np.float64)


def _curves(
    starts: NDArray[np.int64], out: NDArray[np.float64], prevalence: NDArray[np.float64]
) -> ErrorCurves:
    thresholds, fn, fp = out
    clear_ends(thresholds, starts, fp, prevalence)
    return ErrorCurves(starts, thresholds, fn, fp, prevalence)
