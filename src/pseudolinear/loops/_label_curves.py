"""Loops over many labels: the best of their cuts, and scores by sparse weights."""

import numpy as np

from pseudolinear.loops._compile import compiled


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
        i = starts[k]
        top = values[i]
        for j in range(i + 1, starts[k + 1]):
            top = values[j] if values[j] > top else top
        size = abs(top)
        least = top - slack * (size if size > 1.0 else 1.0)
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
