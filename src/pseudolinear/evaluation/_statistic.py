"""Statistic: an objective as a function of sums over independent draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.errors import ErrorProfile
from pseudolinear.evaluation._ratio import is_accuracy
from pseudolinear.evaluation._units import Units
from pseudolinear.measures import Measure

STEP = 1e-5  # of a finite difference, relative to the smallest of the sums
BLOCK = 256  # differences that are taken side by side


@dataclass(frozen=True, eq=False)
class Statistic(ABC):
    """An objective as a function of sums over draws; the scale of the sums does not matter.

    Attributes
    ----------
    objective : Measure or Objective
        What is evaluated.
    totals : ndarray or csr_array of shape (n_distinct, n_sums)
        What each distinct draw adds to the sums.
    count : ndarray of shape (n_distinct,)
        How often it was drawn.
    """

    objective: Any
    totals: Any
    count: NDArray[np.float64]

    @abstractmethod
    def values(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate stacked sums: shape (n, n_sums)."""

    @abstractmethod
    def gradient(self) -> NDArray[np.float64]:
        """Return the derivatives of the value, by finite differences towards possible rows."""

    @property
    def sums(self) -> NDArray[np.float64]:
        """The sums over all draws."""
        return self.count @ self.totals

    @property
    def value(self) -> float:
        """The value of all draws."""
        return float(self.values(self.sums[None])[0])

    def influence(self) -> NDArray[np.float64]:
        """Return what each distinct draw adds to the value, to first order."""
        return self.totals @ self.gradient()

    def _towards(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of the value when some mass of given rows is added."""
        sums = self.sums
        step = STEP * sums[sums > 0].min()
        return (self.values(sums + step * rows) - self.values(sums[None])) / step


@dataclass(frozen=True, eq=False)
class PairStatistic(Statistic):
    """A measure of one pair (fn, fp); the sums are the cells (tp, fn, fp, tn) of that pair.

    Attributes
    ----------
    mass : float
        What the cells of a row of weight 1 add up to: the number of labels of a micro average.
    """

    mass: float

    @classmethod
    def of(cls, measure: Measure, units: Units, *, merge: bool) -> PairStatistic:
        """Add up the cells of each draw as the measure does; keep equal ones once if `merge`."""
        totals, count = pair_cells(measure, units), units.count
        mass = float(totals[0].sum() / units.weight[0])
        if merge:
            totals, place = np.unique(totals, axis=0, return_inverse=True)
            count = np.bincount(place.ravel(), count)
        return cls(measure, totals, count, mass)

    def values(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate stacked cells."""
        tp, fn, fp, tn = (self.mass * sums / sums.sum(axis=1, keepdims=True)).T
        return self.objective.of_masses(fn, fp, tp + fn, fp + tn)

    def gradient(self) -> NDArray[np.float64]:
        """Return the derivatives for the four cells."""
        return self._towards(np.eye(4))


class ProfileStatistic(Statistic):
    """Any function of the profile; the sums are tp, fn and fp of all labels, and the weight."""

    @classmethod
    def of(cls, objective: Any, units: Units) -> ProfileStatistic:
        """Take the cells of each draw as they are."""
        totals = sparse.hstack([*units.blocks(), units.weight[:, None]], format="csr")
        return cls(objective, totals, units.count)

    def values(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate stacked sums one by one, since each has a prevalence of its own."""
        tp, fn, fp = np.split(sums[:, :-1] / sums[:, -1:], 3, axis=1)
        profiles = map(ErrorProfile, fn, fp, np.minimum(tp + fn, 1.0))
        return np.array([self.objective.value(profile) for profile in profiles])

    def gradient(self) -> NDArray[np.float64]:
        """Return the derivatives for the cells of all labels, and for a row without labels."""
        n_sums = self.totals.shape[1]
        parts = []
        for start in range(0, n_sums, BLOCK):
            rows = np.eye(min(BLOCK, n_sums - start), n_sums, start)
            rows[:, -1] = 1.0
            parts.append(self._towards(rows))
        towards = np.concatenate(parts)
        return np.append(towards[:-1] - towards[-1], towards[-1])


def statistic_of(objective: Any, units: Units, *, merge: bool = True) -> Statistic:
    """Return an objective as a function of sums over draws, as few of them as will do."""
    if isinstance(objective, Measure) and (objective.collapses or is_accuracy(objective)):
        return PairStatistic.of(objective, units, merge=merge)
    return ProfileStatistic.of(objective, units)


def pair_cells(measure: Measure, units: Units) -> NDArray[np.float64]:
    """Return the cells (tp, fn, fp, tn) of the pair of errors that decides the value."""
    tp, fn, fp = units.blocks()
    ones = np.ones(units.n_labels)
    if is_accuracy(measure):
        right = tp @ ones
        wrong = units.weight - right
        return np.stack([right, wrong, 0 * right, 0 * right], axis=1)
    to_pair = measure.pair_map(units.n_labels)
    true = tp + fn
    masses = [true @ (m[:, 0] - m[:, 1]) + units.weight * m[:, 1].sum() for m in to_pair]
    errors = [fn @ m[:, 0] + fp @ m[:, 1] for m in to_pair]
    cells = [masses[0] - errors[0], errors[0], errors[1], masses[1] - errors[1]]
    return np.maximum(np.stack(cells, axis=1), 0.0)
