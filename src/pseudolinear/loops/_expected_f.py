"""The expected F of every top-k set, by the recursions of Ye, Chai, Lee and Chieu (2012)."""

import numpy as np

from pseudolinear.loops._compile import called_by_loops, compiled


@called_by_loops
def _add_row(count, p, k, out):  # pragma: no cover - compiled
    """Turn the distribution of the positives among k - 1 rows into that among k rows."""
    q = 1.0 - p
    out[0] = q * count[0]
    for j in range(1, k):
        out[j] = q * count[j] + p * count[j - 1]
    out[k] = p * count[k - 1]


@compiled
def expected_f_curve(p, q, r):  # pragma: no cover - compiled
    """Compute the expected F of the first k rows, for every k.

    The distributions of the positives among the first k rows are needed from the last to the
    first, which is against the order of their recursion. Every sqrt(n)-th one is kept and those
    between are computed again: all terms are positive and nothing is ever subtracted.

    Parameters
    ----------
    p : ndarray of float64
        Probabilities of independent rows.
    q, r : int
        ``beta**2 = q / r``.

    Returns
    -------
    ndarray of shape (n,)
        Expected F of the first 1, ..., n rows predicted positive.
    """
    n = p.size
    step = int(np.sqrt(n)) + 1
    n_blocks = (n + step - 1) // step
    kept = np.zeros((n_blocks, n + 1))  # distribution for k = 0, step, 2 * step, ...
    block = np.zeros((step + 1, n + 1))
    kept[0, 0] = 1.0
    for b in range(n_blocks - 1):
        block[0] = kept[b]
        for i in range(step):
            k = b * step + i + 1
            _add_row(block[i], p[k - 1], k, block[i + 1])
        kept[b + 1] = block[step]
    # inverse[a] = E 1 / (a + q * positives among the rows after k)
    inverse = np.empty((q + r) * n + 1)
    inverse[0] = 0.0  # never used
    for a in range(1, inverse.size):
        inverse[a] = 1.0 / a
    values = np.empty(n)
    for b in range(n_blocks - 1, -1, -1):
        first, last = b * step, min(n, (b + 1) * step)
        block[0] = kept[b]
        for k in range(first + 1, last + 1):
            _add_row(block[k - first - 1], p[k - 1], k, block[k - first])
        for k in range(last, first, -1):
            count = block[k - first]
            total = 0.0
            for j in range(1, k + 1):
                total += j * count[j] * inverse[r * k + q * j]
            values[k - 1] = (q + r) * total
            p_k, not_p_k = p[k - 1], 1.0 - p[k - 1]
            for a in range(1, (q + r) * (k - 1) + 1):
                inverse[a] = p_k * inverse[a + q] + not_p_k * inverse[a]
    return values
