"""Every sample that a few rows can give, with its probability."""

from itertools import product

import numpy as np
from scipy import stats


def samples(n):
    """All counts of (tp, fn, fp, tn) that n rows can have."""
    counts = np.array([c for c in product(range(n + 1), repeat=3) if sum(c) <= n])
    return np.column_stack([counts, n - counts.sum(axis=1)]).astype(float)


def coverage(counts, intervals, truth, shares):
    """The probability that an interval holds the truth, when rows have these shares of cells."""
    n = int(counts[0].sum())
    probability = stats.multinomial(n, shares).pmf(counts)
    held = (intervals[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= intervals[:, 1])
    return probability @ held
