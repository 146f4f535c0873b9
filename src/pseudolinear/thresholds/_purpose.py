"""Purpose: what thresholds of counted scores are for, and where a better one may hide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve, ScoreCurve
from pseudolinear.measures import ROUNDING, Measure, Objective, get_measure, has_row_costs
from pseudolinear.thresholds._cut import Cut, combine
from pseudolinear.thresholds._hopes import check_costs, choose, hopeful, hopes, moved, worth
from pseudolinear.thresholds._labels import joint_cuts, refuse_default_class

Curves = Sequence[ScoreCurve]


@dataclass(frozen=True)
class Purpose(ABC):
    """What thresholds are chosen for.

    Attributes
    ----------
    goal : Measure or Objective
        What is maximised.
    several : bool
        Whether there are labels, and not one target.
    prevalence : float or None
        Share of positives where the threshold will be used, of one target.
    """

    goal: Any
    several: bool
    prevalence: float | None = None

    @abstractmethod
    def hopeful(self, curves: Curves) -> list[NDArray[np.bool_]]:
        """Return, of every label, the intervals in which the best cut may be."""

    @abstractmethod
    def cut(self, curves: Curves) -> Cut:
        """Return the best of the cuts that are known."""

    @abstractmethod
    def gap(self, curves: Curves) -> float:
        """Return how much better another cut could be at most."""


class EachLabel(Purpose):
    """One target, or labels that are cut one by one: means over labels, and constraints."""

    @property
    def _one(self) -> Any:
        return self.goal.binary() if isinstance(self.goal, Measure) else self.goal

    def hopeful(self, curves: Curves) -> list[NDArray[np.bool_]]:
        """Return, of every label, the intervals in which its best cut may be."""
        return [hopeful(self._one, known, self.prevalence) for known in curves]

    def cut(self, curves: Curves) -> Cut:
        """Return the best cut of every label."""
        edges = [moved(known.curve(), self.prevalence) for known in curves]
        cuts = [choose(self._one, curve) for curve in edges]
        profile = combine(edges, cuts)
        thresholds = np.array([c.thresholds[i] for c, i in zip(edges, cuts, strict=True)])
        if self.several:
            return Cut(thresholds, float(self.goal.value(profile)), profile)
        if isinstance(self.goal, Measure):
            value = float(self.goal.value(edges[0])[cuts[0]])
        else:
            value = self.goal.choose(edges[0])[1]
        return Cut(float(thresholds[0]), value, profile)

    def gap(self, curves: Curves) -> float:
        """Return how much better other cuts could be at most: the mean over the labels."""
        gaps, prevalences = [], []
        for known in curves:
            edges = moved(known.curve(), self.prevalence)
            possible = hopes(self._one, known, self.prevalence).max()
            top = np.inf
            if possible > -np.inf:
                best = choose(self._one, edges)
                top = worth(self._one, edges[best : best + 1])[0]
            gaps.append(max(0.0, float(possible - top)))
            prevalences.append(edges.prevalence[0])
        weights = np.ones(len(gaps))
        if isinstance(self.goal, Measure):
            weights = self.goal.label_weights(np.array(prevalences))
        return float(np.average(gaps, weights=weights if weights.any() else None))


class AllLabels(Purpose):
    """Labels that are cut together, for a micro average."""

    def hopeful(self, curves: Curves) -> list[NDArray[np.bool_]]:
        """Return the intervals that may be part of a better combination of cuts.

        At the level that is reached, a better combination has a total cost below that level's. The
        other labels cost at least their least costs, so an interval needs a corner of less than
        what is left.
        """
        edges = [known.curve() for known in curves]
        prevalence = np.concatenate([curve.prevalence for curve in edges])
        level = self.cut(curves).value
        check_costs(self.goal, level, prevalence)
        costs = np.broadcast_to(self.goal.costs(level, prevalence), (len(curves), 2))
        corners = [
            np.where(_unsettled(known), known.corners().total_cost(price), np.inf)
            for known, price in zip(curves, costs, strict=True)
        ]
        least = np.array([
            min(curve.total_cost(price).min(), corner.min())
            for curve, price, corner in zip(edges, costs, corners, strict=True)
        ])  # fmt: skip
        left = -self.goal.offset(level, prevalence) - (least.sum() - least)
        return [corner < most - ROUNDING for corner, most in zip(corners, left, strict=True)]

    def cut(self, curves: Curves) -> Cut:
        """Return the best combination of the cuts that are known."""
        return self._joint([_hull(known.curve()) for known in curves])

    def gap(self, curves: Curves) -> float:
        """Return how much better another combination could be at most."""
        best = self.cut(curves).value
        possible = []
        for known in curves:
            edges, corners, some = known.curve(), known.corners(), _unsettled(known)
            fn = np.concatenate([edges.fn, corners.fn[some]])
            fp = np.concatenate([edges.fp, corners.fp[some]])
            possible.append(ErrorCurve(fn, fp, edges.prevalence, np.zeros(len(fn))))
        return max(0.0, self._joint(possible).value - best)

    def _joint(self, curves: list[ErrorCurve]) -> Cut:
        cuts = joint_cuts(curves, self.goal)
        profile = combine(curves, cuts)
        thresholds = np.array([c.thresholds[i] for c, i in zip(curves, cuts, strict=True)])
        return Cut(thresholds, float(self.goal.value(profile)), profile)


def purpose_of(
    objective: str | Measure | Objective, n_labels: int, several: bool, prevalence: float | None
) -> Purpose:
    """Return what thresholds are for, or say why a stream does not tell them."""
    goal = get_measure(objective)
    refuse_default_class(goal)
    if has_row_costs(goal):
        raise ValueError(
            f"{goal!r} has costs by row, which counts of scores do not tell; use best_threshold on "
            "rows in memory."
        )
    if prevalence is not None and several:
        raise ValueError("A prevalence is for one target; leave it out for several labels.")
    average = goal.average if isinstance(goal, Measure) else "macro"
    if isinstance(goal, Measure) and n_labels > 1 and average in ("binary", "multiclass"):
        raise ValueError(f"{goal!r} is for one label, got {n_labels}; use {goal.averaged}.")
    together = several and average == "micro"
    return (AllLabels if together else EachLabel)(goal, several, prevalence)


def _unsettled(known: ScoreCurve) -> NDArray[np.bool_]:
    return (known.low < known.high) & (known.positives > 0) & (known.negatives > 0)


def _hull(curve: ErrorCurve) -> ErrorCurve:
    return curve[curve.hull()]
