"""Loops that count scores of many columns in given bins."""

import numpy as np

from pseudolinear.loops._compile import called_by_loops, compiled

BLOCK = 512  # rows of all columns that stay in the cache while columns are gone through
CELLS = 2  # cells of equal width for each edge, which say where to look for a score


@compiled
def count_columns(scores, truth, label, weight, fold, held_out, edges, bins):  # pragma: no cover
    """Add rows to the bins of every column.

    Parameters
    ----------
    scores : ndarray of shape (n_rows, n_columns)
        Score of each row by each column.
    truth : ndarray of bool, shape (n_rows, n_labels)
        Which rows are positive.
    label : ndarray of int64, shape (n_columns,)
        Column of `truth` that each column of scores is for.
    weight : ndarray of shape (n_rows,)
        Weight of each row; empty if all weigh 1.
    fold : ndarray of int64, shape (n_rows,)
        Fold of each row; empty if all rows count everywhere.
    held_out : ndarray of int64, shape (n_columns,)
        Fold whose rows a column counts; -1 counts all.
    edges : ndarray of shape (n_columns, n_edges)
        Ascending; a score of at least an edge is above it.
    bins : ndarray of shape (n_columns, n_edges + 1, 4)
        Weight of positives and of negatives, lowest and highest score; added to in place.

    Returns
    -------
    bool
        Whether all scores that count are finite; others are in no bin.
    """
    n_rows, n_columns = scores.shape
    n_edges = edges.shape[1]
    n_cells = CELLS * n_edges + 1
    first, scale = _first_edges(edges, n_cells)
    finite = True
    for start in range(0, n_rows, BLOCK):
        stop = min(start + BLOCK, n_rows)
        for j in range(n_columns):
            own = edges[j]
            for i in range(start, stop):
                if fold.size and held_out[j] >= 0 and fold[i] != held_out[j]:
                    continue
                mass = weight[i] if weight.size else 1.0
                if mass == 0.0:
                    continue
                score = np.float64(scores[i, j])
                if not np.isfinite(score):
                    finite = False
                    continue
                place = 0
                if n_edges:
                    cell = _cell(score, own[0], scale[j], n_cells)
                    place = first[j, cell]
                    size = first[j, cell + 1] - place
                    while size > 0:
                        half = size >> 1
                        if own[place + half] <= score:
                            place += half + 1
                            size -= half + 1
                        else:
                            size = half
                one = bins[j, place]
                one[0 if truth[i, label[j]] else 1] += mass
                one[2] = min(one[2], score)
                one[3] = max(one[3], score)
    return finite


@compiled
def _cell(score, lowest, scale, n_cells):  # pragma: no cover - compiled
    """Return the cell of a score, which never falls when the score grows."""
    at = (score - lowest) * scale
    if not at > 0.0:
        return 0
    return n_cells - 1 if at >= n_cells - 1 else int(at)


@called_by_loops
def _first_edges(edges, n_cells):  # pragma: no cover - compiled
    """Return the first edge of every cell of every column, and how many cells a unit has."""
    n_columns, n_edges = edges.shape
    first = np.zeros((n_columns, n_cells + 1), np.int64)
    scale = np.zeros(n_columns)
    for j in range(n_columns):
        if n_edges:
            width = edges[j, n_edges - 1] - edges[j, 0]
            if 0.0 < width < np.inf and (n_cells - 1) / width < np.inf:
                scale[j] = (n_cells - 1) / width
        for k in range(n_edges):
            first[j, _cell(edges[j, k], edges[j, 0], scale[j], n_cells) + 1] += 1
        for c in range(n_cells):
            first[j, c + 1] += first[j, c]
    return first, scale
