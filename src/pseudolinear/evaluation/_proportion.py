"""Proportions: their intervals by Wilson and by Clopper and Pearson, and what is one of them."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from pseudolinear.evaluation._ratio import Ratio


def wilson(share: ArrayLike, n: ArrayLike, quantile: Any) -> NDArray[np.float64]:
    """Return Wilson's score interval of a proportion.

    Parameters
    ----------
    share : array-like
        What was observed.
    n : array-like
        Number of draws, also an effective one; of none, everything is possible.
    quantile : float or ndarray
        Of the standard normal distribution, or of Student's.

    Returns
    -------
    ndarray of shape (..., 2)
        Lower and upper end.

    Examples
    --------
    >>> from pseudolinear.evaluation import wilson
    >>> wilson(0.9, 10, 1.96).round(3)
    array([0.596, 0.982])
    """
    p, n = np.asarray(share, np.float64), np.asarray(n, np.float64)
    some = np.where(n > 0, n, 1.0)
    z2 = np.asarray(quantile, np.float64) ** 2 / some
    middle = (p + z2 / 2) / (1 + z2)
    half = np.sqrt(z2 * (p * (1 - p) + z2 / 4)) / (1 + z2)
    ends = np.stack([middle - half, middle + half], axis=-1).clip(0.0, 1.0)
    ends[..., 0] = np.where(p <= 0, 0.0, ends[..., 0])  # exactly, whatever the rounding
    ends[..., 1] = np.where(p >= 1, 1.0, ends[..., 1])
    return np.where((n > 0)[..., None], ends, [0.0, 1.0])


def clopper_pearson(hits: ArrayLike, n: ArrayLike, error: ArrayLike) -> NDArray[np.float64]:
    """Return the interval of a proportion that holds at every number of draws.

    Parameters
    ----------
    hits, n : array-like
        Number of hits, and of draws.
    error : float
        Probability of missing the proportion, at most; half of it on either side.

    Returns
    -------
    ndarray of shape (..., 2)
        Lower and upper end.

    Examples
    --------
    >>> from pseudolinear.evaluation import clopper_pearson
    >>> clopper_pearson(9, 10, 0.05).round(3)
    array([0.555, 0.997])
    """
    hits, n = np.asarray(hits, np.float64), np.asarray(n, np.float64)
    misses, tail = n - hits, np.asarray(error) / 2
    low = stats.beta.ppf(tail, np.where(hits > 0, hits, 1), misses + 1)
    high = stats.beta.ppf(1 - tail, hits + 1, np.where(misses > 0, misses, 1))
    return np.stack([np.where(hits > 0, low, 0.0), np.where(misses > 0, high, 1.0)], axis=-1)


class Proportion(NamedTuple):
    """A ratio that grows with a proportion, since rows that count are of two kinds.

    F1 and the Jaccard index grow with the share of the true positives among the rows that are
    positive or predicted; given the number of those, true positives are binomial.

    Attributes
    ----------
    factors : ndarray of shape (2, 4)
        What each of the cells (tp, fn, fp, tn) adds to hits and to misses.
    hit, miss : ndarray of shape (2,)
        What a hit and a miss add to numerator and denominator.
    """

    factors: NDArray[np.float64]
    hit: NDArray[np.float64]
    miss: NDArray[np.float64]

    @classmethod
    def of(cls, ratio: Ratio, possible: NDArray[np.float64]) -> Self | None:
        """Return the proportion behind a ratio, if possible rows are of two kinds, else None."""
        parts = np.stack([ratio.numerator, ratio.denominator])
        kinds = np.unique((possible @ parts.T).round(12), axis=0)
        kinds = kinds[kinds.any(axis=1)]
        if len(kinds) != 2:
            return None
        miss, hit = kinds[np.argsort(kinds[:, 0] / kinds[:, 1])]
        return cls(np.linalg.inv(np.stack([hit, miss], axis=1)) @ parts, hit, miss)

    def value(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the ratio at a share of hits."""
        above, below = (share[..., None] * self.hit + (1 - share[..., None]) * self.miss).T
        return (above / below).T
