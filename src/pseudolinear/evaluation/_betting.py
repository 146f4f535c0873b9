"""The betting bound on a ratio of means of bounded quantities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from pseudolinear.evaluation._ratio import Ratio

N_STEPS = 50  # halvings of the range of values
N_BETS = 8


def betting_interval(
    count: NDArray[np.float64],
    kinds: NDArray[np.float64],
    possible: NDArray[np.float64],
    ratio: Ratio,
    error: float,
) -> NDArray[np.float64]:
    r"""Return an interval of a ratio of means that holds at every number of rows.

    "The value is at most t" says that the mean of :math:`x = t \cdot den - num` is not negative.
    Whoever bets against it, a share :math:`\lambda` of the wealth on every row, has
    :math:`\prod_i (1 - \lambda x_i)` times as much at the end, whose mean is at most 1 if it is
    true; the same holds of the mean over several :math:`\lambda`. So it is rejected where the
    wealth is 2 / error, by Markov's inequality (Waudby-Smith and Ramdas 2024; the mean over the
    bets, as Orabona and Jun 2024, does not depend on the order of the rows). Likewise from above.

    Parameters
    ----------
    count : ndarray of shape (..., n_kinds)
        How many rows there are of each kind.
    kinds : ndarray of shape (n_kinds, 4)
        The cells (tp, fn, fp, tn) of a row of each kind.
    possible : ndarray of shape (n_possible, 4)
        The cells of rows that have the extreme values of x, seen or not.
    ratio : Ratio
        What cells add to numerator and denominator.
    error : float
        Probability of missing the value, at most.

    Returns
    -------
    ndarray of shape (..., 2)
        Lower and upper end.

    Examples
    --------
    >>> from pseudolinear.evaluation import betting_interval, ratio_of
    >>> cells, count = np.eye(4), np.array([80, 10, 10, 900])
    >>> betting_interval(count, cells, cells, ratio_of(FBeta()), 0.05).round(2)
    array([0.8 , 0.95])
    """
    low, high = ratio.range
    up = _bound(count, kinds, possible, ratio.numerator, ratio.denominator, (low, high), error)
    # Minus the ratio is a ratio, whose lower bound is minus the upper one.
    down = _bound(count, kinds, possible, -ratio.numerator, ratio.denominator, (-high, -low), error)
    return np.stack([up, -down], axis=-1)


def _bound(
    count: NDArray[np.float64],
    kinds: NDArray[np.float64],
    possible: NDArray[np.float64],
    numerator: NDArray[np.float64],
    denominator: NDArray[np.float64],
    limits: tuple[float, float],
    error: float,
) -> NDArray[np.float64]:
    """Return the largest t that is rejected with all below it; wealth falls in t for every bet."""
    above, below = kinds @ numerator, kinds @ denominator
    counting = count @ ((above != 0) | (below != 0))  # all other rows have x = 0 at every t
    bets, shares = _bets(counting, possible @ numerator, possible @ denominator, limits, error)
    enough = np.log(2 / error)
    rejected = np.full(count.shape[:-1], limits[0])
    open_ = np.full(count.shape[:-1], limits[1])
    for _ in range(N_STEPS):
        t = (rejected + open_) / 2
        x = t[..., None] * below - above
        gains = np.log1p(-bets[..., None] * x[..., None, :])
        wealth = (count[..., None, :] * gains).sum(axis=-1)
        reject = logsumexp(wealth, axis=-1, b=shares) >= enough
        rejected, open_ = np.where(reject, t, rejected), np.where(reject, open_, t)
    return rejected


def _bets(
    n: NDArray[np.float64],
    above: NDArray[np.float64],
    below: NDArray[np.float64],
    limits: tuple[float, float],
    error: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return bets, and which share of the wealth each of them gets.

    The first suits the largest variance that x can have with a mean of 0; each further one is twice
    as large and gets half as much. None can lose everything at any t.
    """
    x = np.linspace(*limits, 101)[:, None] * below - above
    largest, variance = x.max(), (x.max(axis=1) * -x.min(axis=1)).max()
    first = np.sqrt(2 * np.log(2 / error) / (np.maximum(n, 1.0) * variance))
    doublings = 2.0 ** np.arange(N_BETS)
    bets = np.minimum(first[..., None] * doublings, (1 - 1e-9) / largest)
    return bets, (1 / doublings) / (1 / doublings).sum()
