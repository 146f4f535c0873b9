"""One-sided bounds: what a value is at least, at every number of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.evaluation._betting import betting_interval
from pseudolinear.evaluation._box import box_interval
from pseudolinear.evaluation._label_intervals import CELLS
from pseudolinear.evaluation._proportion import Proportion, clopper_pearson
from pseudolinear.evaluation._ratio import ratio_of


def lower_bounds(objective: Any, cells: NDArray[np.float64], error: float) -> NDArray[np.float64]:
    """Return what the value of each label is at least, at every number of rows.

    Clopper and Pearson's bound of a proportion holds given how many rows count (positive ones for
    recall, predicted ones for precision), whatever that number, and so it holds without knowing it;
    so does betting.

    Parameters
    ----------
    objective : Measure, Objective or Ratio
        Of one label.
    cells : ndarray of shape (n_labels, 4)
        Counts of (tp, fn, fp, tn).
    error : float
        Probability that a value is below its bound, at most.

    Returns
    -------
    ndarray of shape (n_labels,)
        One bound per label.

    Examples
    --------
    >>> from pseudolinear.evaluation import lower_bounds
    >>> lower_bounds(FBeta(), np.array([[80, 10, 10, 900]]), 0.05).round(3)
    array([0.839])
    """
    ratio = ratio_of(objective)
    if ratio and (proportion := Proportion.of(ratio, CELLS)):
        hits, misses = (cells @ proportion.factors.T).T
        return proportion.value(clopper_pearson(hits, hits + misses, 2 * error))[:, 0]
    if ratio:
        return betting_interval(cells, CELLS, CELLS, ratio, 2 * error)[:, 0]
    # Of the six ends of the box the lower bound needs four: both of the prevalence.
    return box_interval(cells, objective, 1.5 * error)[:, 0]
