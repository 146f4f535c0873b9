"""Calibration: whether probabilities mean what they say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BINS = 10


class Bin(NamedTuple):
    """Rows of similar probability: the mean of it, the share of cases, and how many they are."""

    probability: float
    share: float
    rows: int


def reliability(
    true: NDArray[np.bool_], probability: NDArray[np.float64], weight: NDArray[np.float64]
) -> list[Bin]:
    """Compare probabilities with shares, in bins of equally many rows.

    scikit-learn's `calibration_curve` has neither weights nor the number of rows.

    Examples
    --------
    >>> from pseudolinear.report import reliability
    >>> reliability(np.array([False, True]), np.array([0.2, 0.6]), np.ones(2))
    [Bin(probability=0.2, share=0.0, rows=1), Bin(probability=0.6, share=1.0, rows=1)]
    """
    used = weight > 0
    true, probability, weight = true[used], probability[used], weight[used]
    edges = np.unique(np.quantile(probability, np.linspace(0, 1, BINS + 1)[1:-1]))
    place = np.searchsorted(edges, probability, side="left")
    mass, rows = np.bincount(place, weight), np.bincount(place)
    some = rows > 0
    mean = np.bincount(place, weight * probability)[some] / mass[some]
    share = np.bincount(place, weight * true)[some] / mass[some]
    return [
        Bin(*one) for one in zip(mean.tolist(), share.tolist(), rows[some].tolist(), strict=True)
    ]
