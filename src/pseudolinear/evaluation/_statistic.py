"""Statistic: an objective as a function of sums over independent draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.errors import ErrorProfile
from pseudolinear.evaluation._label_values import (
    STEP,
    label_gradient,
    label_values,
    of_one_label,
)
from pseudolinear.evaluation._ratio import is_accuracy
from pseudolinear.evaluation._units import Units
from pseudolinear.measures import Measure

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
    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of the value, by finite differences towards possible rows."""

    @property
    @abstractmethod
    def one_of_each(self) -> NDArray[np.float64]:
        """What is added to the sums if every cell of every label gets one row more."""

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
        return self.totals @ self.gradient(self.sums)

    def _towards(self, sums: NDArray[np.float64], rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of the value when some mass of given rows is added."""
        step = STEP * sums[sums > 0].min()
        return (self.values(sums + step * rows) - self.values(sums[None])) / step


@dataclass(frozen=True, eq=False)
class PairStatistic(Statistic):
    """What one pair (fn, fp) decides; the sums are the cells (tp, fn, fp, tn) of that pair.

    Attributes
    ----------
    mass : float
        What the cells of a row of weight 1 add up to: the number of labels of a micro average.
    """

    one_of_each: ClassVar[NDArray[np.float64]] = np.ones(4)
    mass: float

    @classmethod
    def of(cls, objective: Any, units: Units, *, merge: bool) -> PairStatistic:
        """Add up the cells of each draw as a measure does; keep equal ones once if `merge`."""
        totals, count = pair_cells(objective, units), units.count
        mass = float((count @ totals).sum() / (count @ units.weight))
        if merge:
            totals, place = np.unique(totals, axis=0, return_inverse=True)
            count = np.bincount(place.ravel(), count).astype(np.float64)
        return cls(objective, totals, count, mass)

    def values(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate stacked cells."""
        if not isinstance(self.objective, Measure):
            return label_values(self.objective, sums)
        tp, fn, fp, tn = (self.mass * sums / sums.sum(axis=1, keepdims=True)).T
        return self.objective.of_masses(fn, fp, tp + fn, fp + tn)

    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives for the four cells."""
        return self._towards(sums, np.eye(4))


class ProfileStatistic(Statistic):
    """Any function of the profile; the sums are tp, fn and fp of all labels, and the weight."""

    @classmethod
    def of(cls, objective: Any, units: Units) -> ProfileStatistic:
        """Take the cells of each draw as they are."""
        totals = sparse.hstack([*units.blocks(), units.weight[:, None]], format="csr")
        return cls(objective, totals, units.count)

    @property
    def one_of_each(self) -> NDArray[np.float64]:
        """One row in each cell of every label, so four rows in all."""
        return np.append(np.ones(self.totals.shape[1] - 1), 4.0)

    def values(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate stacked sums one by one, since each has a prevalence of its own."""
        tp, fn, fp = np.split(sums[:, :-1] / sums[:, -1:], 3, axis=1)
        profiles = map(ErrorProfile, fn, fp, np.minimum(tp + fn, 1.0))
        return np.array([self.objective.value(profile) for profile in profiles])

    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives for the cells of all labels, and for a row without labels."""
        n_sums, parts = len(sums), []
        for start in range(0, n_sums, BLOCK):
            rows = np.eye(min(BLOCK, n_sums - start), n_sums, start)
            rows[:, -1] = 1.0
            parts.append(self._towards(sums, rows))
        towards = np.concatenate(parts)
        return np.append(towards[:-1] - towards[-1], towards[-1])


class MeanStatistic(ProfileStatistic):
    """A mean over labels, whose values and derivatives are found for all labels at once."""

    def values(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Evaluate stacked sums."""
        cells = self._cells(sums)
        one = of_one_label(self.objective)
        by_label = label_values(one, cells.reshape(-1, 4)).reshape(cells.shape[:2])
        weights = self._weights(cells)
        return (weights * by_label).sum(axis=1) / weights.sum(axis=1)

    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives for the cells of all labels, and for a row without labels."""
        cells, one = self._cells(sums[None]), of_one_label(self.objective)
        weights, cells = self._weights(cells)[0], cells[0]
        by_cell = weights[:, None] * label_gradient(one, cells)
        if self._is_weighted:  # a positive row also adds to the weight of its label
            own = label_values(one, cells)
            by_cell[:, :2] += (own - weights @ own / weights.sum())[:, None]
        by_cell /= weights.sum()
        relative = (by_cell[:, :3] - by_cell[:, 3:]).T
        return np.append(relative.ravel(), by_cell[:, 3].sum())

    @property
    def label_shares(self) -> NDArray[np.float64]:
        """The share of each label in the mean."""
        weights = self._weights(self._cells(self.sums[None]))[0]
        return weights / weights.sum()

    @property
    def _is_weighted(self) -> bool:
        return getattr(self.objective, "average", "macro") == "weighted"

    def _cells(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (tp, fn, fp, tn) of every label: shape (n, n_labels, 4)."""
        seen = sums[:, :-1].reshape(len(sums), 3, -1)
        rest = np.maximum(sums[:, -1:] - seen.sum(axis=1), 0.0)
        return np.concatenate([seen, rest[:, None]], axis=1).transpose(0, 2, 1)

    def _weights(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weight of each label; where none weighs anything, all weigh the same."""
        if not self._is_weighted:
            return np.ones(cells.shape[:2])
        positives = cells[..., 0] + cells[..., 1]
        return np.where(positives.any(axis=1, keepdims=True), positives, 1.0)


def statistic_of(objective: Any, units: Units, *, merge: bool = True) -> Statistic:
    """Return an objective as a function of sums over draws, as few of them as will do."""
    measure = objective if isinstance(objective, Measure) else None
    if units.n_labels == 1 or is_accuracy(objective) or (measure and measure.collapses):
        return PairStatistic.of(objective, units, merge=merge)
    if measure is None or measure.decomposes:
        return MeanStatistic.of(objective, units)
    return ProfileStatistic.of(objective, units)


def pair_cells(objective: Any, units: Units) -> NDArray[np.float64]:
    """Return the cells (tp, fn, fp, tn) of the pair of errors that decides the value."""
    tp, fn, fp = units.blocks()
    ones = np.ones(units.n_labels)
    if is_accuracy(objective):
        right = tp @ ones
        return np.stack([right, units.weight - right, 0 * right, 0 * right], axis=1)
    to_pair = np.eye(2)[:, None] if units.n_labels == 1 else objective.pair_map(units.n_labels)
    true = tp + fn
    masses = [true @ (m[:, 0] - m[:, 1]) + units.weight * m[:, 1].sum() for m in to_pair]
    errors = [fn @ m[:, 0] + fp @ m[:, 1] for m in to_pair]
    cells = [masses[0] - errors[0], errors[0], errors[1], masses[1] - errors[1]]
    return np.maximum(np.stack(cells, axis=1), 0.0)
