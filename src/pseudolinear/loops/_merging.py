"""Sorted folds merged into one order, without sorting again."""

from pseudolinear.loops._compile import called_by_loops


@called_by_loops
def merge_two(one, other, out):  # pragma: no cover - compiled
    """Merge two ascending arrays; which one is next is computed, as it could not be guessed."""
    i = j = k = 0
    while i < one.size and j < other.size:
        x, y = one[i], other[j]
        first = x <= y
        out[k] = x if first else y
        i += first
        j += not first
        k += 1
    for rest in range(i, one.size):
        out[k] = one[rest]
        k += 1
    for rest in range(j, other.size):
        out[k] = other[rest]
        k += 1


@called_by_loops
def merge_folds(values, ends, room):  # pragma: no cover - compiled
    """Merge ascending parts of an array, those of the folds.

    Parameters
    ----------
    values : ndarray
        One fold after the other.
    ends : ndarray of int64
        Where each ends.
    room : ndarray of shape (2, n)
        Where the result and what is on the way to it are written.

    Returns
    -------
    ndarray
        All of them in ascending order.
    """
    merged, side = values[: ends[0]], 0
    for k in range(1, ends.size):
        out = room[side, : ends[k]]
        merge_two(merged, values[ends[k - 1] : ends[k]], out)
        merged, side = out, 1 - side
    return merged


@called_by_loops
def merge_orders(scores, order, ends, room):  # pragma: no cover - compiled
    """Merge what sorts the scores of each fold into what sorts all of them.

    Parameters
    ----------
    scores : ndarray
        One fold after the other.
    order : ndarray of int64
        Positions in ascending order of scores, of each fold.
    ends, room
        See :func:`merge_folds`.

    Returns
    -------
    ndarray of int64
        Positions in ascending order of scores.
    """
    merged, side = order[: ends[0]], 0
    for f in range(1, ends.size):
        out, i, j = room[side, : ends[f]], 0, ends[f - 1]
        for k in range(ends[f]):
            first = j == ends[f] or (i < merged.size and scores[merged[i]] <= scores[order[j]])
            out[k] = merged[i] if first else order[j]
            i += first
            j += not first
        merged, side = out, 1 - side
    return merged
