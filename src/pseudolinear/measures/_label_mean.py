"""The mean over labels of macro and weighted averages."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def label_mean(values: ArrayLike, weights: ArrayLike) -> Any:
    """Average over the last axis; where no label weighs anything, all weigh the same.

    Parameters
    ----------
    values : array-like of shape (..., n_labels)
        One value per label.
    weights : array-like of shape (n_labels,)
        Weight of each label; see :meth:`Measure.label_weights`.

    Returns
    -------
    float or ndarray
        The mean, as scikit-learn takes it.

    Examples
    --------
    >>> from pseudolinear.measures import label_mean
    >>> float(label_mean([0.5, 1.0], [3, 1]))
    0.625
    """
    weight = np.asarray(weights, dtype=np.float64)
    return np.average(np.asarray(values), axis=-1, weights=weight if weight.any() else None)
