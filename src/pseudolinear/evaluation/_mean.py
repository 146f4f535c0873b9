"""Means over labels: a bound on all labels at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.evaluation._label_intervals import label_intervals
from pseudolinear.evaluation._label_values import of_one_label
from pseudolinear.evaluation._proportion import clopper_pearson
from pseudolinear.evaluation._units import Units


def mean_interval(objective: Any, units: Units, error: float) -> NDArray[np.float64]:
    """Return an interval of a mean over labels that holds at every number of rows.

    Every label has an equal share of the error, so all intervals hold together. If labels weigh as
    much as they are frequent, half of it is for the weights.
    """
    one, n_labels = of_one_label(objective), units.n_labels
    if getattr(objective, "average", "macro") != "weighted":
        return label_intervals(one, units, error / n_labels, exact=True).mean(axis=0)
    share = error / (2 * n_labels)
    ends = label_intervals(one, units, share, exact=True)
    cells = units.cells
    weights = clopper_pearson(cells[:, :2].sum(axis=1), cells.sum(axis=1), share)
    return np.array([least_mean(ends[:, 0], weights), -least_mean(-ends[:, 1], weights)])


def least_mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the least weighted mean if each weight lies between two numbers.

    Then the smallest values have their largest weight and the others their smallest.

    Examples
    --------
    >>> from pseudolinear.evaluation._mean import least_mean
    >>> least_mean(np.array([0.0, 1.0]), np.array([[1.0, 3.0], [1.0, 3.0]]))
    0.25
    """
    order = np.argsort(values)
    low, high, v = weights[order, 0], weights[order, 1], values[order]
    tail = (
        np.append(np.cumsum((low * v)[::-1])[::-1], 0.0),
        np.append(np.cumsum(low[::-1])[::-1], 0.0),
    )
    head = np.append(0.0, np.cumsum(high * v)), np.append(0.0, np.cumsum(high))
    below = head[1] + tail[1]
    return float(np.min((head[0] + tail[0])[below > 0] / below[below > 0]))
