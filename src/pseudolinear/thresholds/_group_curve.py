"""GroupCurve: all cuts of the scores of one group, with its rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve
from pseudolinear.loops._curves import lower_left_hull
from pseudolinear.thresholds._group_cut import GroupThreshold

Weights = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroupCurve:
    """What is wrong in a group at every cut of its scores, in shares of the rows of all groups.

    Attributes
    ----------
    group : object
        Its name.
    fn, fp : ndarray of shape (n_cuts,)
        Errors at each cut; from one cut to the next more rows are predicted positive.
    positives, negatives : float
        Share of either class.
    thresholds : ndarray of shape (n_cuts,)
        Threshold of each cut, descending.
    """

    group: Any
    fn: NDArray[np.float64]
    fp: NDArray[np.float64]
    positives: float
    negatives: float
    thresholds: NDArray[np.float64]

    @classmethod
    def of(cls, group: Any, curve: ErrorCurve, share: float) -> Self:
        """Weigh the curve of a group by its share of all rows."""
        positives = share * float(curve.prevalence[0])
        fn, fp = share * curve.fn[:, 0], share * curve.fp[:, 0]
        return cls(group, fn, fp, positives, share - positives, curve.thresholds)

    def rate(self, name: str) -> NDArray[np.float64] | None:
        """Return a rate at every cut, which never falls; None where the group has none."""
        found, wrong = self.positives - self.fn, self.fp
        part, whole = {
            "recall": (found, self.positives),
            "false_positive_rate": (wrong, self.negatives),
            "selection_rate": (found + wrong, self.positives + self.negatives),
        }[name]
        return part / whole if whole > 0 else None

    def hull(self) -> Self:
        """Keep the vertices of the convex hull of all cuts: what mixtures of cuts can reach."""
        left = lower_left_hull(self.fp, self.fn)
        # Turned by half a circle, the upper right hull is a lower left one.
        right = lower_left_hull(self.negatives - self.fp[::-1], self.positives - self.fn[::-1])
        ends = [0, len(self.fn) - 1]
        kept = np.unique(np.concatenate([ends, left, ends[1] - right]))
        return type(self)(
            self.group, self.fn[kept], self.fp[kept], self.positives, self.negatives,
            self.thresholds[kept],
        )  # fmt: skip

    def errors(self, weights: Weights) -> tuple[float, float]:
        """Return the errors of a mixture of cuts."""
        return float(weights @ self.fn), float(weights @ self.fp)

    def cut(self, weights: Weights) -> GroupThreshold:
        """Return what a mixture of cuts gives."""
        used = np.flatnonzero(weights)
        fn, fp = self.errors(weights)
        return GroupThreshold(
            self.group,
            tuple(self.thresholds[used].tolist()),
            tuple(weights[used].tolist()),
            max(self.positives - fn, 0.0), fn, fp, max(self.negatives - fp, 0.0),
        )  # fmt: skip
