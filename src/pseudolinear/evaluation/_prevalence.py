"""Prevalence: how many of some unlabelled rows are positive, if rows of a class look alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq

from pseudolinear.evaluation._honest import FOLDS
from pseudolinear.evaluation._score_bins import ScoreBins

TELLING = 1e-6  # mean of a function over positive rows less that over negative ones, at least
EDGE = 1e-12  # nearest prevalence to 0 and 1
TOLERANCE = 0.2  # by how much the share of a bin may be off, since other models were validated
FEWEST_BINS = 3  # of which two are fitted: by the prevalence, and by all shares making 1


class Estimate(NamedTuple):
    """A prevalence with its standard error, which is infinite where nothing can be told."""

    value: float
    error: float

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the normal interval, within [0, 1].

        Not that of a proportion: what positives are taken for by chance does not get less as they
        get rare.
        """
        half = float(stats.norm.ppf((1 + confidence) / 2)) * self.error
        return max(self.value - half, 0.0), min(self.value + half, 1.0)


def estimate_by_likelihood(bins: ScoreBins) -> Estimate:
    r"""Estimate a prevalence by the likelihood of calibrated probabilities (MLLS).

    The density of a score is :math:`\theta r + 1 - \theta` times that of negative rows, where r is
    the ratio of densities that the calibration tells. Its likelihood is concave in the prevalence
    :math:`\theta`; EM (Saerens et al. 2002) climbs it step by step, here its slope is solved for 0.
    One row of the training population is added, so that few rows do not say "none" or "all".

    Parameters
    ----------
    bins : ScoreBins
        Of the label.

    Returns
    -------
    Estimate
        With the error of a moment estimator by the score function, which counts both samples.
    """
    # Ratios beyond any evidence would hide the others from the sum.
    ratio, p = np.exp(np.clip(bins.log_ratio, -50.0, 50.0)), bins.trained

    def score(theta: float) -> NDArray[np.float64]:
        return (ratio - 1.0) / (theta * ratio + 1.0 - theta)

    def slope(theta: float) -> float:
        return float(bins.n_new * (bins.new @ score(theta)) + p / theta - (1.0 - p) / (1.0 - theta))

    theta = float(brentq(slope, EDGE, 1.0 - EDGE, xtol=1e-14))
    error = _moment_error(bins, score(theta), theta)
    return Estimate(theta if np.isfinite(error) else p, error)


def estimate_by_confusion(bins: ScoreBins) -> Estimate:
    """Estimate a prevalence by the rate of predicted positives (BBSE, Lipton et al. 2018).

    A share theta of positives is predicted at the rate theta * recall + (1 - theta) * fall-out.

    Parameters
    ----------
    bins : ScoreBins
        Of the label.

    Returns
    -------
    Estimate
        Within [0, 1], with the delta method's error over both samples.
    """
    flagged = bins.flagged.astype(np.float64)
    recall, fallout, rate = (q @ flagged for q in (bins.positive, bins.negative, bins.new))
    if recall - fallout <= TELLING:
        return Estimate(bins.trained, np.inf)
    theta = float(np.clip((rate - fallout) / (recall - fallout), 0.0, 1.0))
    return Estimate(theta, _moment_error(bins, flagged, theta))


def _moment_error(bins: ScoreBins, of_bin: NDArray[np.float64], theta: float) -> float:
    """Return the error of the theta that explains the mean of a function over the new rows.

    One row, half positive and half negative, is added to every sample, so that what was not seen is
    possible; the variance is a third larger, as for `honest_interval_`, since other models than
    that of all rows were validated.
    """
    gap = bins.positive @ of_bin - bins.negative @ of_bin
    if not gap > TELLING:
        return np.inf
    extra = bins.mixture(0.5)

    def variance(share: NDArray[np.float64], n: float) -> float:
        q = (n * share + extra) / (n + 1)
        return float(q @ of_bin**2 - (q @ of_bin) ** 2) / (n + 1)

    total = (
        variance(bins.new, bins.n_new)
        + theta**2 * variance(bins.positive, bins.n_positive)
        + (1.0 - theta) ** 2 * variance(bins.negative, bins.n_negative)
    )
    return float(np.sqrt(FOLDS * total) / gap)


def check_shift(bins: ScoreBins, theta: float) -> float:
    """Test whether scores are spread as mere label shift spreads them.

    The shares of the new rows in a few bins are compared with the mixture of those of positive and
    negative rows by a chi-square statistic, whose covariance counts both samples, and that the
    share of every bin may be off by a fifth: the model that scores new rows was trained on all
    rows, those that were validated on a part of them.

    Parameters
    ----------
    bins : ScoreBins
        Of the label.
    theta : float
        The estimated prevalence.

    Returns
    -------
    float
        The p-value; NaN where there are too few rows to tell.
    """
    positive, negative, new = bins.merged(theta)
    n_bins = len(new)
    gap = positive - negative
    if n_bins < FEWEST_BINS or np.abs(gap).sum() <= TELLING:
        return np.nan
    expected = theta * positive + (1.0 - theta) * negative
    spread = np.eye(n_bins) - np.outer(expected, np.ones(n_bins))  # shares still sum to 1
    own = spread @ np.diag((TOLERANCE * expected) ** 2) @ spread.T
    covariance = (
        own
        + _covariance(expected, bins.n_new)
        + theta**2 * _covariance(positive, bins.n_positive)
        + (1.0 - theta) ** 2 * _covariance(negative, bins.n_negative)
    )
    weight, rest = np.linalg.pinv(covariance), new - expected
    along = gap @ weight  # what another prevalence would explain as well
    statistic = rest @ weight @ rest - (along @ rest) ** 2 / (along @ gap)
    return float(stats.chi2.sf(statistic, n_bins - 2))


def _covariance(share: NDArray[np.float64], n: float) -> NDArray[np.float64]:
    """Return the covariance of shares of n rows; half a row more makes unseen bins possible."""
    q = (n * share + 0.5 / len(share)) / (n + 0.5)
    return (np.diag(q) - np.outer(q, q)) / n
