"""Calibration: from scores to the log-odds of the training population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from pseudolinear._brief import brief_repr

SATURATED = 7.0  # log-odds of 999 to 1; beyond, scores differ by chance, so they hardly count,
BEYOND = 1e-9  # but they keep their order, which a floor of the precision may need
CERTAIN = 37.0  # log-odds of a probability that rounds to 1 in double precision
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
