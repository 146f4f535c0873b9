"""Calibration: from scores to the log-odds of the training population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_softmax

from pseudolinear._brief import brief_repr
from pseudolinear.errors import ErrorCurve

SATURATED = 7.0  # log-odds of 999 to 1; beyond, scores differ by chance, so they hardly count,
BEYOND = 1e-9  # but they keep their order, which a floor of the precision may need
CERTAIN = 37.0  # log-odds of a probability that rounds to 1 in double precision
LEAST_SLOPE = 1e-6  # keeps the order of scores that say nothing
DOUBT = 0.01  # share of the positive rows that might be negative, so that a perfect score is finite
PULL = 1e-4  # of intercepts of classes to 0, so that an absent class is finite
LEAD = 1e-9  # of the predicted class over another that is as likely


class Line(NamedTuple):
    """Log-odds as a line of the score; each a number, or one per class."""

    slope: float | NDArray[np.float64]
    intercept: float | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calibration:
    """One line per column of the scores, of labels or of classes.

    Attributes
    ----------
    slope, intercept : ndarray of shape (n_columns,)
        Log-odds, or log-probabilities of classes up to a constant, as a line of the score.
    limit : float, default=inf
        Scores beyond it count little more than it.
    """

    slope: NDArray[np.float64]
    intercept: NDArray[np.float64]
    limit: float = np.inf

    __repr__ = brief_repr

    def __call__(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the log-odds of scores of shape (n_samples, n_columns)."""
        return self.slope * flatten(scores, self.limit) + self.intercept

    def of_column(self, column: int, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the log-odds of scores of one column, of shape (n_samples,)."""
        return self.slope[column] * flatten(scores, self.limit) + self.intercept[column]

    def shifted(self, by_column: Mapping[int, float]) -> Calibration:
        """Move the log-odds of some columns, as another prevalence does."""
        intercept = self.intercept.copy()
        for column, shift in by_column.items():
            intercept[column] += shift
        return replace(self, intercept=intercept)


def flatten(scores: NDArray[np.float64], limit: float) -> NDArray[np.float64]:
    """Pull scores beyond a limit back, in their order."""
    if limit == np.inf:
        return scores
    clipped = np.clip(scores, -limit, limit)
    return clipped + BEYOND * (scores - clipped)


def platt(curve: ErrorCurve) -> Line:
    """Fit log-odds to the rows between the cuts of a score (Platt 1999).

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
    scores, positive, negative = between_cuts(curve)
    scores = flatten(scores, SATURATED)
    centre, spread = float(scores.mean()), float(scores.std()) or 1.0
    share = float(positive.sum())
    if not 0.0 < share < 1.0:  # a label of one value
        return Line(LEAST_SLOPE, CERTAIN if share else -CERTAIN)
    of_one = (1.0 - DOUBT) * positive + DOUBT * share * negative
    steep, intercept = _newton((scores - centre) / spread, of_one, positive + negative)
    slope = steep / spread
    if slope > LEAST_SLOPE:
        return Line(slope, intercept - slope * centre)
    return Line(LEAST_SLOPE, float(np.log(share / (1.0 - share))))


def _newton(
    scores: NDArray[np.float64], of_one: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[float, float]:
    """Return slope and intercept of the logistic curve of weighted scores.

    By Newton's method with halved steps, as the loop of many labels does it; for one label it is
    not worth being compiled.

    Parameters
    ----------
    scores : ndarray
        Of a scale near 1.
    of_one, weight : ndarray
        Weight of the positive rows and of all rows at each score.
    """
    square, share = scores * scores, float(of_one.sum())
    slope, intercept = 0.0, float(np.log(share / (weight.sum() - share)))
    best, step_s, step_i = np.inf, 0.0, 0.0
    for _ in range(100):
        for _ in range(60):
            z = slope * scores + intercept
            loss = float(weight @ np.logaddexp(0.0, z) - of_one @ z)
            if loss <= best + 1e-15:
                break
            step_s, step_i = step_s / 2, step_i / 2
            slope, intercept = slope + step_s, intercept + step_i
        p = expit(z)
        fall = weight * p
        h = fall * (1.0 - p)
        h_ss, h_si, h_ii = float(h @ square), float(h @ scores), float(h.sum())
        gain, det = best - loss, h_ss * h_ii - h_si * h_si
        best = min(best, loss)
        if gain <= 1e-12 or det <= 1e-300:
            break
        r = fall - of_one
        g_s, g_i = float(r @ scores), float(r.sum())
        step_s, step_i = (h_ii * g_s - h_si * g_i) / det, (h_ss * g_i - h_si * g_s) / det
        slope, intercept = slope - step_s, intercept - step_i
    return slope, intercept


def scale_classes(
    codes: NDArray[np.intp],
    scores: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None = None,
) -> Line:
    """Fit log-probabilities: one slope for all classes, one intercept each (Guo et al. 2017).

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Column of the true class of held-out rows.
    scores : ndarray of shape (n_samples, n_classes)
        Score of each class.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weight of each row.

    Returns
    -------
    Line
        With the least loss of all rows together.
    """
    n_rows, n_classes = scores.shape
    weight = np.ones(n_rows) if sample_weight is None else sample_weight
    weight = weight / weight.sum()
    true = np.eye(n_classes)[codes]

    def loss(point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        slope, intercept = np.exp(point[0]), point[1:]
        log_p = log_softmax(slope * scores + intercept, axis=1)
        wrong = weight[:, None] * (np.exp(log_p) - true)
        value = -weight @ log_p[np.arange(n_rows), codes] + PULL * (intercept @ intercept) / 2
        along_slope = slope * (wrong * scores).sum()
        return value, np.concatenate([[along_slope], wrong.sum(axis=0) + PULL * intercept])

    found = minimize(loss, np.zeros(1 + n_classes), jac=True, method="L-BFGS-B").x
    return Line(float(np.exp(found[0])), found[1:])


def between_cuts(curve: ErrorCurve) -> tuple[NDArray[np.float64], ...]:
    """Return the score and the shares of positive and negative rows between the cuts.

    The first is above all cuts, the last below them.
    """
    share = float(curve.prevalence[0])
    positive = np.diff(share - curve.fn[:, 0], prepend=0.0, append=share)
    negative = np.diff(curve.fp[:, 0], prepend=0.0, append=1.0 - share)
    cuts = curve.thresholds
    gaps = np.diff(cuts)
    ends = cuts[0] - gaps[0] / 2, cuts[-1] + gaps[-1] / 2
    scores = np.concatenate([ends[:1], (cuts[:-1] + cuts[1:]) / 2, ends[1:]])
    return scores, np.maximum(positive, 0.0), np.maximum(negative, 0.0)
