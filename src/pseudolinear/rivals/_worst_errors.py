"""The set of errors that violates its margin most: the next cut of SVMPerf."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Errors(NamedTuple):
    """A set of errors, as one cut of the objective.

    Attributes
    ----------
    signs : ndarray of shape (n_samples,)
        The class, -1 or 1, of each row that is wrong, and 0 for the others.
    loss : float
        What the errors cost: a number of rows.
    """

    signs: NDArray[np.float64]
    loss: float


def worst_table(
    positives: NDArray[np.float64], negatives: NDArray[np.float64], beta: float = 1.0
) -> tuple[int, int]:
    r"""Find the contingency table that violates its margin most, in O(n log n).

    With p positives and n rows it maximises, over the number a of true and b of false positives,

    .. math:: n (1 - F_\beta(a, b)) - \sum_{i > a} s^+_i + \sum_{i \le b} s^-_i

    For each a this is concave in b, so the best b is found by bisection.

    Parameters
    ----------
    positives, negatives : ndarray
        Scores of either class in descending order.
    beta : float, default=1.0
        Weight of recall against precision.

    Returns
    -------
    a, b : int
        True and false positives.

    Examples
    --------
    >>> worst_table(np.array([2.0, -1.0]), np.array([0.5, -2.0]))
    (0, 1)
    """
    p, n = positives.size, positives.size + negatives.size
    a = np.arange(p + 1)
    gain, base = n * (1 + beta**2) * a, beta**2 * p + a
    low, high = np.zeros_like(a), np.full_like(a, negatives.size)
    while (low < high).any():
        middle = (low + high) // 2
        score = negatives[np.minimum(middle, negatives.size - 1)]
        rises = gain / ((base + middle) * (base + middle + 1)) + score > 0
        low, high = np.where(rises & (low < high), middle + 1, low), np.where(rises, high, middle)
    missed = np.append(np.cumsum(positives[::-1])[::-1], 0.0)
    taken = np.append(0.0, np.cumsum(negatives))
    best = int(np.argmax(taken[low] - missed - gain / (base + low)))
    return best, int(low[best])


def worst_errors_of_f(
    signs: NDArray[np.float64], scores: NDArray[np.float64], beta: float
) -> Errors:
    """Return the errors that violate the margin of the F-measure most."""
    positive, negative = np.flatnonzero(signs > 0), np.flatnonzero(signs < 0)
    positive = positive[np.argsort(-scores[positive], kind="stable")]
    negative = negative[np.argsort(-scores[negative], kind="stable")]
    a, b = worst_table(scores[positive], scores[negative], beta)
    wrong = np.zeros_like(signs)
    wrong[positive[a:]], wrong[negative[:b]] = 1.0, -1.0
    f = (1 + beta**2) * a / (beta**2 * positive.size + a + b)
    return Errors(wrong, signs.size * (1 - f))


def worst_errors_of_count(signs: NDArray[np.float64], scores: NDArray[np.float64]) -> Errors:
    """Return the errors that violate the margin of the error count most: the hinge loss."""
    wrong = np.where(signs * scores < 1, signs, 0.0)
    return Errors(wrong, float(np.abs(wrong).sum()))
