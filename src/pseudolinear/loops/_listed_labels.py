"""At most k labels for rows of which a few labels are likely: block coordinate ascent."""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._label_budget import STILL, _ratio


@compiled
def ascend_listed(ends, labels, p, chosen, above, below, zero, weight, k, max_passes):
    """Give every row in turn the listed labels that are best while the other rows keep theirs.

    Parameters
    ----------
    ends, labels, p : ndarray
        CSR matrix of the probabilities of the labels that are listed.
    chosen : ndarray of bool, shape (n_listed,)
        Where to start; overwritten.
    above, below, zero, weight, k, max_passes
        See `ascend_rows`.

    Returns
    -------
    int
        Number of passes.
    """
    n_labels = len(weight)
    gains, best = np.empty(k), np.empty(k, np.int64)
    for number in range(max_passes):
        tp, count = np.zeros(n_labels), np.zeros(n_labels)
        for e in range(len(p)):
            if chosen[e]:
                tp[labels[e]] += p[e]
                count[labels[e]] += 1.0
        before, after = 0.0, 0.0
        for j in range(n_labels):
            before += weight[j] * _ratio(above[j], below[j], tp[j], count[j], zero)
        for i in range(len(ends) - 1):
            some = 0
            for e in range(ends[i], ends[i + 1]):
                j = labels[e]
                if chosen[e]:
                    tp[j] -= p[e]
                    count[j] -= 1.0
                    chosen[e] = False
                gain = weight[j] * (
                    _ratio(above[j], below[j], tp[j] + p[e], count[j] + 1.0, zero)
                    - _ratio(above[j], below[j], tp[j], count[j], zero)
                )
                if gain <= 0.0 or (some == k and gain <= gains[k - 1]):
                    continue
                some = min(some + 1, k)
                place = some - 1
                while place > 0 and gains[place - 1] < gain:
                    gains[place], best[place] = gains[place - 1], best[place - 1]
                    place -= 1
                gains[place], best[place] = gain, e
            for e in best[:some]:
                chosen[e] = True
                tp[labels[e]] += p[e]
                count[labels[e]] += 1.0
        for j in range(n_labels):
            after += weight[j] * _ratio(above[j], below[j], tp[j], count[j], zero)
        if after - before <= STILL:
            return number + 1
    return max_passes
