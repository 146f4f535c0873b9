"""The betting bound on a ratio of means of bounded quantities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from pseudolinear.evaluation._ratio import Ratio

N_STEPS = 50  # halvings of the range of values


def betting_interval(
    count: NDArray[np.float64],
    kinds: NDArray[np.float64],
    possible: NDArray[np.float64],
    ratio: Ratio,
    error: float,
) -> NDArray[np.float64]:
    r"""Return an interval of a ratio of means that holds at every number of rows.

    "The value is at most t" says that the mean of :math:`x = t \cdot den - num` is not negative. Whoever
    bets against it, a share :math:`\lambda` of the wealth on every row, has
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
    >>> cells = np.eye(4)
    >>> betting_interval(np.array([80, 10, 10, 900]), cells, cells, ratio_of(FBeta()), 0.05).round(2)
    array([0.79, 0.95])
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
    largest = float((limits[1] * (possible @ denominator) - possible @ numerator).max())
    n = max(float(count.sum(axis=-1).max()), 2.0)
    bets = (1 - 1e-9) / largest * 0.5 ** np.arange(np.ceil(np.log2(n) / 2) + 3)
    enough = np.log(2 / error) + np.log(len(bets))
    rejected = np.full(count.shape[:-1], limits[0])
    open_ = np.full(count.shape[:-1], limits[1])
    for _ in range(N_STEPS):
        t = (rejected + open_) / 2
        x = t[..., None] * below - above
        wealth = (count[..., None, :] * np.log1p(-bets[:, None] * x[..., None, :])).sum(axis=-1)
        reject = logsumexp(wealth, axis=-1) >= enough
        rejected, open_ = np.where(reject, t, rejected), np.where(reject, open_, t)
    return rejected
