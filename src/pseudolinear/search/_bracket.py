"""Bracket: halve the range of cost ratios around the best level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import Measure
from pseudolinear.search._level_search import LevelSearch, Search
from pseudolinear.search._shares import level_at, ratio_is_constant, share_range, trivial_values


@dataclass(frozen=True)
class Bracket(LevelSearch):
    """Halve the range of cost ratios around the best level so far.

    The value is unimodal in the level for an exact cost-sensitive learner; two levels per round
    halve the range. Where values are equal, as on plateaus, the level nearest to its value is
    followed, because the optimum has the level that it reaches.

    Parameters
    ----------
    n_rounds : int, default=4
        How often the range is halved.
    n_final : int, default=3
        Levels that are spread over the last range.

    Examples
    --------
    >>> next(Bracket().search(FBeta(), 0.2)).tolist()
    [0.5, 1.0, 1.5]
    """

    name: ClassVar[str] = "bracket"
    n_rounds: int = 4
    n_final: int = 3

    def search(self, measure: Measure, prevalence: NDArray[np.float64]) -> Search:
        """Yield three levels, then two per round, then the rest of the final ones."""
        if ratio_is_constant(measure, prevalence):
            yield level_at(measure, prevalence, np.array([0.5]))
            return
        none, everything = trivial_values(measure, prevalence)
        low, high = share_range(measure, prevalence)
        known = {low: everything, high: none}  # at share 0 false positives are free

        def proposal(shares: Sequence[float]) -> list[float]:
            return [share for share in shares if share not in known]

        middle = (low + high) / 2
        for _ in range(self.n_rounds):
            five = [low, (low + middle) / 2, middle, (middle + high) / 2, high]
            new = proposal(five)
            reached = yield level_at(measure, prevalence, np.array(new))
            known.update(zip(new, reached.values.tolist(), strict=True))
            best = self._follow(five, known, measure, prevalence)
            low, middle, high = five[best - 1 : best + 2]
        new = proposal(np.linspace(low, high, self.n_final + 2)[1:-1].tolist())
        if new:
            yield level_at(measure, prevalence, np.array(new))

    def _follow(
        self,
        five: list[float],
        known: dict[float, float],
        measure: Measure,
        prevalence: NDArray[np.float64],
    ) -> int:
        values = np.array([known[share] for share in five])
        with np.errstate(divide="ignore"):
            levels = level_at(measure, prevalence, np.array(five))
        distance = np.where(values >= values.max() - 1e-12, np.abs(levels - values.max()), np.inf)
        return int(np.clip(np.argmin(distance), 1, 3))
