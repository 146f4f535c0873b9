"""Log-odds as lines of the scores, for any number of labels at once (Platt 1999)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pseudolinear._calibration import CERTAIN, SATURATED, Line, flatten
from pseudolinear.errors import ErrorCurve, ErrorCurves

LEAST_SLOPE = 1e-6  # keeps the order of scores that say nothing
DOUBT = 0.01  # share of the positive rows that might be negative, so that a perfect score is finite
STEPS = 200  # limit of Newton steps and halved ones; ten are usual
ENOUGH = 1e-12  # gain of a step in log-loss that ends them
FLAT = 1e-300  # determinant of a Hessian that has no inverse
ROUNDING = 1e-15  # of a log-loss


class Between(NamedTuple):
    """Rows between the cuts of several curves, one curve after the other.

    The first of a curve are above all its cuts, the last below them.
    """

    starts: NDArray[np.int64]
    scores: NDArray[np.float64]
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]


def platt(curve: ErrorCurve) -> Line:
    """Fit log-odds to the rows between the cuts of a score.

    Parameters
    ----------
    curve : ErrorCurve
        Errors of a label on held-out rows; its cuts are so many that rows between two of them can
        share a score.

    Returns
    -------
    Line
        Finite also for a perfect score: as with Platt, no row is quite certain, but the share is
        fixed, so that rows may have weights of any scale.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score = rng.normal(size=20_000)
    >>> y = rng.random(20_000) < 1 / (1 + np.exp(-(2 * score - 3)))
    >>> line = platt(ErrorCurve.from_scores(y, score).outline())
    >>> round(line.slope, 1), round(line.intercept, 1)
    (2.0, -3.0)
    """
    return platt_lines([curve])[0]


def platt_lines(curves: Sequence[ErrorCurve]) -> list[Line]:
    """Fit log-odds to the rows between the cuts of many scores, as `platt` does to one."""
    if not curves:
        return []
    slope, intercept = lines_of(ErrorCurves.of(curves))
    return list(map(Line, slope.tolist(), intercept.tolist()))


def lines_of(curves: ErrorCurves) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the slopes and the intercepts of the log-odds of many curves."""
    share = curves.prevalence
    inside = (share > 0.0) & (share < 1.0)
    with np.errstate(divide="ignore"):  # of labels of one value
        constant = np.clip(np.log(share) - np.log1p(-share), -CERTAIN, CERTAIN)
    starts, scores, positive, negative = between_cuts(curves)
    sizes = np.diff(starts)
    scores = flatten(scores, SATURATED)
    centre = np.add.reduceat(scores, starts[:-1]) / sizes
    scores = scores - np.repeat(centre, sizes)
    spread = np.sqrt(np.add.reduceat(scores**2, starts[:-1]) / sizes)
    varied = inside & (spread > 0.0)
    doubted = np.repeat(DOUBT * share, sizes)
    of_one = (1.0 - DOUBT) * positive + doubted * negative
    scores /= np.repeat(np.where(varied, spread, 1.0), sizes)
    steep, intercept = _newton(starts, scores, of_one, positive + negative, varied)
    slope = np.where(varied, steep / np.where(varied, spread, 1.0), 0.0)
    rising = slope > LEAST_SLOPE
    return (
        np.where(rising, slope, LEAST_SLOPE),
        np.where(rising, intercept - slope * centre, constant),
    )


def _newton(
    starts: NDArray[np.int64],
    scores: NDArray[np.float64],
    of_one: NDArray[np.float64],
    weight: NDArray[np.float64],
    alive: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return slopes and intercepts of the logistic curves of weighted scores.

    By Newton's method with halved steps. A label's sums know nothing of the other labels.

    Parameters
    ----------
    starts : ndarray of shape (n_labels + 1,)
        Where the scores of each label begin.
    scores : ndarray
        Of a scale near 1.
    of_one, weight : ndarray
        Weight of the positive rows and of all rows at each score.
    alive : ndarray of bool, shape (n_labels,)
        Which labels to fit; others get a line without a meaning.
    """
    sizes = np.diff(starts)

    def total(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.add.reduceat(values, starts[:-1])

    share, square = np.where(alive, total(of_one), 0.5), scores * scores
    slope, intercept = np.zeros(len(sizes)), np.log(share / np.where(alive, 1.0 - share, 0.5))
    best = np.full(len(sizes), np.inf)
    step_s, step_i = np.zeros((2, len(sizes)))
    for _ in range(STEPS):
        z = np.repeat(slope, sizes) * scores + np.repeat(intercept, sizes)
        loss = total(weight * np.logaddexp(0.0, z) - of_one * z)
        worse = alive & (loss > best + ROUNDING)
        p = expit(z)
        fall = weight * p
        bend = fall * (1.0 - p)
        h_ss, h_si, h_ii = total(bend * square), total(bend * scores), total(bend)
        det = h_ss * h_ii - h_si * h_si
        alive = alive & (worse | ((best - loss > ENOUGH) & (det > FLAT)))
        if not alive.any():
            break
        best = np.where(worse, best, np.minimum(best, loss))
        rest = fall - of_one
        g_s, g_i = total(rest * scores), total(rest)
        det = np.where(alive & ~worse, det, 1.0)
        new_s, new_i = (h_ii * g_s - h_si * g_i) / det, (h_ss * g_i - h_si * g_s) / det
        # A step that went too far is taken back by half.
        step_s = np.where(worse, step_s / 2, new_s)
        step_i = np.where(worse, step_i / 2, new_i)
        sign = np.where(alive, np.where(worse, 1.0, -1.0), 0.0)
        slope, intercept = slope + sign * step_s, intercept + sign * step_i
    return slope, intercept


def between_cuts(curves: ErrorCurves) -> Between:
    """Return the scores and the shares of positive and negative rows between the cuts."""
    number, share = np.arange(len(curves)), curves.prevalence
    first, last = curves.starts[:-1], curves.starts[1:]
    one_cut, cuts = last - first < 2, curves.thresholds
    top, bottom = cuts[first], cuts[last - 1]
    above = 2.0 * top - np.where(one_cut, top, cuts[np.minimum(first + 1, last - 1)])
    below = 2.0 * bottom - np.where(one_cut, bottom, cuts[np.maximum(last - 2, first)])
    place = np.arange(len(cuts)) + 1 + 2 * curves.spread(number)
    begin, end = first + 2 * number, last + 2 * number + 1

    def with_ends(values: NDArray[np.float64], low: Any, high: Any) -> NDArray[np.float64]:
        full = np.empty(len(cuts) + 2 * len(curves))
        full[place], full[begin], full[end] = values, low, high
        return full

    def inner(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.delete(values, end[:-1])  # from one curve to the next

    edges = with_ends(cuts, above, below)
    positive = np.diff(with_ends(curves.spread(share) - curves.fn, 0.0, share))
    negative = np.diff(with_ends(curves.fp, 0.0, 1.0 - share))
    return Between(
        curves.starts + np.arange(len(curves) + 1),
        inner((edges[1:] + edges[:-1]) / 2),
        np.maximum(inner(positive), 0.0),
        np.maximum(inner(negative), 0.0),
    )
