"""Loops over the scores of many labels: their outlines in flat arrays, and sparse weights."""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._curves import lower_left_hull


@compiled
def middle(upper, lower):  # pragma: no cover - compiled
    """Return what lies half-way between two scores, or the upper one where there is no room."""
    half = lower / 2 + upper / 2
    return half if half > lower else upper


@compiled
def outline(scores, positives, n_positive, n_rows, growth):  # pragma: no cover - compiled
    """Find the cuts of one label's score that are worth choosing.

    Parameters
    ----------
    scores : ndarray of float64
        Scores in ascending order; rows without one are never predicted.
    positives : ndarray of float64
        Those of the positive rows, in ascending order.
    n_positive, n_rows : int
        Numbers of positive and of all rows, with or without a score.
    growth : float
        Besides the hull, cuts are kept whose predicted rates grow by this factor.

    Returns
    -------
    thresholds, fn, fp : ndarray
        By descending threshold; errors as shares of the rows.
    """
    cuts = np.empty(scores.size + 1)
    fn = np.empty(scores.size + 1)
    fp = np.empty(scores.size + 1)
    cuts[0] = np.nextafter(scores[-1], np.inf) if scores.size else 0.0
    fn[0], fp[0] = n_positive, 0.0
    m, i, j = 1, scores.size - 1, positives.size - 1
    while i >= 0:
        top = scores[i]
        while i >= 0 and scores[i] == top:
            i -= 1
        while j >= 0 and positives[j] == top:
            j -= 1
        found = positives.size - 1 - j
        cuts[m] = middle(top, scores[i]) if i >= 0 else np.nextafter(top, -np.inf)
        fn[m], fp[m] = n_positive - found, scores.size - 1 - i - found
        m += 1
    keep = np.zeros(m, np.bool_)
    keep[lower_left_hull(fp[:m], fn[:m])] = True
    step = -1
    for k in range(1, m):
        rate, first = n_positive - fn[k] + fp[k], n_positive - fn[1] + fp[1]
        now = int(np.floor(np.log(rate / first) / np.log(growth) + 1e-9))
        if now != step:
            keep[k], step = True, now
    chosen = np.flatnonzero(keep)
    return cuts[chosen], fn[chosen] / n_rows, fp[chosen] / n_rows


@compiled
def outlines(starts, scores, pos_starts, positives, n_positive, n_rows, growth):
    """Find the cuts of many labels that are worth choosing; see :func:`outline`.

    Parameters
    ----------
    starts, scores : ndarray
        Where the scores of each label begin, and all of them; sorted in place.
    pos_starts, positives : ndarray
        The same for the positive rows.
    n_positive : ndarray of int64
        Positive rows of each label.
    n_rows : int
        Number of rows.
    growth : float
        See :func:`outline`.

    Returns
    -------
    first : ndarray of int64, shape (n_labels + 1,)
        Where the cuts of each label begin.
    thresholds, fn, fp : ndarray
        The cuts of all labels.
    """
    n_labels = n_positive.size
    room = 0
    for k in range(n_labels):
        size = starts[k + 1] - starts[k]
        grid = int(np.log(size + 1.0) / np.log(growth)) + 3
        room += min(size + 1, pos_starts[k + 1] - pos_starts[k] + 2 + grid)
    thresholds, fn, fp = np.empty(room), np.empty(room), np.empty(room)
    first = np.zeros(n_labels + 1, np.int64)
    for k in range(n_labels):
        own = np.sort(positives[pos_starts[k] : pos_starts[k + 1]])
        part = outline(scores[starts[k] : starts[k + 1]], own, n_positive[k], n_rows, growth)
        at = first[k]
        end = at + part[0].size
        thresholds[at:end], fn[at:end], fp[at:end] = part
        first[k + 1] = end
    return first, thresholds[: first[-1]], fn[: first[-1]], fp[: first[-1]]


@compiled
def first_in_parts(values, starts, slack):  # pragma: no cover - compiled
    """Find in every part the first of the largest values, up to rounding.

    Parameters
    ----------
    values : ndarray of float64
        All parts, one after the other.
    starts : ndarray of int64, shape (n_parts + 1,)
        Where each begins; none is empty.
    slack : float
        Relative rounding.

    Returns
    -------
    ndarray of int64
        Positions among all values.
    """
    found = np.empty(starts.size - 1, np.int64)
    for k in range(found.size):
        top = values[starts[k] : starts[k + 1]].max()
        least = top - slack * max(1.0, abs(top))
        i = starts[k]
        while values[i] < least:
            i += 1
        found[k] = i
    return found


@compiled
def transpose_into(indptr, indices, data, names, at, out_indices, out_data):
    """Write rows of a CSR matrix as columns of another, at the free places of its rows.

    Parameters
    ----------
    indptr, indices, data : ndarray
        The CSR matrix.
    names : ndarray of int
        Column that each of its rows becomes.
    at : ndarray of int64
        Next free place of every row of the other matrix; moved on.
    out_indices, out_data : ndarray
        Of the other matrix.
    """
    for row in range(indptr.size - 1):
        for k in range(indptr[row], indptr[row + 1]):
            place = at[indices[k]]
            out_indices[place] = names[row]
            out_data[place] = data[k]
            at[indices[k]] += 1


@compiled
def sparse_scores(indptr, indices, data, w_ptr, w_labels, w_data, intercepts, out):
    """``out = X @ W + intercepts`` of sparse rows and sparse weights, W in CSR by feature."""
    for i in range(indptr.size - 1):
        row = out[i]
        row[:] = intercepts
        for k in range(indptr[i], indptr[i + 1]):
            x, feature = data[k], indices[k]
            for j in range(w_ptr[feature], w_ptr[feature + 1]):
                row[w_labels[j]] += x * w_data[j]


@compiled
def above(scores, thresholds, counts):
    """Count and list the labels of each row whose score exceeds the threshold."""
    total = 0
    for i in range(scores.shape[0]):
        n = 0
        for j in range(scores.shape[1]):
            n += scores[i, j] - thresholds[j] > 0.0
        counts[i] = n
        total += n
    found, at = np.empty(total, np.int32), 0
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            if scores[i, j] - thresholds[j] > 0.0:
                found[at] = j
                at += 1
    return found
