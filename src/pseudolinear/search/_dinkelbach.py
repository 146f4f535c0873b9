"""Dinkelbach: aim at the value that was reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import Measure
from pseudolinear.search._level_search import LevelSearch, Search
from pseudolinear.search._shares import (
    level_at,
    ratio_is_constant,
    share_of,
    share_range,
    trivial_values,
)


@dataclass(frozen=True)
class Dinkelbach(LevelSearch):
    """Aim at the value that the last classifier reached, until it stops rising.

    With an exact cost-sensitive learner this is Newton's method, and its end the optimum.
    Learners with surrogate losses end near it, so a few levels around the end are tried as well.

    Parameters
    ----------
    max_steps : int, default=8
        Largest number of levels before the refinement.
    tol : float, default=1e-4
        Smallest rise that counts.
    n_refine : int, default=4
        Levels around the end, half of them on either side.

    Examples
    --------
    >>> next(Dinkelbach().search(FBeta(), 0.2)).round(3).tolist()
    [0.333]
    """

    name: ClassVar[str] = "dinkelbach"
    max_steps: int = 8
    tol: float = 1e-4
    n_refine: int = 4

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield one level at a time, then the refinement."""
        level = max(trivial_values(measure, prevalence))
        for _ in range(self.max_steps):
            reached = yield np.array([level])
            if reached.values[0] <= level + self.tol:
                break
            level = float(reached.values[0])
        if self.n_refine and not ratio_is_constant(measure, prevalence):
            low, high = share_range(measure, prevalence)
            share, steps = share_of(measure, prevalence, level), np.arange(self.n_refine // 2) + 1
            below = share - (share - low) * 0.25 * steps
            above = share + (high - share) * 0.2 * steps
            yield level_at(measure, prevalence, np.concatenate([below[::-1], above]))
