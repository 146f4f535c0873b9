"""Loops over many columns of scores: each sorted once, folds merged, outlines in flat arrays."""

import numpy as np

from pseudolinear.loops._compile import called_by_loops, compiled
from pseudolinear.loops._curves import weigh_cuts
from pseudolinear.loops._merging import merge_folds, merge_orders

SLACK = 1e-6  # relative; nearer to a step of the rate it is worked out whether it was taken


@called_by_loops
def middle(upper, lower):  # pragma: no cover - compiled
    """Return what lies half-way between two scores, or the upper one where there is no room."""
    half = lower / 2 + upper / 2
    return half if half > lower else upper


@called_by_loops
def count_cuts(scores, positives, cuts, tp, fp):  # pragma: no cover - compiled
    """Count both classes above every distinct score.

    Parameters
    ----------
    scores, positives : ndarray of float64
        All scores and those of the positive rows, in ascending order.
    cuts, tp, fp : ndarray of float64
        Written: distinct scores in descending order, and the positive and negative rows that score
        at least as much.

    Returns
    -------
    int
        Number of distinct scores.
    """
    m, i, j = 0, scores.size - 1, positives.size - 1
    while i >= 0:
        top = scores[i]
        while i >= 0 and scores[i] == top:
            i -= 1
        while j >= 0 and positives[j] == top:
            j -= 1
        found = positives.size - 1 - j
        cuts[m], tp[m], fp[m] = top, found, scores.size - 1 - i - found
        m += 1
    return m


@called_by_loops
def hull_positions(m, tp, fp, n_positive, total, hull, x, y):  # pragma: no cover - compiled
    """Find the cuts on the lower left hull, as `lower_left_hull` does of the errors as shares.

    A cut that finds no positive row more is never a vertex, so that only the others are looked at.

    Parameters
    ----------
    m, tp, fp : int and ndarrays
        Number of distinct scores, and what is above each.
    n_positive, total : float
        Positive and all rows, or their weight.
    hull, x, y : ndarray
        Written: positions of the vertices (0 predicts nothing), their false positives and false
        negatives.

    Returns
    -------
    int
        Number of vertices.
    """
    hull[0], x[0], y[0] = 0, 0.0, n_positive / total
    size, found = 1, 0.0
    for k in range(m):
        if tp[k] == found:
            continue
        found = tp[k]
        here_x, here_y = fp[k] / total, (n_positive - tp[k]) / total
        if here_y >= y[size - 1]:
            continue
        if here_x == x[size - 1]:
            size -= 1
        while size >= 2:
            a, b = size - 2, size - 1
            turn = (x[b] - x[a]) * (here_y - y[a]) - (y[b] - y[a]) * (here_x - x[a])
            if turn > 0.0:
                break
            size -= 1
        hull[size], x[size], y[size] = k + 1, here_x, here_y
        size += 1
    return size


@called_by_loops
def rate_positions(m, tp, fp, n_positive, total, powers, steps):  # pragma: no cover - compiled
    """Find the first cuts whose predicted rates have grown by a factor, and by its powers.

    Parameters
    ----------
    m, tp, fp, n_positive, total
        See :func:`hull_positions`.
    powers : ndarray
        Of the factor, from 1 on; logarithms are taken only near them.
    steps : ndarray of int64
        Written: positions of the cuts.

    Returns
    -------
    int
        Number of positions.
    """
    if m == 0:
        return 0
    share, least, last = n_positive / total, tp[0] + fp[0], powers.size - 2
    first = share - (n_positive - tp[0]) / total + fp[0] / total
    steps[0], step, size = 1, 0, 1
    for k in range(1, m):
        if tp[k] + fp[k] < least * powers[step + 1] * (1.0 - SLACK):
            continue
        ratio = (share - (n_positive - tp[k]) / total + fp[k] / total) / first
        now = step
        while now < last and ratio >= powers[now + 1] * (1.0 + SLACK):
            now += 1
        if ratio >= powers[now + 1] * (1.0 - SLACK):
            exact = np.log(max(ratio, 1.0)) / np.log(powers[1]) + 1e-9
            now = min(int(np.floor(exact)), last)
        if now != step:
            steps[size], step = k + 1, now
            size += 1
    return size


@called_by_loops
def write_outline(m, n_positive, total, powers, columns, positions, at, out):
    """Write the cuts worth choosing, those of :meth:`ErrorCurve.outline`, behind those of others.

    Parameters
    ----------
    m, n_positive, total
        See :func:`hull_positions`.
    powers : ndarray
        See :func:`rate_positions`.
    columns : ndarray of shape (5, n)
        Cuts, tp and fp; the other rows are room.
    positions : ndarray of int64, shape (2, n)
        Room.
    at : int
        Where to write.
    out : ndarray of shape (3, n)
        Written: thresholds, fn and fp.

    Returns
    -------
    end : int
        Where the next one is written.
    out : ndarray
        The same, or a larger one.
    """
    cuts, tp, fp, hull, steps = columns[0], columns[1], columns[2], positions[0], positions[1]
    n_hull = hull_positions(m, tp, fp, n_positive, total, hull, columns[3], columns[4])
    n_steps = rate_positions(m, tp, fp, n_positive, total, powers, steps)
    if at + n_hull + n_steps > out.shape[1]:
        larger = np.empty((3, 2 * (at + n_hull + n_steps)))
        for row in range(3):
            for k in range(at):
                larger[row, k] = out[row, k]
        out = larger
    i = j = 0
    while i < n_hull or j < n_steps:
        if j == n_steps or (i < n_hull and hull[i] <= steps[j]):
            k = hull[i]
            j += j < n_steps and steps[j] == k
            i += 1
        else:
            k = steps[j]
            j += 1
        if k == 0:
            out[0, at] = np.nextafter(cuts[0], np.inf) if m else 0.0
            out[1, at], out[2, at] = n_positive / total, 0.0
        else:
            upper = cuts[k - 1]
            out[0, at] = middle(upper, cuts[k]) if k < m else np.nextafter(upper, -np.inf)
            out[1, at], out[2, at] = (n_positive - tp[k - 1]) / total, fp[k - 1] / total
        at += 1
    return at, out


@compiled
def outlines(starts, scores, pos_starts, positives, n_positive, n_rows, powers):
    """Find the cuts of many labels that are worth choosing.

    Parameters
    ----------
    starts, scores : ndarray
        Where the scores of each label begin, and all of them, each label's in ascending order; rows
        without one are never predicted.
    pos_starts, positives : ndarray
        The same for the positive rows, in any order.
    n_positive : ndarray of int64
        Positive rows of each label, with or without a score.
    n_rows : int
        Number of rows.
    powers : ndarray
        See :func:`rate_positions`.

    Returns
    -------
    first : ndarray of int64, shape (n_labels + 1,)
        Where the cuts of each label begin.
    out : ndarray of shape (3, n)
        Thresholds, fn and fp of all labels, and then room.
    """
    largest = 0
    for k in range(n_positive.size):
        largest = max(largest, starts[k + 1] - starts[k])
    columns, positions = np.empty((5, largest + 1)), np.empty((2, largest + 1), np.int64)
    first, out = np.zeros(n_positive.size + 1, np.int64), np.empty((3, 1024))
    for k in range(n_positive.size):
        own = np.sort(positives[pos_starts[k] : pos_starts[k + 1]])
        rows = scores[starts[k] : starts[k + 1]]
        m = count_cuts(rows, own, columns[0], columns[1], columns[2])
        first[k + 1], out = write_outline(
            m, float(n_positive[k]), float(n_rows), powers, columns, positions, first[k], out
        )
    return first, out


@compiled
def fold_outlines(scores, fold_ends, pos_starts, pos_ends, positives, owner, powers):
    """Find the cuts worth choosing of many columns, of all folds together and of each.

    Parameters
    ----------
    scores : ndarray of shape (n_columns, n_rows)
        Those of each fold in ascending order, fold after fold.
    fold_ends : ndarray of int64, shape (n_folds,)
        Where each fold ends.
    pos_starts : ndarray of int64, shape (n_columns,)
        Where the scores of the positive rows of a column begin.
    pos_ends : ndarray of int64, shape (n_labels, n_folds)
        Positive rows of each label in a fold and those before it.
    positives : ndarray
        Their scores, in the same order.
    owner : ndarray of int64, shape (n_columns,)
        Label of each column.
    powers : ndarray
        See :func:`rate_positions`.

    Returns
    -------
    starts : ndarray of int64, shape (n_curves + 1,)
        Where the cuts of each curve begin. Of several folds, a column has a curve of all together,
        and then one of each.
    prevalence : ndarray of shape (n_curves,)
        Share of positive rows.
    out : ndarray of shape (3, n)
        Thresholds, fn and fp, and then room.
    """
    n_columns, n_rows = scores.shape
    several = int(fold_ends.size > 1)
    n_curves = n_columns * (fold_ends.size + several)
    columns, positions = np.empty((5, n_rows + 1)), np.empty((2, n_rows + 1), np.int64)
    all_rows, all_pos = np.empty((2, n_rows)), np.empty((2, n_rows))
    starts, prevalence = np.zeros(n_curves + 1, np.int64), np.empty(n_curves)
    out, curve = np.empty((3, 64 * n_curves)), 0
    for column in range(n_columns):
        rows, some_ends = scores[column], pos_ends[owner[column]]
        some = positives[pos_starts[column] : pos_starts[column] + some_ends[-1]]
        begin = pos_begin = 0
        for fold in range(-several, fold_ends.size):
            if fold < 0:
                these = merge_folds(rows, fold_ends, all_rows)
                true = merge_folds(some, some_ends, all_pos)
            else:
                these, true = rows[begin : fold_ends[fold]], some[pos_begin : some_ends[fold]]
                begin, pos_begin = fold_ends[fold], some_ends[fold]
            m = count_cuts(these, true, columns[0], columns[1], columns[2])
            total = columns[1, m - 1] + columns[2, m - 1]
            prevalence[curve] = columns[1, m - 1] / total
            starts[curve + 1], out = write_outline(
                m, columns[1, m - 1], total, powers, columns, positions, starts[curve], out
            )
            curve += 1
    return starts, prevalence, out


@compiled
def weighted_fold_outlines(scores, order, fold_ends, truth, owner, weight, powers):
    """Find the cuts worth choosing of many columns of weighted rows; see :func:`fold_outlines`.

    Parameters
    ----------
    scores, order : ndarray of shape (n_columns, n_rows)
        Scores, and the rows of each fold in ascending order of them.
    fold_ends, owner, powers
        See :func:`fold_outlines`.
    truth : ndarray of bool, shape (n_labels, n_rows)
        Which rows are positive.
    weight : ndarray of shape (n_rows,)
        Positive weights.

    Returns
    -------
    starts, prevalence, out
        As :func:`fold_outlines`.
    """
    n_columns, n_rows = scores.shape
    several = int(fold_ends.size > 1)
    n_curves = n_columns * (fold_ends.size + several)
    columns, positions = np.empty((5, n_rows + 1)), np.empty((2, n_rows + 1), np.int64)
    all_rows = np.empty((2, n_rows), np.int64)
    starts, prevalence = np.zeros(n_curves + 1, np.int64), np.empty(n_curves)
    out, curve = np.empty((3, 64 * n_curves)), 0
    for column in range(n_columns):
        own, true, begin = scores[column], truth[owner[column]], 0
        for fold in range(-several, fold_ends.size):
            if fold < 0:
                rows = merge_orders(own, order[column], fold_ends, all_rows)
            else:
                rows, begin = order[column, begin : fold_ends[fold]], fold_ends[fold]
            m = weigh_cuts(own, rows, true, weight, columns[0], columns[1], columns[2])
            total = columns[1, m - 1] + columns[2, m - 1]
            prevalence[curve] = columns[1, m - 1] / total
            starts[curve + 1], out = write_outline(
                m, columns[1, m - 1], total, powers, columns, positions, starts[curve], out
            )
            curve += 1
    return starts, prevalence, out
