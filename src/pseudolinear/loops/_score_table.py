"""Loops over a stream of scores: a table of distinct ones, fine bins, and given intervals."""

import numpy as np

from pseudolinear.loops._compile import compiled


@compiled
def add_to_table(bits, positive, weight, start, table, used, most):  # pragma: no cover - compiled
    """Add rows to a table of distinct scores until it is full.

    Parameters
    ----------
    bits : ndarray of int64
        Scores, as the bits of floating point numbers.
    positive : ndarray of bool
        Class of each row.
    weight : ndarray of float64
        Weight of each row; empty if all weigh 1.
    start : int
        First row that is added.
    table : ndarray of shape (n_places, 4)
        Score, weight of positives and of negatives by place, in one line of the cache; NaN where
        there is none. A power of two of places.
    used : int
        Places that are taken.
    most : int
        Places that may be taken.

    Returns
    -------
    row, used : int
        The first row that found no place, or the number of rows; places that are taken now.
    """
    last = table.shape[0] - 1
    scores = bits.view(np.float64)
    for i in range(start, bits.size):
        one = weight[i] if weight.size else 1.0
        if one == 0.0:
            continue
        place = _place(bits[i], last)
        while table[place, 0] != scores[i] and table[place, 0] == table[place, 0]:
            place = (place + 1) & last
        if table[place, 0] != table[place, 0]:  # NaN
            if used == most:
                return i, used
            table[place, 0] = scores[i]
            used += 1
        table[place, 1 if positive[i] else 2] += one
    return bits.size, used


@compiled
def grow_table(table, larger):  # pragma: no cover - compiled
    """Copy a table into a larger one that is empty."""
    last = larger.shape[0] - 1
    bits = table[:, 0].copy().view(np.int64)
    for k in range(table.shape[0]):
        if table[k, 0] == table[k, 0]:
            place = _place(bits[k], last)
            while larger[place, 0] == larger[place, 0]:
                place = (place + 1) & last
            larger[place] = table[k]


@compiled
def _place(key, last):  # pragma: no cover - compiled
    """Spread scores that differ in few bits over the places (the finaliser of splitmix64)."""
    mixed = np.uint64(key)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.int64(mixed & np.uint64(last))


@compiled
def first_edges(edges, n_cells):  # pragma: no cover - compiled
    """Say where to look for scores among edges, by cells of equally many floating point numbers.

    Parameters
    ----------
    edges : ndarray of float64
        Ascending.
    n_cells : int
        How many cells there are at most.

    Returns
    -------
    first : ndarray of int32
        First edge in each cell or after it, and behind the last cell the number of edges.
    shift : uint64
        How many of the last bits of a number's position a cell has.
    """
    bits = edges.view(np.uint64)
    start = _key(bits[0])
    span = _key(bits[-1]) - start
    shift = np.uint64(0)
    while (span >> shift) >= np.uint64(n_cells):
        shift += np.uint64(1)
    first = np.zeros(np.int64(span >> shift) + 2, np.int32)
    for k in range(edges.size):
        first[np.int64((_key(bits[k]) - start) >> shift) + 1] += 1
    for c in range(first.size - 1):
        first[c + 1] += first[c]
    return first, shift


@compiled
def add_to_bins(scores, positive, weight, edges, first, shift, bins):  # pragma: no cover
    """Add rows to many bins of one column.

    Parameters
    ----------
    scores, positive, weight : ndarray of shape (n_rows,)
        Scores and classes; no weights if all weigh 1.
    edges : ndarray of float64
        Ascending; a score of at least an edge is above it.
    first, shift : ndarray, uint64
        Of `first_edges`.
    bins : ndarray of shape (n_edges + 1, 4)
        Weight of positives and of negatives, lowest and highest score; added to in place.
    """
    bits = scores.view(np.uint64)
    start = _key(edges.view(np.uint64)[0])
    for i in range(scores.size):
        one = weight[i] if weight.size else 1.0
        if one == 0.0:
            continue
        score, key, place = scores[i], _key(bits[i]), np.int64(0)
        if key >= start:
            cell = min(np.int64((key - start) >> shift), first.size - 2)
            place = np.int64(first[cell])
            size = np.int64(first[cell + 1]) - place
            while size > 0:
                half = size >> 1
                if edges[place + half] <= score:
                    place += half + 1
                    size -= half + 1
                else:
                    size = half
        bins[place, 0 if positive[i] else 1] += one
        bins[place, 2] = min(bins[place, 2], score)
        bins[place, 3] = max(bins[place, 3], score)


@compiled
def _key(bits):  # pragma: no cover - compiled
    """Return the position of a number among all floating point numbers, from its bits."""
    if bits >> np.uint64(63):
        return ~bits
    return bits | np.uint64(1 << 63)


@compiled
def rows_within(scores, low, high, cells):  # pragma: no cover - compiled
    """Find the rows whose scores are in one of several intervals.

    Parameters
    ----------
    scores : ndarray of float64
        Scores of the rows.
    low, high : ndarray of float64
        Ends of the intervals, ascending; they belong to them.
    cells : ndarray of bool
        Room for which of equally wide cells hold a part of an interval.

    Returns
    -------
    ndarray of int64
        Numbers of the rows.
    """
    first, width = low[0], high[-1] - low[0]
    scale = cells.size / width if 0.0 < width < np.inf else 0.0
    if not scale < np.inf:
        scale = 0.0
    cells[:] = False
    for k in range(low.size):
        at = _cell((low[k] - first) * scale, cells.size)
        upto = _cell((high[k] - first) * scale, cells.size)
        cells[at : upto + 1] = True
    rows = np.empty(scores.size, np.int64)
    found = 0
    for i in range(scores.size):
        score = scores[i]
        if score < first or score > high[-1]:
            continue
        if not cells[_cell((score - first) * scale, cells.size)]:
            continue
        place = np.searchsorted(low, score, side="right") - 1
        if score <= high[place]:
            rows[found] = i
            found += 1
    return rows[:found]


@compiled
def _cell(at, n_cells):  # pragma: no cover - compiled
    """Return the cell of a place; 0 where it is no number, as the width of all floats is none."""
    if not at > 0.0:
        return 0
    return n_cells - 1 if at >= n_cells - 1 else int(at)
