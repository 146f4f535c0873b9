"""What an objective says of each label alone, and between which values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.evaluation._ratio import ratio_of
from pseudolinear.measures import (
    BalancedAccuracy,
    CohenKappa,
    GeometricMean,
    LinearFractional,
    MatthewsCorrelation,
    Measure,
)

STEP = 1e-5  # of a finite difference, relative to the smallest of the sums
LIMITS: dict[type[Any], tuple[float, float]] = {
    BalancedAccuracy: (0.0, 1.0),
    CohenKappa: (-1.0, 1.0),
    GeometricMean: (0.0, 1.0),
    MatthewsCorrelation: (-1.0, 1.0),
}


def of_one_label(objective: Any) -> Any:
    """Return what an objective is for a single label; None if it has factors for several."""
    if isinstance(objective, LinearFractional) and len(objective.gamma) > 2:
        return None
    return objective.binary() if isinstance(objective, Measure) else objective


def label_values(objective: Any, cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Evaluate labels one by one.

    Parameters
    ----------
    objective : Measure or Objective
        Of one label; None gives NaN.
    cells : ndarray of shape (n_labels, 4)
        Counts, weights or shares of (tp, fn, fp, tn).

    Returns
    -------
    ndarray of shape (n_labels,)
        One value per label.
    """
    if objective is None:
        return np.full(len(cells), np.nan)
    if ratio := ratio_of(objective):
        return ratio.value(cells)
    tp, fn, fp, _ = (cells / cells.sum(axis=1, keepdims=True)).T
    profile = ErrorProfile(fn, fp, np.minimum(tp + fn, 1.0))
    if hasattr(objective, "of_labels"):
        return objective.of_labels(profile)
    alone = zip(fn, fp, profile.prevalence, strict=True)
    return np.array([objective.value(ErrorProfile(*errors)) for errors in alone])


def label_gradient(objective: Any, cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the derivative of each label's value for each of its cells: shape (n_labels, 4).

    Differences are taken towards more rows, which are always possible.
    """
    step = STEP * np.where(cells > 0, cells, np.inf).min(axis=1, keepdims=True)
    towards = [label_values(objective, cells + step * cell) for cell in np.eye(4)]
    return (np.stack(towards, axis=1) - label_values(objective, cells)[:, None]) / step


def limits_of(objective: Any) -> tuple[float, float]:
    """Return the least and the largest value of an objective; infinite where they are unknown."""
    if ratio := ratio_of(objective):
        return ratio.range
    return LIMITS.get(type(objective), (-np.inf, np.inf))
