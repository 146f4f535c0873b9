"""Intervals of every label alone, all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from pseudolinear.evaluation._betting import betting_interval
from pseudolinear.evaluation._box import box_interval
from pseudolinear.evaluation._delta import EXTRA, around
from pseudolinear.evaluation._label_values import (
    label_gradient,
    label_values,
    limits_of,
    of_one_label,
)
from pseudolinear.evaluation._proportion import Proportion, clopper_pearson, wilson
from pseudolinear.evaluation._ratio import RECALL, is_mean_recall, ratio_of
from pseudolinear.evaluation._units import Units

CELLS = np.eye(4)  # a row of one label is in one of four cells


def label_intervals(
    objective: Any, units: Units, error: float, *, exact: bool = False
) -> NDArray[np.float64]:
    """Return an interval of each label: shape (n_labels, 2).

    Parameters
    ----------
    objective : Measure or Objective
        Of one label; None gives NaN.
    units : Units
        Draws with their cells.
    error : float
        Probability of missing the value of a label.
    exact : bool, default=False
        Whether this must hold at every number of rows.

    Returns
    -------
    ndarray of shape (n_labels, 2)
        Lower and upper ends.
    """
    if objective is None:
        return np.full((units.n_labels, 2), np.nan)
    ratio = ratio_of(objective)
    if ratio and (proportion := Proportion.of(ratio, CELLS)):
        return proportion_intervals(proportion, units, error, exact=exact)
    if not exact:
        return _delta_intervals(objective, units, error)
    if ratio:
        return betting_interval(units.cells, CELLS, CELLS, ratio, error)
    return box_interval(units.cells, objective, error)


def proportion_intervals(
    proportion: Proportion, units: Units, error: float, *, exact: bool = False
) -> NDArray[np.float64]:
    """Return the intervals of labels whose value grows with a proportion."""
    hits, misses = (units.cells @ proportion.factors.T).T
    n = hits + misses
    share = hits / np.where(n > 0, n, 1.0)
    if exact:
        return proportion.value(clopper_pearson(hits, n, error))
    if units.single:
        n = np.zeros_like(n)
    if units.plain:
        return proportion.value(wilson(share, n, quantile_of(error, units)))
    tried = np.broadcast_to(proportion.factors.sum(axis=0), (units.n_labels, 4))
    deviations = proportion.factors[0] - share[:, None] * tried
    n = effective_number(share, n, units.squares(deviations), units.squares(tried))
    return proportion.value(wilson(share, n, quantile_of(error, units)))


def effective_number(
    share: NDArray[np.float64],
    tried: NDArray[np.float64],
    deviations: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return how many rows of weight 1 would tell as much of a proportion.

    That many would have the variance that the draws show (Korn and Graubard 1998); where they show
    none, Kish's number of draws.

    Parameters
    ----------
    share : ndarray
        Share of hits.
    tried : ndarray
        Weight of hits and misses.
    deviations, squares : ndarray
        Sums over the draws of the squares of hits less what is expected, and of what was tried.

    Returns
    -------
    ndarray
        Numbers of rows.
    """
    spread = share * (1 - share)
    shown = (deviations > 0) & (spread > 0)
    below = np.where(shown, deviations, np.where(squares > 0, squares, np.inf))
    return np.where(shown, spread, 1.0) * tried**2 / below


def quantile_of(error: float, units: Units) -> float:
    """Return the quantile for an interval: normal for plain rows, otherwise Student's."""
    spread = stats.norm if units.plain else stats.t(max(units.n - 1, 1))
    return float(spread.ppf(1 - error / 2))


def known_labels(objective: Any, units: Units) -> NDArray[np.bool_]:
    """Return of which labels, or classes, of an objective the draws say anything."""
    return _is_known(RECALL if is_mean_recall(objective) else of_one_label(objective), units)


def _is_known(objective: Any, units: Units) -> NDArray[np.bool_]:
    """Return of which labels the draws say anything.

    A ratio needs a row that counts in its denominator, all others rows of both classes. Where there
    are no limits, nothing could be said of the others.
    """
    cells = units.cells
    if not np.isfinite(limits_of(objective)).all():
        return np.ones(len(cells), dtype=bool)
    if ratio := ratio_of(objective):
        return cells @ ratio.denominator > 0
    return (cells[:, :2].sum(axis=1) > 0) & (cells[:, 2:].sum(axis=1) > 0)


def _delta_intervals(objective: Any, units: Units, error: float) -> NDArray[np.float64]:
    cells = units.cells
    more = cells + EXTRA * units.row
    gradient = label_gradient(objective, more)
    squares = units.squares(gradient) + EXTRA * units.row**2 * (gradient**2).sum(axis=1)
    known = _is_known(objective, units) & (not units.single)
    errors = np.where(known, np.sqrt(squares.clip(0.0)), np.inf)
    at, quantile = label_values(objective, more), quantile_of(error, units)
    return around(label_values(objective, cells), errors, at, quantile, limits_of(objective))
