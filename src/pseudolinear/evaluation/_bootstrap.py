"""The bootstrap over draws, with Efron's correction for bias and skewness."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats
from sklearn.utils import check_random_state

from pseudolinear.evaluation._statistic import Statistic
from pseudolinear.measures import rounding

N_RESAMPLES = 2000
BLOCK = 250  # resamples that are added up side by side
FEW = 8  # draws of one kind, on average, from which on counting kinds is faster than drawing rows
DENSE = 0.05  # share of entries from which on a dense product is faster


def resampled_values(
    statistic: Statistic, random_state: Any = 0, n_resamples: int = N_RESAMPLES
) -> NDArray[np.float64]:
    """Evaluate resamples of the draws.

    Draws of few kinds are not drawn one by one: the counts of the kinds are multinomial.
    """
    totals = statistic.totals
    if sparse.issparse(totals) and totals.nnz > DENSE * np.prod(totals.shape):
        totals = totals.toarray()
    parts = [
        statistic.values(np.asarray(counts @ totals))
        for counts in _resampled_counts(statistic.count, random_state, n_resamples)
    ]
    return np.concatenate(parts)


def bootstrap_interval(
    statistic: Statistic, confidence: float, random_state: Any = 0
) -> NDArray[np.float64]:
    """Return the interval BCa of Efron (1987); the acceleration is that of the influences.

    Parameters
    ----------
    statistic : Statistic
        What is evaluated.
    confidence : float
        Probability of covering, nearly.
    random_state : int or RandomState instance, default=0
        Seed of the resamples.

    Returns
    -------
    ndarray of shape (2,)
        Lower and upper end.
    """
    values, value = resampled_values(statistic, random_state), statistic.value
    equal = rounding(value)
    below = np.mean(values < value - equal) / 2 + np.mean(values <= value + equal) / 2
    smallest = 0.5 / len(values)
    bias = stats.norm.ppf(np.clip(below, smallest, 1 - smallest))
    shift = bias + stats.norm.ppf([(1 - confidence) / 2, (1 + confidence) / 2])
    at = stats.norm.cdf(bias + shift / (1 - _acceleration(statistic) * shift))
    return np.quantile(values, at)


def _acceleration(statistic: Statistic) -> float:
    influence = statistic.influence()
    spread = float(statistic.count @ influence**2)
    if spread == 0:
        return 0.0
    return float(statistic.count @ influence**3) / (6 * spread**1.5)


def _resampled_counts(
    count: NDArray[np.float64], random_state: Any, n_resamples: int
) -> Iterator[NDArray[np.float64]]:
    """Yield blocks of how often each kind is drawn in a resample."""
    rng, n = check_random_state(random_state), int(count.sum())
    kinds = np.repeat(np.arange(len(count)), count.astype(np.intp))
    for start in range(0, n_resamples, BLOCK):
        size = min(BLOCK, n_resamples - start)
        if len(count) * FEW <= n:
            yield rng.multinomial(n, count / n, size).astype(np.float64)
        else:
            drawn = (
                np.bincount(kinds[rng.randint(n, size=n)], minlength=len(count))
                for _ in range(size)
            )
            yield np.stack(list(drawn)).astype(np.float64)
