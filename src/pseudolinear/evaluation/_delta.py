"""The delta method: a value is nearly a sum over the draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.evaluation._proportion import wilson
from pseudolinear.evaluation._statistic import Statistic

EXTRA = 0.5  # rows in each cell, without which errors that were not seen would be impossible


def standard_error(
    statistic: Statistic, row: float, squares_of: Callable[[Any], float] | None = None
) -> tuple[float, float]:
    """Return the standard deviation of a value over other draws, and the value it is for.

    Both are those with half a row more in every cell: where no error was seen, the variance is
    not 0.

    Parameters
    ----------
    statistic : Statistic
        What is evaluated.
    row : float
        Weight of a typical row.
    squares_of : callable, default=None
        Sums the squares of a linear function of each draw, where the statistic holds sums alone.

    Returns
    -------
    error, value : float
        Standard deviation, and value with the further rows.
    """
    extra = EXTRA * row * statistic.one_of_each
    sums = statistic.sums + extra
    gradient = statistic.gradient(sums)
    if squares_of is None:
        squares = statistic.count @ (statistic.totals @ gradient) ** 2
    else:
        squares = squares_of(gradient)
    unseen = EXTRA * row**2 * (gradient[statistic.one_of_each == 1] ** 2).sum()
    return float(np.sqrt(squares + unseen)), float(statistic.values(sums[None])[0])


def around(
    value: ArrayLike,
    error: ArrayLike,
    at: ArrayLike,
    quantile: float,
    limits: tuple[float, float],
) -> NDArray[np.float64]:
    """Return intervals around values from standard errors: shape (..., 2).

    With limits a value is taken for a proportion between them, of as many draws as would have this
    standard error (Korn and Graubard 1998), which keeps the interval within.

    Parameters
    ----------
    value : array-like
        In the middle, or nearly.
    error : array-like
        Standard deviation; infinite where nothing is known.
    at : array-like
        The value that has this standard deviation.
    quantile : float
        Of the standard normal distribution, or of Student's.
    limits : tuple of float
        Least and largest possible value; they may be infinite.

    Returns
    -------
    ndarray of shape (..., 2)
        Lower and upper end.
    """
    low, width = limits[0], limits[1] - limits[0]
    value, error = np.asarray(value, np.float64), np.asarray(error, np.float64)
    if not np.isfinite(width):
        half = quantile * error
        return np.stack([value - half, value + half], axis=-1)
    share, there = (np.clip((np.asarray(v) - low) / width, 0.0, 1.0) for v in (value, at))
    n = there * (1 - there) * (width / error) ** 2
    return low + width * wilson(share, n, quantile)
