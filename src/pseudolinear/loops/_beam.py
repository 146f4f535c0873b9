"""Beam search through a tree of labels, row by row."""

import numpy as np

from pseudolinear.loops._compile import called_by_loops, compiled


@called_by_loops
def _sift(scores, items, size):  # pragma: no cover - compiled
    """Restore a heap with the least score on top, after a new top."""
    i = 0
    while True:
        least, left = i, 2 * i + 1
        for j in (left, left + 1):
            if j < size and scores[j] < scores[least]:
                least = j
        if least == i:
            return
        scores[i], scores[least] = scores[least], scores[i]
        items[i], items[least] = items[least], items[i]
        i = least


@called_by_loops
def _push(scores, items, size, score, item):  # pragma: no cover - compiled
    """Add to a heap of the largest scores; return its size and what did not fit in."""
    if size == len(scores):
        if score <= scores[0]:
            return size, score
        lost = scores[0]
        scores[0], items[0] = score, item
        _sift(scores, items, size)
        return size, lost
    i = size
    scores[i], items[i] = score, item
    while i > 0 and scores[(i - 1) // 2] > scores[i]:
        up = (i - 1) // 2
        scores[i], scores[up] = scores[up], scores[i]
        items[i], items[up] = items[up], items[i]
        i = up
    return size + 1, -np.inf


@compiled
def _find(values, low, high, wanted):  # pragma: no cover - compiled
    """Return where the first value of at least `wanted` is, by steps that double first."""
    step = 1
    while low + step < high and values[low + step] < wanted:
        low += step
        step *= 2
    high = min(high, low + step)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def _margins(x_columns, x_values, w_ends, w_edges, w_values, intercept, first, nodes, z):
    """Write the margins of all edges that leave the nodes, which ascend, into z."""
    k = 0
    for node in nodes:
        for edge in range(first[node], first[node + 1]):
            z[k] = intercept[edge]
            k += 1
    for j in range(len(x_columns)):
        at, end = w_ends[x_columns[j]], w_ends[x_columns[j] + 1]
        x, k = x_values[j], 0
        for node in nodes:
            start, stop = first[node], first[node + 1]
            at = _find(w_edges, at, end, start)
            if at == end:
                break
            while at < end and w_edges[at] < stop:
                z[k + w_edges[at] - start] += x * w_values[at]
                at += 1
            k += stop - start


@compiled
def shortlist_rows(
    x_ends,
    x_columns,
    x_values,
    w_ends,
    w_edges,
    w_values,
    intercept,
    first,
    child,
    damping,
    floors,
    beam,
    labels,
    scores,
    counts,
    bounds,
    left_out,
):  # pragma: no cover - compiled
    """Find the labels of the largest scores of every row.

    The score of a label is the sum of log(sigmoid(margin)) over the edges that lead to it, all but
    the last one damped, so what leads to a label scores at least as much as the label.

    Parameters
    ----------
    x_ends, x_columns, x_values : ndarray
        The rows, CSR.
    w_ends, w_edges, w_values : ndarray
        Weights, CSR of shape (n_features, n_edges) with ascending edges.
    intercept : ndarray of shape (n_edges,)
        Added to the margins.
    first, child : ndarray
        See `LabelTree`.
    damping : float
        What edges to nodes are multiplied by.
    floors : ndarray of shape (n_nodes + n_labels,)
        Score below which a node or a label is of no interest.
    beam : int
        Most nodes that are looked at on a level of the tree.
    labels, scores : ndarray of shape (n_samples, most)
        Written: labels, ascending, and their scores.
    counts : ndarray of shape (n_samples,)
        Written: how many labels there are.
    bounds, left_out : ndarray of shape (n_samples,)
        Written: the largest score of a node that the beam has dropped, and of a label that was
        found, but is one too many; -inf without any.
    """
    n_nodes = len(first) - 1
    z = np.empty(len(child))
    node_scores, nodes = np.empty(beam), np.empty(beam, np.int64)
    next_scores, next_nodes = np.empty(beam), np.empty(beam, np.int64)
    for i in range(len(counts)):
        found, n_open = 0, 1
        node_scores[0], nodes[0] = 0.0, 0
        bounds[i] = left_out[i] = -np.inf
        columns = x_columns[x_ends[i] : x_ends[i + 1]]
        values = x_values[x_ends[i] : x_ends[i + 1]]
        while n_open:
            _margins(
                columns, values, w_ends, w_edges, w_values, intercept, first, nodes[:n_open], z
            )
            n_next, k = 0, 0
            for b in range(n_open):
                for edge in range(first[nodes[b]], first[nodes[b] + 1]):
                    to = child[edge]
                    weight = 1.0 if to >= n_nodes else damping
                    score = node_scores[b] - weight * np.logaddexp(0.0, -z[k])
                    k += 1
                    if score < floors[to]:
                        continue
                    if to >= n_nodes:
                        found, lost = _push(scores[i], labels[i], found, score, to - n_nodes)
                        left_out[i] = max(left_out[i], lost)
                    else:
                        n_next, lost = _push(next_scores, next_nodes, n_next, score, to)
                        bounds[i] = max(bounds[i], lost)
            order = np.argsort(next_nodes[:n_next])
            for b in range(n_next):
                nodes[b], node_scores[b] = next_nodes[order[b]], next_scores[order[b]]
            n_open = n_next
        order = np.argsort(labels[i, :found])
        labels[i, :found] = labels[i, :found][order]
        scores[i, :found] = scores[i, :found][order]
        counts[i] = found
