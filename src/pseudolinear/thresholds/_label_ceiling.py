"""What a mean of ratios cannot exceed with at most k labels for each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.loops._curves import lower_left_hull
from pseudolinear.loops._label_budget import priced_ceiling
from pseudolinear.thresholds._expected_ratio import ExpectedRatio

TOL = 2e-4  # how much of the gap may come from not looking closer


def label_ceiling(
    ratio: ExpectedRatio, p: NDArray[np.float64], labels: NDArray[np.bool_], k: int
) -> float:
    """Bound a mean of ratios by the dual of "at most k labels for each row".

    With a price for a label of each row, labels no longer compete, so that every one can be
    maximised on its own; whatever the prices are, that and ``k * sum(prices)`` is an upper bound.
    The price of a row is taken between the gains of its last label and of the next one.

    Parameters
    ----------
    ratio : ExpectedRatio
        A mean over labels.
    p : ndarray of shape (n_samples, n_labels)
        Probabilities.
    labels : ndarray of bool, shape (n_samples, n_labels)
        A good choice: the better it is, the tighter is the bound.
    k : int
        Most labels of a row.

    Returns
    -------
    float
        At least the value of every choice.
    """
    if ratio.below[:, 1].any() or (ratio.above[:, 2] * ratio.below[:, 2]).any():
        return _shared_price(ratio, p, k)
    of_positive, of_row = ratio.slopes(p, labels)
    gains = -np.sort(-(of_positive * p + of_row), axis=1)
    following = gains[:, k] if k < gains.shape[1] else np.zeros(len(gains))
    prices = np.maximum((gains[:, k - 1] + following) / 2, 0.0)
    total = k * prices.sum()
    for j in range(p.shape[1]):
        rows = labels[:, j]
        one = ratio.above[j], ratio.below[j], ratio.zero, ratio.weight[j]
        reached = _of_rows(one, p[rows, j]) - prices[rows].sum()
        column = np.ascontiguousarray(p[:, j])
        total += priced_ceiling(column, prices, *one, reached, TOL * ratio.weight[j])
    return float(total)


def _of_rows(one: tuple[Any, ...], p: NDArray[np.float64]) -> float:
    """Return the weighted value of a label whose rows of given probabilities are predicted."""
    above, below, zero, weight = one
    counts = np.array([1.0, p.sum(), len(p)])
    denominator = below @ counts
    return float(weight * (above @ counts / denominator if denominator > 0 else zero))


def _shared_price(ratio: ExpectedRatio, p: NDArray[np.float64], k: int) -> float:
    """Bound a mean of ratios with one price for all rows, at which n * k labels are predicted.

    The best rows of a label, whatever their number, are its likeliest. The least bound over all
    prices is what the concave hulls of the labels' values reach with n * k rows in all.
    """
    n_samples, n_labels = p.shape
    numbers = np.arange(n_samples + 1.0)[:, None]
    tp = np.vstack([np.zeros(n_labels), np.cumsum(-np.sort(-p, axis=0), axis=0)])
    above, below = (s[:, 0] + s[:, 1] * tp + s[:, 2] * numbers for s in (ratio.above, ratio.below))
    some = below > 0
    values = ratio.weight * np.where(some, above / np.where(some, below, 1.0), ratio.zero)
    falls = values.max(axis=0) - values
    corners = [lower_left_hull(numbers[:, 0], falls[:, j]) for j in range(n_labels)]
    steps = np.concatenate([np.diff(c) for c in corners])
    rises = np.concatenate([np.diff(values[c, j]) for j, c in enumerate(corners)])
    order = np.argsort(-rises / steps)
    steps, rises = steps[order], rises[order]
    left = np.clip(n_samples * k - np.concatenate([[0], np.cumsum(steps)[:-1]]), 0, steps)
    return float(values[0].sum() + (rises * left / steps).sum())
