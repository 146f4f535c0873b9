"""ScoreBins: how the scores of a label spread over positive, negative and new rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from pseudolinear._brief import brief_repr
from pseudolinear._platt import between_cuts
from pseudolinear.errors import ErrorCurve, ErrorCurves

MOST_BINS = 10  # that are compared,
FEW_ROWS = 5  # each with as many new rows, at least


@dataclass(frozen=True, eq=False)
class ScoreBins:
    """How many rows have scores between neighbouring cuts of a curve.

    Attributes
    ----------
    positive, negative, new : ndarray of shape (n_bins,)
        Shares of the positive and of the negative validation rows, and of the new rows; each sums
        to 1.
    n_positive, n_negative, n_new : float
        How many rows these are shares of.
    flagged : ndarray of bool, shape (n_bins,)
        Which bins are predicted positive.
    log_ratio : ndarray of shape (n_bins,)
        Log of how much likelier such a score is for a positive row than for a negative one, by the
        calibration.
    trained : float
        Proportion of positives among the rows of the fit.
    """

    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    new: NDArray[np.float64]
    n_positive: float
    n_negative: float
    n_new: float
    flagged: NDArray[np.bool_]
    log_ratio: NDArray[np.float64]
    trained: float

    __repr__ = brief_repr

    @classmethod
    def of(
        cls,
        curve: ErrorCurve,
        cut: int,
        log_odds: NDArray[np.float64],
        scores: NDArray[np.float64],
        n_rows: float,
        trained: float,
    ) -> ScoreBins:
        """Count rows between the cuts of a curve.

        Parameters
        ----------
        curve : ErrorCurve
            Errors of a label on validation rows, in whatever population.
        cut : int
            Where it is cut.
        log_odds : ndarray of shape (n_bins,)
            Calibrated ones, in that population, of the scores between the cuts.
        scores : ndarray of shape (n_new,)
            Of the new rows.
        n_rows : float
            Number of validation rows, or the effective one.
        trained : float
            Proportion of positives among them.
        """
        _, _, positive, negative = between_cuts(ErrorCurves.of([curve]))
        where = np.searchsorted(-curve.thresholds, -scores)  # cuts are descending
        return cls(
            positive / positive.sum(),
            negative / negative.sum(),
            np.bincount(where, minlength=len(positive)) / len(scores),
            n_rows * trained,
            n_rows * (1.0 - trained),
            float(len(scores)),
            np.arange(len(positive)) <= cut,
            log_odds - logit(curve.prevalence[0]),
            trained,
        )

    def mixture(self, prevalence: float) -> NDArray[np.float64]:
        """Return the shares that new rows would have under mere label shift."""
        return prevalence * self.positive + (1.0 - prevalence) * self.negative

    def merged(self, prevalence: float) -> tuple[NDArray[np.float64], ...]:
        """Return the shares of positive, negative and new rows in a few bins of many rows each."""
        together = (self.new + self.mixture(prevalence)) / 2
        least = max(1.0 / MOST_BINS, FEW_ROWS / self.n_new)
        place = np.floor((np.cumsum(together) - together / 2) / least)
        _, bins = np.unique(place.clip(max=max(1.0 // least - 1, 0)), return_inverse=True)
        shares = (self.positive, self.negative, self.new)
        return tuple(np.bincount(bins, q).astype(np.float64) for q in shares)
