"""The certificate of a mean over labels, all labels at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.bounds._certificate import (
    NOTHING,
    ORACLE,
    Certificate,
    Statement,
    diagonal_bound,
)
from pseudolinear.measures import ROUNDING, Coefficients, Measure, label_mean

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])  # of the box of all pairs


@dataclass(frozen=True, eq=False)
class LabelBounds:
    """What is still possible for each of several labels of one measure.

    Attributes
    ----------
    measure : Measure
        Of one label.
    prevalence : ndarray of shape (n_labels,)
        Share of positive rows of each label.
    levels, fn, fp : ndarray of shape (n_labels, n_levels)
        Levels that were tried, and the errors of the cheapest classifiers there.
    value : ndarray of shape (n_labels,)
        Value that was reached.
    """

    measure: Measure
    prevalence: NDArray[np.float64]
    levels: NDArray[np.float64]
    fn: NDArray[np.float64]
    fp: NDArray[np.float64]
    value: NDArray[np.float64]

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """Value of each of the cheapest classifiers."""
        p = self.prevalence[:, None]
        return self.measure.of_masses(self.fn, self.fp, p, 1.0 - p)

    @cached_property
    def perfect(self) -> NDArray[np.float64]:
        """Value of no error."""
        p = self.prevalence
        return self.measure.of_masses(0.0 * p, 0.0 * p, p, 1.0 - p)

    @cached_property
    def reached(self) -> NDArray[np.float64]:
        """The best value of any that was seen."""
        return np.maximum(self.value, self.values.max(axis=1))

    @cached_property
    def _masses(self) -> NDArray[np.float64]:
        return np.stack([self.prevalence, 1.0 - self.prevalence], axis=-1)

    @cached_property
    def _coefficients(self) -> Coefficients:
        c = self.measure.of_pair(*self._masses.T)
        shape = self._masses.shape
        alphas = [np.broadcast_to(alpha, shape[:1]) for alpha in (c.alpha0, c.alpha1)]
        gamma, delta = (np.broadcast_to(factor, shape) for factor in (c.gamma, c.delta))
        return Coefficients(alphas[0], gamma, alphas[1], delta)

    def ceilings(self) -> dict[str, NDArray[np.float64]]:
        """Return the bounds of each label, by their names in a certificate."""
        delta, masses = self._coefficients.delta, self._masses
        phi = self._resolution()
        largest = np.linalg.norm(masses, axis=-1)
        slopes = {
            "grid": phi * np.abs(delta * masses).sum(axis=-1),
            "literature": 2.0 * phi * np.linalg.norm(delta, axis=-1) * largest,
        }
        bounds = {"cone": self._cones().min(axis=1)}
        for name, slope in slopes.items():
            bounds[name] = diagonal_bound(self.levels, self.values, slope, self.perfect)
        empty = self.prevalence == 0  # without a positive row there is nothing to reach
        return {
            name: np.where(empty, self.value, np.clip(bound, self.reached, self.perfect))
            for name, bound in bounds.items()
        }

    def _resolution(self) -> NDArray[np.float64]:
        """Return the discretisation factor of each label; see :meth:`Measure.resolution`."""
        c = self._coefficients
        smallest = c.alpha1 + np.minimum(c.delta * self._masses, 0.0).sum(axis=-1)
        for p in self.prevalence[(smallest <= 0) & (self.prevalence > 0)]:
            self.measure.resolution(p)  # which says what is wrong
        return 1.0 / np.where(smallest > 0, smallest, 1.0)

    def _cones(self) -> NDArray[np.float64]:
        """Return the bound of every cone; see :class:`ConeBound`."""
        alpha0, gamma, alpha1, delta = (np.expand_dims(part, 1) for part in self._coefficients)
        errors = np.stack([self.fn, self.fp], axis=-1)
        along = (delta * errors).sum(axis=-1)
        denominator = np.where(self._empty, 1.0, alpha1 + along)
        apex = (alpha0 + (gamma * errors).sum(axis=-1)) / denominator
        most, least = self._reach(np.maximum(apex, self.reached[:, None]))
        left = np.minimum((along - most) / denominator, 0.0)
        right = np.maximum((along - least) / denominator, 0.0)
        slope = np.where(apex >= self.levels, right, left)
        return np.asarray((apex - slope * self.levels) / (1.0 - slope))

    @property
    def _empty(self) -> NDArray[np.bool_]:
        return self.prevalence[:, None] == 0

    def _reach(self, value: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Return the largest and the least <delta, e> of all pairs e that reach a value.

        It is taken at a corner of the box of all pairs, cut by the straight level set.
        """
        alpha0, gamma, alpha1, delta = (np.expand_dims(part, 1) for part in self._coefficients)
        corners = CORNERS * self._masses[:, None, :]
        costs, offset = value[..., None] * delta - gamma, value * alpha1 - alpha0
        heights = (corners[:, None] * costs[..., None, :]).sum(axis=-1) + offset[..., None]
        size = np.maximum(np.abs(heights).max(axis=-1, keepdims=True), 1.0)
        at_corner = np.broadcast_to((corners * delta).sum(axis=-1)[:, None], heights.shape)
        after, next_height = (np.roll(part, -1, axis=-1) for part in (at_corner, heights))
        low, high = np.minimum(heights, next_height), np.maximum(heights, next_height)
        crosses = (low < 0) & (high > 0)
        share = heights / np.where(crosses, heights - next_height, 1.0)
        reach = np.concatenate([at_corner, at_corner + share * (after - at_corner)], axis=-1)
        kept = np.concatenate([heights <= ROUNDING * size, crosses], axis=-1)
        most = np.where(kept, reach, -np.inf).max(axis=-1)
        return most, np.where(kept, reach, np.inf).min(axis=-1)


def certify_labels(bounds: LabelBounds, by_threshold: ArrayLike, weights: ArrayLike) -> Certificate:
    """Average the certificates of labels, as their mean decomposes into them.

    Parameters
    ----------
    bounds : LabelBounds
        What is possible for each label.
    by_threshold : array-like of shape (n_labels,)
        Largest value that any threshold of a label's chosen scores gives.
    weights : array-like of shape (n_labels,)
        Weight of each label in the mean.

    Returns
    -------
    Certificate
        That of :func:`certify` for each label, averaged by :func:`mean_certificate`.
    """
    value = float(label_mean(bounds.value, weights))
    ceilings = {"threshold": np.asarray(by_threshold), **bounds.ceilings()}
    statements = []
    for name, by_label in ceilings.items():
        ceiling = float(label_mean(by_label, weights))
        assumes = NOTHING if name == "threshold" else ORACLE
        statements.append(Statement(name, ceiling, ceiling - value, assumes))
    return Certificate(value, tuple(statements), float(label_mean(bounds.perfect, weights)))
