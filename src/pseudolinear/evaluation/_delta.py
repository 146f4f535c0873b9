"""The delta method: a value is nearly a sum over the draws."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from pseudolinear.evaluation._proportion import wilson
from pseudolinear.evaluation._statistic import Statistic


def standard_error(statistic: Statistic) -> float:
    """Return the standard deviation of a value over other draws of as many rows or groups."""
    n = statistic.count.sum()
    if n < 2:
        return float("nan")
    squares = statistic.count @ statistic.influence() ** 2
    return float(np.sqrt(squares * n / (n - 1)))


def delta_interval(
    statistic: Statistic, confidence: float, limits: tuple[float, float], n_relevant: float
) -> NDArray[np.float64]:
    """Return an interval by the delta method, in the form of Wilson's where values have limits.

    Parameters
    ----------
    statistic : Statistic
        What is evaluated.
    confidence : float
        Probability of covering, nearly.
    limits : tuple of float
        Least and largest possible value.
    n_relevant : float
        Number of draws that decide the value, for where they are all alike.

    Returns
    -------
    ndarray of shape (2,)
        Lower and upper end.
    """
    error, n = standard_error(statistic), float(statistic.count.sum())
    quantile = stats.t.ppf((1 + confidence) / 2, max(n - 1, 1))
    return around(statistic.value, error, quantile, limits, n_relevant)


def around(
    value: ArrayLike,
    error: ArrayLike,
    quantile: float,
    limits: tuple[float, float],
    n_relevant: ArrayLike,
) -> NDArray[np.float64]:
    """Return intervals around values from their standard errors: shape (..., 2).

    With limits a value is taken for a proportion between them, of as many draws as have this
    standard error (Korn and Graubard 1998); of an error of 0 the relevant draws are counted, and of
    an unknown one (NaN) everything is possible.
    """
    low, width = limits[0], limits[1] - limits[0]
    value, error = np.asarray(value, np.float64), np.asarray(error, np.float64)
    if not np.isfinite(width):
        half = quantile * np.where(np.isnan(error), np.inf, error)
        return np.stack([value - half, value + half], axis=-1)
    share = np.clip((value - low) / width, 0.0, 1.0)
    spread, known = share * (1 - share), error > 0
    n = spread * (width / np.where(known, error, 1.0)) ** 2
    n = np.where(known & (spread > 0), n, n_relevant)
    return low + width * wilson(share, np.where(np.isnan(error), 0.0, n), quantile)
