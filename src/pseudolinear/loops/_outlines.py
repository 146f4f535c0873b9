"""Loops over many sorted scores: the cuts worth choosing of each, in flat arrays."""

import numpy as np

from pseudolinear.loops._compile import called_by_loops, compiled
from pseudolinear.loops._curves import weigh_cuts

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
def outlines(starts, ends, scores, pos_starts, pos_ends, positives, n_positive, n_rows, powers):
    """Find the cuts of many parts of an array of scores that are worth choosing.

    Parameters
    ----------
    starts, ends : ndarray of int64, shape (n_parts,)
        Where each part begins and ends.
    scores : ndarray of float64
        Those of a part in ascending order; rows without one are never predicted.
    pos_starts, pos_ends, positives : ndarray
        The same for the positive rows alone.
    n_positive, n_rows : ndarray of float64, shape (n_parts,)
        Positive and all rows of each part, with or without a score.
    powers : ndarray
        See :func:`rate_positions`.

    Returns
    -------
    first : ndarray of int64, shape (n_parts + 1,)
        Where the cuts of each part begin.
    out : ndarray of shape (3, n)
        Thresholds, fn and fp of all parts, and then room.
    """
    largest = 0
    for k in range(starts.size):
        largest = max(largest, ends[k] - starts[k])
    columns, positions = np.empty((5, largest + 1)), np.empty((2, largest + 1), np.int64)
    first, out = np.empty(starts.size + 1, np.int64), np.empty((3, 64 * starts.size))
    first[0] = 0
    for k in range(starts.size):
        rows, own = scores[starts[k] : ends[k]], positives[pos_starts[k] : pos_ends[k]]
        m = count_cuts(rows, own, columns[0], columns[1], columns[2])
        first[k + 1], out = write_outline(
            m, n_positive[k], n_rows[k], powers, columns, positions, first[k], out
        )
    return first, out


@compiled
def weighted_outlines(scores, order, ends, truth, owner, weight, powers):
    """Find the cuts worth choosing of parts of many columns, whose rows have weights.

    Parameters
    ----------
    scores, order : ndarray of shape (n_columns, n_rows)
        Scores, and the rows of each part in ascending order of them.
    ends : ndarray of int64, shape (n_parts,)
        Where each part of a column ends.
    truth : ndarray of bool, shape (n_labels, n_rows)
        Which rows are positive.
    owner : ndarray of int64, shape (n_columns,)
        Label of each column.
    weight : ndarray of shape (n_rows,)
        Positive weights.
    powers : ndarray
        See :func:`rate_positions`.

    Returns
    -------
    first : ndarray of int64, shape (n_columns * n_parts + 1,)
        Where the cuts of each part of each column begin.
    prevalence : ndarray of shape (n_columns * n_parts,)
        Share of positive rows.
    out : ndarray of shape (3, n)
        Thresholds, fn and fp, and then room.
    """
    n_columns, n_rows = scores.shape
    n_curves = n_columns * ends.size
    columns, positions = np.empty((5, n_rows + 1)), np.empty((2, n_rows + 1), np.int64)
    first, prevalence = np.zeros(n_curves + 1, np.int64), np.empty(n_curves)
    out, curve = np.empty((3, 64 * n_curves)), 0
    for column in range(n_columns):
        own, true, begin = scores[column], truth[owner[column]], 0
        for end in ends:
            rows, begin = order[column, begin:end], end
            m = weigh_cuts(own, rows, true, weight, columns[0], columns[1], columns[2])
            total = columns[1, m - 1] + columns[2, m - 1]
            prevalence[curve] = columns[1, m - 1] / total
            first[curve + 1], out = write_outline(
                m, columns[1, m - 1], total, powers, columns, positions, first[curve], out
            )
            curve += 1
    return first, prevalence, out
