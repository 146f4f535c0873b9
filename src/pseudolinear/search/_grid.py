"""Grid: a fixed set of levels at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import Measure
from pseudolinear.search._level_search import LevelSearch, Search
from pseudolinear.search._shares import level_at, share_range


@dataclass(frozen=True)
class Grid(LevelSearch):
    """Try a fixed set of levels at once.

    Parameters
    ----------
    n_levels : int, default=19
        Number of levels. They are spaced so that the share of false positives in the costs,
        ``cost_fp / (cost_fn + cost_fp)``, is even in (0, 1): for F1 and 19 levels this is the
        literature's 0.1, 0.2, ..., 1.9, and F1 and Jaccard try the same ratios of costs.
        Measures whose costs do not depend on the level get a single one.
    levels : sequence of float, default=None
        The levels themselves, in place of `n_levels`.
    accuracy : float, default=None
        Levels fine enough to guarantee this accuracy with an exact cost-sensitive learner
        (:meth:`Measure.level_grid`), in place of `n_levels`.

    Examples
    --------
    >>> from pseudolinear import FBeta, Jaccard
    >>> next(Grid(3).search(FBeta(), 0.2)).tolist()
    [0.5, 1.0, 1.5]
    >>> next(Grid(3).search(Jaccard(), 0.2)).round(3).tolist()
    [0.333, 1.0, 3.0]
    """

    name: ClassVar[str] = "grid"
    looks: ClassVar[bool] = False
    n_levels: int = 19
    levels: Sequence[float] | None = None
    accuracy: float | None = None

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield all levels once."""
        if self.levels is not None:
            levels = np.unique(np.asarray(self.levels, dtype=np.float64))
        elif self.accuracy is not None:
            levels = measure.level_grid(self.accuracy, prevalence)
        else:
            low, high = share_range(measure, prevalence)
            shares = low + (high - low) * np.arange(1, self.n_levels + 1) / (self.n_levels + 1)
            levels = np.sort(level_at(measure, prevalence, shares))
        if np.isnan(levels).any():
            raise ValueError("Grid: nan is not a level; give numbers.")
        if not levels.size:
            raise ValueError("Grid: there are no levels to try; give at least one.")
        low, high = measure.level_range(prevalence)
        outside = levels[(levels <= low) | (levels >= high)]
        if outside.size:
            raise ValueError(
                f"Grid: the level {outside[0]:g} is outside ({low:g}, {high:g}), where both costs "
                f"of {measure!r} are positive."
            )
        yield levels
