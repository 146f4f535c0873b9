"""The protocol of level searches."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures._measure import Measure

Levels = NDArray[np.float64]


class Reached(NamedTuple):
    """What the proposed levels have reached, one entry per level.

    Attributes
    ----------
    values : ndarray
        Values of the measure.
    pairs : ndarray of shape (n_levels, 2)
        False negatives and false positives to which the profiles collapse.
    """

    values: NDArray[np.float64]
    pairs: NDArray[np.float64]


Search = Generator[Levels, Reached, None]


class LevelSearch(Protocol):
    """Proposes levels, sees what they reach, and stops.

    A search sees numbers only: it knows nothing of data or learners.
    """

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield levels to try; each `yield` returns what they reached."""
