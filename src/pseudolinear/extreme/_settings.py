"""Settings: what is tried of every label, levels by values of C."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.measures import Measure
from pseudolinear.portfolio import C_VALUES
from pseudolinear.search import Grid

N_LEVELS = 4  # as the linear member of a portfolio has


@dataclass(frozen=True, eq=False)
class Settings:
    """The candidates that every label has: the same shares of costs and values of C for all.

    Attributes
    ----------
    levels : ndarray of shape (n_labels, n_levels)
        Levels of the measure; labels of a micro average share them.
    ratios : ndarray of shape (n_labels, n_levels)
        Cost of a false negative relative to that of a false positive.
    C : ndarray of shape (n_values,)
        Values of C; setting number k has the level ``k // n_values`` and C number ``k % n_values``.
    """

    levels: NDArray[np.float64]
    ratios: NDArray[np.float64]
    C: NDArray[np.float64]

    __repr__ = brief_repr

    @classmethod
    def of(cls, measure: Measure, prevalence: NDArray[np.float64]) -> Settings:
        """Return four levels, or the one of a measure that has no more, by four values of C."""
        C = np.array(C_VALUES)
        grid = Grid(N_LEVELS)
        if not measure.decomposes:
            levels = next(grid.search(measure, prevalence))
            costs = np.stack([measure.costs(level, prevalence) for level in levels], axis=1)
            return cls(np.tile(levels, (len(prevalence), 1)), costs[..., 0] / costs[..., 1], C)
        one = measure.binary()
        distinct, which = np.unique(prevalence, return_inverse=True)
        levels = np.stack([next(grid.search(one, p)) for p in distinct])
        costs = np.stack([one.costs(own, p) for own, p in zip(levels, distinct, strict=True)])
        return cls(levels[which], (costs[..., 0] / costs[..., 1])[which], C)

    def __len__(self) -> int:
        """Return the number of settings of a label."""
        return self.levels.shape[1] * len(self.C)

    def level(self, labels: NDArray[np.intp], setting: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the level of one setting of each of some labels."""
        return self.levels[labels, setting // len(self.C)]

    def ratio(self, labels: NDArray[np.intp], setting: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the ratio of costs of one setting of each of some labels."""
        return self.ratios[labels, setting // len(self.C)]

    def values_of_c(self, setting: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return C of some settings."""
        return self.C[setting % len(self.C)]
