"""ConeBound: what is still possible after a classifier was trained at a level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.measures import Measure, rounding


@dataclass(frozen=True)
class ConeBound:
    """What is still possible after a classifier was trained at a level.

    If it has the least cost at its level, up to a given sub-optimality, then no classifier of
    the same class reaches the value t' above ``ceiling(t')``: in the plane of levels and values
    the region above a V with its apex at the level is forbidden (Bascol et al. 2019).

    Attributes
    ----------
    level : float
        Level whose costs were used in training.
    apex : float
        Value that was reached, plus the sub-optimality over the denominator.
    left, right : float
        Slopes of the ceiling below and above the level; ``left <= 0 <= right < 1``.
    """

    level: float
    apex: float
    left: float
    right: float

    @classmethod
    def from_pair(
        cls,
        measure: Measure,
        prevalence: ArrayLike,
        level: float,
        pair: Sequence[float],
        *,
        suboptimality: float = 0.0,
        floor: float | None = None,
    ) -> ConeBound:
        """Build the cone of a classifier from its pair of errors.

        Parameters
        ----------
        measure : Measure
            What is optimised.
        prevalence : float or array-like of shape (n_labels,)
            Proportion of rows that carry each label.
        level : float
            Level whose costs were used in training.
        pair : sequence of two floats
            False negatives and false positives to which the profile collapses.
        suboptimality : float, default=0.0
            How far its cost may be above the least one.
        floor : float, default=None
            Only better classifiers than this value matter, if it is above the value reached;
            the cone gets narrower.

        Returns
        -------
        ConeBound
            The cone.

        Examples
        --------
        >>> cone = ConeBound.from_pair(FBeta(), 0.5, level=0.6, pair=(0.1, 0.2))
        >>> round(cone.apex, 3), round(cone.bound(), 3)
        (0.727, 0.778)
        """
        c = measure.pair_coefficients(prevalence)
        errors = np.asarray(pair, dtype=np.float64)
        denominator = c.alpha1 + c.delta @ errors
        value = (c.alpha0 + c.gamma @ errors) / denominator
        corners = _still_better(measure, prevalence, value if floor is None else max(value, floor))
        reach = corners @ c.delta
        slopes = (c.delta @ errors - np.array([reach.max(), reach.min()])) / denominator
        left, right = min(float(slopes[0]), 0.0), max(float(slopes[1]), 0.0)
        return cls(float(level), float(value + suboptimality / denominator), left, right)

    def ceiling(self, levels: ArrayLike) -> NDArray[np.float64]:
        """Return the largest value that is possible at each level."""
        distance = np.asarray(levels, dtype=np.float64) - self.level
        return self.apex + np.where(distance < 0, self.left, self.right) * distance

    def bound(self) -> float:
        """Return the largest value that is possible at all: where the ceiling meets the diagonal.

        The best classifier reaches its own value, so only points (t', t') matter.
        """
        slope = self.right if self.apex >= self.level else self.left
        return (self.apex - slope * self.level) / (1.0 - slope)


def _still_better(measure: Measure, prevalence: ArrayLike, value: float) -> NDArray[np.float64]:
    """Return the corners of the set of all pairs of errors that reach a value.

    It is the box of all pairs, cut by the straight level set.
    """
    p = np.asarray(prevalence, dtype=np.float64)
    box = np.stack([p, 1.0 - p], axis=-1).reshape(-1, 2)
    fn, fp = (measure.pair_map(p.size) * box).sum(axis=(-2, -1))
    c = measure.pair_coefficients(prevalence)
    costs, offset = value * c.delta - c.gamma, value * c.alpha1 - c.alpha0
    corners = np.array([[0.0, 0.0], [fn, 0.0], [fn, fp], [0.0, fp]])
    heights = corners @ costs + offset
    nothing = rounding(*heights.tolist())
    kept = [corner for corner, h in zip(corners, heights, strict=True) if h <= nothing]
    for i in range(4):
        j = (i + 1) % 4
        if min(heights[i], heights[j]) < 0 < max(heights[i], heights[j]):
            share = heights[i] / (heights[i] - heights[j])
            kept.append(corners[i] + share * (corners[j] - corners[i]))
    return np.array(kept)
