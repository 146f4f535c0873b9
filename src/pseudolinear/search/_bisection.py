"""Bisection: ask of each level whether it can be reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import Measure
from pseudolinear.search._level_search import LevelSearch, Search
from pseudolinear.search._shares import value_range


@dataclass(frozen=True)
class Bisection(LevelSearch):
    """Ask of each level whether it can be reached, and go up or down.

    A level that is reached is a lower bound of the best value; one that is not reached by an exact
    cost-sensitive learner is an upper bound.

    Parameters
    ----------
    n_steps : int, default=8
        Number of levels; the bounds end 2 ** -n_steps of the measure's range apart.

    Examples
    --------
    >>> next(Bisection().search(FBeta(), 0.2)).tolist()
    [0.5]
    """

    name: ClassVar[str] = "bisection"
    n_steps: int = 8

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield one level at a time."""
        low, high = value_range(measure, prevalence)
        for _ in range(self.n_steps):
            level = (low + high) / 2
            reached = yield np.array([level])
            low, high = (level, high) if reached.values[0] >= level else (low, level)
