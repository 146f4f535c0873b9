"""Cone: halve the range between the best value and what is still possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.bounds import ConeBound
from pseudolinear.measures import Measure
from pseudolinear.search._level_search import LevelSearch, Search
from pseudolinear.search._shares import trivial_values, value_range


@dataclass(frozen=True)
class Cone(LevelSearch):
    """Halve the range between the best value and what is still possible.

    Each classifier forbids a cone above it (CONE, Bascol et al. 2019). The best classifier has
    the level that it reaches, so of the cones only their meeting with the diagonal matters:
    the next level lies half-way between the best value so far and the lowest of these bounds.
    With an exact cost-sensitive learner the range shrinks at least by half per level.

    Parameters
    ----------
    max_levels : int, default=10
        Largest number of levels.
    tol : float, default=1e-3
        Stop when nothing better than the best value by this much is possible.

    Examples
    --------
    >>> next(Cone().search(FBeta(), 0.2)).round(3).tolist()
    [0.667]
    """

    name: ClassVar[str] = "cone"
    max_levels: int = 10
    tol: float = 1e-3

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield one level at a time."""
        if not measure.collapses:
            raise ValueError(f"Cone: {measure!r} has no single pair of errors; use another search.")
        best = max(trivial_values(measure, prevalence))
        bound = value_range(measure, prevalence)[1]
        for _ in range(self.max_levels):
            level = (best + bound) / 2
            reached = yield np.array([level])
            best = max(best, float(reached.values[0]))
            cone = ConeBound.from_pair(measure, prevalence, level, reached.pairs[0], floor=best)
            bound = min(bound, cone.bound())
            if bound <= best + self.tol:
                return
