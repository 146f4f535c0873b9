"""Loops over sorted scores: merging the two classes, and the hull of a curve."""

import numpy as np

from pseudolinear.loops._compile import called_by_loops, compiled


@compiled
def merge_cuts(positives, negatives):  # pragma: no cover - compiled
    """Count both classes above every distinct score.

    Parameters
    ----------
    positives, negatives : ndarray of float64
        Scores of either class in ascending order.

    Returns
    -------
    scores : ndarray
        The distinct scores in descending order.
    above_pos, above_neg : ndarray of int64
        How many positives and negatives score at least as much.
    """
    i, j = positives.size - 1, negatives.size - 1
    size = positives.size + negatives.size
    scores = np.empty(size)
    above_pos = np.empty(size, np.int64)
    above_neg = np.empty(size, np.int64)
    m = 0
    while i >= 0 or j >= 0:
        top = positives[i] if i >= 0 else negatives[j]
        if j >= 0 and negatives[j] > top:
            top = negatives[j]
        while i >= 0 and positives[i] == top:
            i -= 1
        while j >= 0 and negatives[j] == top:
            j -= 1
        scores[m] = top
        above_pos[m] = positives.size - 1 - i
        above_neg[m] = negatives.size - 1 - j
        m += 1
    return scores[:m], above_pos[:m], above_neg[:m]


@called_by_loops
def weigh_cuts(scores, order, positive, weight, cuts, tp, fp):  # pragma: no cover - compiled
    """Weigh both classes above every distinct score; see :func:`count_cuts`.

    Parameters
    ----------
    scores, positive, weight : ndarray
        Score, class and weight of each row.
    order : ndarray of int64
        Sorts the scores in ascending order.
    cuts, tp, fp : ndarray of float64
        Written.

    Returns
    -------
    int
        Number of distinct scores.
    """
    m = -1
    pos = neg = 0.0
    for k in range(order.size - 1, -1, -1):
        i = order[k]
        if m < 0 or scores[i] != cuts[m]:
            m += 1
            cuts[m] = scores[i]
        if positive[i]:
            pos += weight[i]
        else:
            neg += weight[i]
        tp[m], fp[m] = pos, neg
    return m + 1


@compiled
def weighted_cuts(order, scores, positive, weight):  # pragma: no cover - compiled
    """Weigh both classes above every distinct score.

    Parameters
    ----------
    order : ndarray of int64
        Sorts the scores in ascending order.
    scores, weight : ndarray of float64
        Score and weight of each row.
    positive : ndarray of bool
        Class of each row.

    Returns
    -------
    cuts : ndarray
        The distinct scores in descending order.
    above_pos, above_neg : ndarray
        Weight of the positives and negatives that score at least as much.
    """
    cuts = np.empty(order.size)
    above_pos = np.empty(order.size)
    above_neg = np.empty(order.size)
    m = weigh_cuts(scores, order, positive, weight, cuts, above_pos, above_neg)
    return cuts[:m], above_pos[:m], above_neg[:m]


@compiled
def lower_left_hull(x, y):  # pragma: no cover - compiled
    """Find the vertices that minimise some cost ``p*x + q*y`` with ``p, q >= 0``.

    Parameters
    ----------
    x, y : ndarray of float64
        Points with `x` ascending.

    Returns
    -------
    ndarray of int64
        Positions of the vertices, by ascending `x`; of equal points the first.
    """
    stack = np.empty(x.size, np.int64)
    m = 0
    for k in range(x.size):
        if m > 0 and y[k] >= y[stack[m - 1]]:
            continue  # the last vertex is at least as good in both coordinates
        if m > 0 and x[k] == x[stack[m - 1]]:
            m -= 1
        while m >= 2:
            a, b = stack[m - 2], stack[m - 1]
            turn = (x[b] - x[a]) * (y[k] - y[a]) - (y[b] - y[a]) * (x[k] - x[a])
            if turn > 0.0:
                break
            m -= 1
        stack[m] = k
        m += 1
    return stack[:m]


@compiled
def window_minima(costs, starts, ends):  # pragma: no cover - compiled
    """Find the first least cost within each of several windows.

    Parameters
    ----------
    costs : ndarray of float64
        Cost of each cut.
    starts, ends : ndarray of int64
        First position of each window, and the one after its last; neither ever falls.

    Returns
    -------
    ndarray of int64
        Position of the least cost; -1 in an empty window.
    """
    found = np.empty(starts.size, np.int64)
    queue = np.empty(costs.size, np.int64)  # positions whose costs rise
    head = tail = upto = 0
    for k in range(starts.size):
        while upto < ends[k]:
            while tail > head and costs[queue[tail - 1]] > costs[upto]:
                tail -= 1
            queue[tail] = upto
            tail += 1
            upto += 1
        while head < tail and queue[head] < starts[k]:
            head += 1
        found[k] = queue[head] if head < tail else -1
    return found
