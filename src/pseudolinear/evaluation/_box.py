"""A box of prevalence, recall and fall-out, for whatever is a function of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.evaluation._label_values import label_values
from pseudolinear.evaluation._proportion import clopper_pearson

N_PREVALENCES = 65


def box_interval(cells: NDArray[np.float64], objective: Any, error: float) -> NDArray[np.float64]:
    """Return intervals that hold at every number of rows, from those of three proportions.

    Prevalence, recall and the share of negatives that are predicted lie in their intervals by
    Clopper and Pearson together, each with a third of the error. An objective grows with recall and
    falls with the other, so that its extremes are at two corners for every prevalence.

    Parameters
    ----------
    cells : ndarray of shape (n_labels, 4)
        Counts of (tp, fn, fp, tn).
    objective : Measure or Objective
        Of one label.
    error : float
        Probability of missing the value of a label, at most.

    Returns
    -------
    ndarray of shape (n_labels, 2)
        Lower and upper end.

    Examples
    --------
    >>> from pseudolinear.evaluation import box_interval
    >>> box_interval(np.array([[80, 20, 50, 850]]), CohenKappa(), 0.05).round(2)
    array([[0.48, 0.79]])
    """
    tp, fn, fp, tn = cells.T
    prevalence = clopper_pearson(tp + fn, tp + fn + fp + tn, error / 3)
    recall = clopper_pearson(tp, tp + fn, error / 3)
    fall_out = clopper_pearson(fp, fp + tn, error / 3)
    low, high = np.full(len(cells), np.inf), np.full(len(cells), -np.inf)
    for step in np.linspace(0, 1, N_PREVALENCES):
        p = prevalence[:, 0] + step * (prevalence[:, 1] - prevalence[:, 0])
        worst = _cells(p, recall[:, 0], fall_out[:, 1])
        best = _cells(p, recall[:, 1], fall_out[:, 0])
        low = np.minimum(low, label_values(objective, worst))
        high = np.maximum(high, label_values(objective, best))
    return np.stack([low, high], axis=-1)


def _cells(
    p: NDArray[np.float64], recall: NDArray[np.float64], fall_out: NDArray[np.float64]
) -> NDArray[np.float64]:
    q = 1 - p
    return np.stack([p * recall, p * (1 - recall), q * fall_out, q * (1 - fall_out)], axis=1)
