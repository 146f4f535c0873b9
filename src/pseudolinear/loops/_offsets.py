"""The walk of one class through all of its thresholds in a multiclass problem."""

import numpy as np

from pseudolinear.loops._compile import compiled


@compiled
def _value(row, fn, fp):  # pragma: no cover - compiled
    denominator = row[3] + row[4] * fn + row[5] * fp
    if denominator <= 1e-12:  # sums of weights that cancel leave rounding behind
        return row[6]
    return (row[0] + row[1] * fn + row[2] * fp) / denominator


@compiled
def two_best(scores, thresholds, k, classes, shifted):  # pragma: no cover - compiled
    """Find the two classes of the largest scores anew in every row, once class `k` has moved.

    Of equal scores that of the first class counts as the largest.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_classes)
        Score of each class.
    thresholds : ndarray of shape (n_classes,)
        What is subtracted from them.
    k : int
        The class whose threshold has changed.
    classes, shifted : ndarray of shape (2, n_samples)
        The two classes, the best one first, and their scores less the thresholds; read and
        written. Rows that name class `k` as one of the two are looked at afresh.
    """
    for i in range(len(scores)):
        first, second = classes[0, i], classes[1, i]
        best, next_best = shifted[0, i], shifted[1, i]
        if first == k or second == k:
            first, second, best, next_best = 0, 0, -np.inf, -np.inf
            for j in range(len(thresholds)):
                own = scores[i, j] - thresholds[j]
                if own > best:
                    second, next_best = first, best
                    first, best = j, own
                elif own > next_best:
                    second, next_best = j, own
        else:
            own = scores[i, k] - thresholds[k]
            if own > best or (own == best and k < first):
                second, next_best = first, best
                first, best = k, own
            elif own > next_best or (own == next_best and k < second):
                second, next_best = k, own
        classes[0, i], classes[1, i] = first, second
        shifted[0, i], shifted[1, i] = best, next_best


@compiled
def leads(scores, classes, shifted, k):  # pragma: no cover - compiled
    """Find how far class `k` is ahead of the best other class, whose threshold is subtracted.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_classes)
        Score of each class.
    classes, shifted : ndarray of shape (2, n_samples)
        The two best classes of each row and their scores, see `two_best`.
    k : int
        The class.

    Returns
    -------
    lead, other : ndarray of shape (n_samples,)
        The lead, above whose threshold class `k` wins, and the best other class.
    """
    lead = np.empty(len(scores))
    other = np.empty(len(scores), np.int64)
    for i in range(len(scores)):
        place = 1 if classes[0, i] == k else 0
        lead[i], other[i] = scores[i, k] - shifted[place, i], classes[place, i]
    return lead, other


@compiled
def best_lead(order, lead, other, codes, weight, k, table):  # pragma: no cover - compiled
    """Find the threshold of class `k` that makes the sum of all classes' values largest.

    Parameters
    ----------
    order : ndarray of int64
        Sorts the leads in ascending order.
    lead : ndarray of float64
        Lead of class `k` over the best other class.
    other, codes : ndarray of int64
        Best other class and true class of each row.
    weight : ndarray of float64
        Weight of each row.
    k : int
        The class that moves.
    table : ndarray of shape (n_classes, 7)
        alpha0, gamma (2), alpha1, delta (2) of each class, and its value where the denominator is
        zero.

    Returns
    -------
    total, threshold : float
        Best sum, and the lead that a row needs to be given class `k`.
    """
    n_classes = table.shape[0]
    fn = np.zeros(n_classes)
    fp = np.zeros(n_classes)
    for i in range(codes.size):  # at first no row is given class k
        if other[i] != codes[i]:
            fn[codes[i]] += weight[i]
            fp[other[i]] += weight[i]
    values = np.empty(n_classes)
    total = 0.0
    for j in range(n_classes):
        values[j] = _value(table[j], fn[j], fp[j])
        total += values[j]
    best, threshold = total, lead[order[-1]] + 1.0
    for m in range(codes.size - 1, -1, -1):
        i, below = order[m], order[max(m - 1, 0)]
        j = other[i]
        if codes[i] == j:
            fn[j] += weight[i]
        else:
            fp[j] -= weight[i]
        if codes[i] == k:
            fn[k] -= weight[i]
        else:
            fp[k] += weight[i]
        for c in (j, k):
            fresh = _value(table[c], fn[c], fp[c])
            total += fresh - values[c]
            values[c] = fresh
        if (m == 0 or lead[below] < lead[i]) and total > best:
            best = total
            if m == 0:
                threshold = lead[i] - 1.0
            else:
                threshold = 0.5 * lead[i] + 0.5 * lead[below]
                if threshold >= lead[i]:
                    threshold = lead[below]
    return best, threshold
