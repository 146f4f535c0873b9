"""Loops over many sorted scores: the cuts worth choosing of each, in flat arrays.

The loops take arrays to write into and hold few operations, as these are what compiling takes time
for; memory, and what is done once for each cut that is kept, is left to NumPy.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pseudolinear.loops import _compile
from pseudolinear.loops._curves import weigh_cuts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
USUAL = 64  # cuts that are kept of a part, more or less

# The numpy error model spares the tests of every divisor, which are more code than the division.
compiled = _compile.compiled(plain=True, error_model="numpy")
called_by_loops = _compile.compiled(plain=True, error_model="numpy", no_cpython_wrapper=True)


@called_by_loops
def extend_hull(hull, x, y, last, k, px, py):
    """Add a point to a lower left hull, found as `lower_left_hull` does.

    Parameters
    ----------
    hull, x, y : ndarray
        The vertices: what they are called, and where they are, by ascending `x`.
    last : int
        Position of the last one.
    k, px, py : int, float, float
        A point with `x` no less than any before.

    Returns
    -------
    int
        Position of the last vertex now.
    """
    if py >= y[last]:
        return last
    if px == x[last]:
        last -= 1
    while last > 0:
        ax, ay = x[last - 1], y[last - 1]
        if (x[last] - ax) * (py - ay) > (y[last] - ay) * (px - ax):
            break
        last -= 1
    last += 1
    hull[last], x[last], y[last] = k, px, py
    return last


@called_by_loops
def write_outline(m, cuts, tp, fp, n_positive, total, limits, hull, x, y, at, out):
    """Write the cuts worth choosing, those of :meth:`ErrorCurve.outline`, behind those of others.

    These are the vertices of the lower left hull of the errors as shares, and the first cuts above
    which so many rows are as the limits say. A cut that finds no positive row more is never a
    vertex, so that only the others are looked at.

    Parameters
    ----------
    m, cuts, tp, fp : int and ndarrays
        Number of distinct scores, those in descending order, and the positive and negative rows
        that score at least as much, from position 1 on: 0 predicts nothing.
    n_positive, total : float
        Positive and all rows, or their weight.
    limits : ndarray
        Ascending, from 1 to infinity, in multiples of the rows above the first cut.
    hull, x, y : ndarray
        Room for the positions of the vertices, their false positives and false negatives.
    at : int
        Where to write.
    out : ndarray of shape (4, n)
        Written: the last score that is predicted and the first that is not, which are infinite
        where there is none, and what is above the cut.

    Returns
    -------
    int
        Where the next ones are written.
    """
    cuts[0], tp[0], fp[0], cuts[m + 1] = np.inf, 0.0, 0.0, -np.inf
    hull[0], x[0], y[0] = 0, 0.0, n_positive / total
    last, found = 0, 0.0
    for k in range(1, m + 1):
        if tp[k] == found:
            continue
        found = tp[k]
        last = extend_hull(hull, x, y, last, k, fp[k] / total, (n_positive - found) / total)
    hull[last + 1] = -1
    vertex, corner = 0, hull[0]
    step, least = 0, tp[1] + fp[1] if m > 0 else 1.0
    enough = limits[0] * least
    for k in range(m + 1):
        above = tp[k] + fp[k]
        if above < enough and k != corner:
            continue
        while above >= enough:
            step += 1
            enough = limits[step] * least
        vertex += k == corner
        corner = hull[vertex]
        out[0, at], out[1, at], out[2, at], out[3, at] = cuts[k], cuts[k + 1], tp[k], fp[k]
        at += 1
    return at


@compiled
def cut_parts(part, parts, counts, scores, positives, limits, hull, room, first, out):
    """Write the cuts worth choosing of many parts of an array of scores, as `write_outline` does.

    Only positive rows are looked at one by one: for vertices, and for the rows above a cut. Cuts
    that the limits ask for are where so many rows end, as all are sorted.

    Parameters
    ----------
    part : int
        The first whose cuts are not written yet.
    parts, counts, scores, positives, limits : ndarray
        See :func:`outlines`.
    hull, room : ndarray of int64, and one of shape (5, n)
        To work in.
    first, out : ndarray
        Written: where the cuts of each part begin, and all of them.

    Returns
    -------
    int
        The part for which too little of `out` is left, or the number of parts.
    """
    x, y = room[0], room[1]
    while part < parts.shape[1]:
        rows = scores[parts[0, part] : parts[1, part]]
        own = positives[parts[2, part] : parts[3, part]]
        n_positive, total, n, at = counts[0, part], counts[1, part], rows.size, first[part]
        if at + n >= out.shape[1]:
            break
        hull[0], x[0], y[0] = 0, 0.0, n_positive / total  # vertices by the rows above them
        last, i, j = 0, n, own.size
        while j > 0:
            top = own[j - 1]
            while j > 0 and own[j - 1] == top:
                j -= 1
            while i > 0 and rows[i - 1] >= top:
                i -= 1
            tp, above = own.size - j, n - i
            px, py = (above - tp) / total, (n_positive - tp) / total
            last = extend_hull(hull, x, y, last, above, px, py)
        vertex, step, least, j = 0, 0, 1, own.size
        while least < n and rows[n - 1 - least] == rows[n - 1]:
            least += 1
        enough = limits[0] * least
        while True:
            above = hull[vertex] if vertex <= last else n + 1
            if enough <= n and enough < above:
                i = n - np.int64(np.ceil(enough))
                while i > 0 and rows[i - 1] == rows[i]:
                    i -= 1
                above = min(above, n - i)
            if above > n:
                break
            vertex += vertex <= last and above == hull[vertex]
            while above >= enough:
                step += 1
                enough = limits[step] * least
            upper = rows[n - above] if above > 0 else np.inf
            lower = rows[n - above - 1] if above < n else -np.inf
            while j > 0 and own[j - 1] >= upper:
                j -= 1
            tp = own.size - j
            out[0, at], out[1, at], out[2, at], out[3, at] = upper, lower, tp, above - tp
            at += 1
        part += 1
        first[part] = at
    return part


@compiled
def weigh_parts(
    part, scores, order, ends, truth, owner, weight, counts, limits, hull, room, first, out
):
    """Write the cuts worth choosing of parts of many columns, as :func:`cut_parts` does.

    The parameters are those of :func:`weighted_outlines` and :func:`cut_parts`, but `counts` is
    written: the weight of the positive and of all rows.
    """
    cuts, tp, fp, x, y = room[0], room[1], room[2], room[3], room[4]
    while part < counts.shape[1]:
        column, fold = part // ends.size, part % ends.size
        start, end = ends[fold - 1] if fold > 0 else 0, ends[fold]
        if first[part] + (end - start) >= out.shape[1]:
            break
        own, true = scores[column], truth[owner[column]]
        rows = order[column, start:end]
        m = weigh_cuts(own, rows, true, weight, cuts[1:], tp[1:], fp[1:])
        counts[0, part], counts[1, part] = tp[m], tp[m] + fp[m]
        first[part + 1] = write_outline(
            m, cuts, tp, fp, counts[0, part], counts[1, part], limits, hull, x, y, first[part], out
        )
        part += 1
    return part


def outlines(
    parts: Ints, counts: Floats, scores: Floats, positives: Floats, limits: Floats
) -> tuple[Ints, Floats]:
    """Find the cuts of many parts of an array of scores that are worth choosing.

    Parameters
    ----------
    parts : ndarray of int64, shape (4, n_parts)
        Where the scores of each part begin and end, and those of its positive rows.
    counts : ndarray of float64, shape (2, n_parts)
        Positive and all rows of each part, with or without a score.
    scores, positives : ndarray of float64
        All scores and those of the positive rows, those of a part in ascending order; rows without
        one are never predicted.
    limits : ndarray
        See :func:`write_outline`.

    Returns
    -------
    first : ndarray of int64, shape (n_parts + 1,)
        Where the cuts of each part begin.
    out : ndarray of shape (3, n)
        Thresholds, fn and fp of all parts.
    """
    largest = int((parts[1] - parts[0]).max(initial=0))
    return _written(
        lambda part, *to: cut_parts(part, parts, counts, scores, positives, limits, *to),
        counts,
        largest,
    )


def weighted_outlines(
    scores: Floats,
    order: Ints,
    ends: Ints,
    truth: NDArray[np.bool_],
    owner: Ints,
    weight: Floats,
    limits: Floats,
) -> tuple[Ints, Floats, Floats]:
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
    limits : ndarray
        See :func:`write_outline`.

    Returns
    -------
    first : ndarray of int64, shape (n_columns * n_parts + 1,)
        Where the cuts of each part of each column begin.
    out : ndarray of shape (3, n)
        Thresholds, fn and fp.
    prevalence : ndarray of shape (n_columns * n_parts,)
        Share of positive rows.
    """
    counts = np.empty((2, len(scores) * len(ends)))
    rows = scores, order, ends, truth, owner, weight
    found = _written(
        lambda part, *to: weigh_parts(part, *rows, counts, limits, *to), counts, scores.shape[1]
    )
    return *found, counts[0] / counts[1]


def _written(write: Callable[..., int], counts: Floats, largest: int) -> tuple[Ints, Floats]:
    """Let a loop write the cuts of all parts, with more room whenever there is not enough."""
    n_parts = counts.shape[1]
    first, out = np.zeros(n_parts + 1, np.int64), np.empty((4, USUAL * n_parts + largest + 1))
    room, hull = np.empty((5, largest + 2)), np.empty(largest + 2, np.int64)
    part = write(0, hull, room, first, out)
    while part < n_parts:
        larger = np.empty((4, 2 * out.shape[1]))
        larger[:, : first[part]] = out[:, : first[part]]
        out = larger
        part = write(part, hull, room, first, out)
    upper, lower, tp, fp = out[:, : first[-1]]
    n_positive, total = np.repeat(counts, np.diff(first), axis=1)
    return first, np.stack([_between(upper, lower), (n_positive - tp) / total, fp / total])


def _between(upper: Floats, lower: Floats) -> Floats:
    """Return what lies half-way between two scores, or the upper one where there is no room.

    Where one of them is infinite it is next to the other, and 0 where both are.
    """
    top, bottom = np.flatnonzero(upper == np.inf), np.flatnonzero(lower == -np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        half = 0.5 * lower
        half += 0.5 * upper
        np.copyto(half, upper, where=half <= lower)
        half[top] = np.nextafter(lower[top], np.inf)
        half[bottom] = np.nextafter(upper[bottom], -np.inf)
    half[np.intersect1d(top, bottom)] = 0.0
    return half
