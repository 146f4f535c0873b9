"""Calibration: from scores to the log-odds of the training population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression

from pseudolinear._brief import brief_repr
from pseudolinear.errors import ErrorCurve

SATURATED = 7.0  # log-odds of 999 to 1; beyond, scores differ by chance, so they hardly count,
BEYOND = 1e-9  # but they keep their order, which a floor of the precision may need
LEAST_SLOPE = 1e-6  # keeps the order of scores that say nothing


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


def flatten(scores: NDArray[np.float64], limit: float) -> NDArray[np.float64]:
    """Pull scores beyond a limit back, in their order."""
    if limit == np.inf:
        return scores
    clipped = np.clip(scores, -limit, limit)
    return clipped + BEYOND * (scores - clipped)


def platt(curve: ErrorCurve, n_rows: float) -> Line:
    """Fit log-odds to the rows between the cuts of a score (Platt 1999).

    Parameters
    ----------
    curve : ErrorCurve
        Errors of a label on held-out rows; its cuts are so many that rows between two of them can
        share a score.
    n_rows : float
        Number of these rows.

    Returns
    -------
    Line
        With Platt's prior of one row more of each class, so that a perfect score stays finite.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score = rng.normal(size=20_000)
    >>> y = rng.random(20_000) < 1 / (1 + np.exp(-(2 * score - 3)))
    >>> line = platt(ErrorCurve.from_scores(y, score).outline(), len(y))
    >>> round(line.slope, 1), round(line.intercept, 1)
    (2.0, -3.0)
    """
    scores, positive, negative = _between_cuts(curve)
    scores = flatten(scores, SATURATED)
    centre, spread = float(scores.mean()), float(scores.std()) or 1.0
    n_positive, n_negative = n_rows * positive.sum(), n_rows * negative.sum()
    high, low = (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2)
    of_one = high * positive + low * negative
    weight = n_rows * np.concatenate([positive + negative - of_one, of_one])
    y = np.repeat([0, 1], len(scores))
    standard = np.tile((scores - centre) / spread, 2)[:, None]
    model = LogisticRegression(C=np.inf).fit(standard, y, weight)
    slope = float(model.coef_[0, 0]) / spread
    if slope > LEAST_SLOPE:
        return Line(slope, float(model.intercept_[0]) - slope * centre)
    share = of_one.sum()
    return Line(LEAST_SLOPE, float(np.log(share / (1 - share))))


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
        Intercepts are drawn to 0 as by one row, so that an absent class stays finite.
    """
    n_rows, n_classes = scores.shape
    weight = np.ones(n_rows) if sample_weight is None else sample_weight
    true = np.eye(n_classes)[codes]

    def loss(point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        slope, intercept = np.exp(point[0]), point[1:]
        log_p = log_softmax(slope * scores + intercept, axis=1)
        wrong = weight[:, None] * (np.exp(log_p) - true)
        value = -weight @ log_p[np.arange(n_rows), codes] + intercept @ intercept / 2
        along_slope = slope * (wrong * scores).sum()
        return value, np.concatenate([[along_slope], wrong.sum(axis=0) + intercept])

    found = minimize(loss, np.zeros(1 + n_classes), jac=True, method="L-BFGS-B").x
    return Line(float(np.exp(found[0])), found[1:])


def _between_cuts(curve: ErrorCurve) -> tuple[NDArray[np.float64], ...]:
    """Return the score and the shares of positive and negative rows between the cuts."""
    share = float(curve.prevalence[0])
    positive = np.diff(share - curve.fn[:, 0], prepend=0.0, append=share)
    negative = np.diff(curve.fp[:, 0], prepend=0.0, append=1.0 - share)
    cuts = curve.thresholds
    gaps = np.diff(cuts)
    ends = cuts[0] - gaps[0] / 2, cuts[-1] + gaps[-1] / 2
    scores = np.concatenate([ends[:1], (cuts[:-1] + cuts[1:]) / 2, ends[1:]])
    return scores, np.maximum(positive, 0.0), np.maximum(negative, 0.0)
