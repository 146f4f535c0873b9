"""Labels for rows that may have a few each: block coordinate ascent, and what it cannot exceed."""

import numpy as np

from pseudolinear.loops._compile import called_by_loops, compiled

STILL = 1e-12  # gain of a pass below which rows are not gone through again


@compiled
def _ratio(above, below, tp, count, zero):  # pragma: no cover - compiled
    """Evaluate a label of given expected true positives and predicted rows."""
    denominator = below[0] + below[1] * tp + below[2] * count
    if denominator <= 0.0:
        return zero
    return (above[0] + above[1] * tp + above[2] * count) / denominator


@compiled
def ascend_rows(p, chosen, above, below, zero, weight, k, max_passes):  # pragma: no cover
    """Give every row in turn the labels that are best while the other rows keep theirs.

    A row adds at most one to the counts of a label, so that the gains of its labels add up: its
    best labels are the k of the largest positive gains, and no step lowers the value.

    Parameters
    ----------
    p : ndarray of shape (n_samples, n_labels)
        Probabilities.
    chosen : ndarray of bool, shape (n_samples, n_labels)
        Where to start; overwritten.
    above, below : ndarray of shape (n_labels, 3)
        Numerator and denominator of each label: a constant, a factor of its expected true
        positives, and one of its predicted rows.
    zero : float
        Value where the denominator is 0.
    weight : ndarray of shape (n_labels,)
        Weight of each label in the mean.
    k : int
        Most labels of a row.
    max_passes : int
        How often all rows are gone through at most.

    Returns
    -------
    int
        Number of passes.
    """
    n_samples, n_labels = p.shape
    gains, best = np.empty(k), np.empty(k, np.int64)
    for number in range(max_passes):
        tp, count = np.zeros(n_labels), np.zeros(n_labels)
        for i in range(n_samples):
            for j in range(n_labels):
                if chosen[i, j]:
                    tp[j] += p[i, j]
                    count[j] += 1.0
        before, after = 0.0, 0.0
        for j in range(n_labels):
            before += weight[j] * _ratio(above[j], below[j], tp[j], count[j], zero)
        for i in range(n_samples):
            some = 0
            for j in range(n_labels):
                if chosen[i, j]:
                    tp[j] -= p[i, j]
                    count[j] -= 1.0
                    chosen[i, j] = False
                gain = weight[j] * (
                    _ratio(above[j], below[j], tp[j] + p[i, j], count[j] + 1.0, zero)
                    - _ratio(above[j], below[j], tp[j], count[j], zero)
                )
                if gain <= 0.0 or (some == k and gain <= gains[k - 1]):
                    continue
                if some < k:
                    some += 1
                place = some - 1
                while place > 0 and gains[place - 1] < gain:
                    gains[place], best[place] = gains[place - 1], best[place - 1]
                    place -= 1
                gains[place], best[place] = gain, j
            for place in range(some):
                j = best[place]
                chosen[i, j] = True
                tp[j] += p[i, j]
                count[j] += 1.0
        for j in range(n_labels):
            after += weight[j] * _ratio(above[j], below[j], tp[j], count[j], zero)
        if after - before <= STILL:
            return number + 1
    return max_passes


@called_by_loops
def _best_sum(p, prices, factor, least, most, buffer):  # pragma: no cover - compiled
    """Return the largest sum of ``factor * p - prices`` over least to most rows."""
    n_samples = p.size
    for i in range(n_samples):
        buffer[i] = factor * p[i] - prices[i]
    ascending = np.sort(buffer)
    total, best = 0.0, -np.inf
    for number in range(1, most + 1):
        gain = ascending[n_samples - number]
        if number > least and gain <= 0.0:
            break
        total += gain
        if number >= least:
            best = max(best, total)
    return best


@compiled
def priced_ceiling(p, prices, above, below, zero, weight, least, tol):  # pragma: no cover
    """Bound what a label gains at most, less the prices of its rows.

    With the number of predicted rows given, the value is linear in the true positives, with a
    factor that falls as the number grows. So on a range of numbers the factor at its start gives a
    bound; ranges are halved until the bound is within `tol` of what is reached.

    Parameters
    ----------
    p, prices : ndarray of shape (n_samples,)
        Probabilities of the label, and what predicting each row costs.
    above, below : ndarray of shape (3,)
        As for :func:`ascend_rows`; the denominator must not depend on the true positives, and the
        numerator or the denominator not on the number of predicted rows.
    zero, weight : float
        As for :func:`ascend_rows`.
    least : float
        What some prediction reaches.
    tol : float
        How much the bound may be above the true one.

    Returns
    -------
    float
        At least ``weight * value(rows) - prices[rows].sum()``, whatever the rows.
    """
    n_samples = p.size
    buffer = np.empty(n_samples)
    best = max(least, weight * _ratio(above, below, 0.0, 0.0, zero))
    bound = best
    if below[0] + below[2] <= 0.0:  # a label without a value
        return bound
    ranges = [(1, n_samples)]
    while len(ranges) > 0:
        first, last = ranges.pop()
        start = below[0] + below[2] * first
        end = below[0] + below[2] * last
        constant = weight * max(above[0] / start, above[0] / end)
        rising = prices - weight * above[2] / start  # of a fixed denominator
        most = constant + _best_sum(p, rising, weight * above[1] / start, first, last, buffer)
        if most <= best + tol:
            bound = max(bound, most)
        elif first == last:
            best = most
            bound = max(bound, most)
        else:
            middle = min(max(int(np.sqrt(float(first) * last)), first), last - 1)
            ranges.append((first, middle))
            ranges.append((middle + 1, last))
    return bound
