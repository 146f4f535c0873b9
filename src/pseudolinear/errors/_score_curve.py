"""ScoreCurve: the cuts of a score that are known exactly, and what may lie between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.errors._curve import ErrorCurve, between
from pseudolinear.errors._profile import ErrorProfile


@dataclass(frozen=True, eq=False)
class ScoreCurve:
    """Rows counted in intervals of their scores: exact between intervals, bounded within.

    It is what is known of a score whose rows were seen and let go. Two of them merge into that of
    all rows, in any order. Where every interval is a single score, the curve is complete.

    Attributes
    ----------
    low, high : ndarray of shape (n_intervals,)
        Lowest and highest score of each interval, descending; intervals do not overlap.
    positives, negatives : ndarray of shape (n_intervals,)
        Weight of the rows of either class.

    Examples
    --------
    >>> from pseudolinear.errors import ScoreCurve
    >>> one = ScoreCurve.of_scores(np.array([0.2, 0.9]), np.array([1.0, 1.0]), np.zeros(2))
    >>> two = ScoreCurve.of_scores(np.array([0.2, 0.4]), np.array([0.0, 1.0]), np.ones(2))
    >>> one.merge(two).curve().fp[:, 0]
    array([0. , 0. , 0.2, 0.4])
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    positives: NDArray[np.float64]
    negatives: NDArray[np.float64]

    __repr__ = brief_repr

    @classmethod
    def of_scores(
        cls,
        scores: NDArray[np.float64],
        positives: NDArray[np.float64],
        negatives: NDArray[np.float64],
    ) -> ScoreCurve:
        """Take the weight of both classes at distinct scores, in any order."""
        order = np.argsort(-scores)
        return cls(scores[order], scores[order], positives[order], negatives[order])

    @classmethod
    def of_bins(cls, bins: NDArray[np.float64]) -> ScoreCurve:
        """Take ascending bins: columns of positives, negatives, lowest and highest score."""
        some = np.flatnonzero(bins[:, 2] <= bins[:, 3])[::-1]
        positives, negatives, low, high = np.ascontiguousarray(bins[some].T)
        return cls(low, high, positives, negatives)

    def __len__(self) -> int:
        """Return the number of intervals."""
        return len(self.low)

    @property
    def complete(self) -> bool:
        """Whether every cut is known."""
        return bool((self.low == self.high).all())

    @property
    def weight(self) -> float:
        """Weight of all rows."""
        return float(self.positives.sum() + self.negatives.sum())

    def merge(self, other: ScoreCurve) -> ScoreCurve:
        """Return the curve of the rows of both; intervals that overlap become one.

        That is exact and does not depend on the order of several merges, but for the rounding of
        weights.
        """
        if not len(self) or not len(other):
            return self if len(self) else other
        low = np.concatenate([self.low, other.low])
        order = np.argsort(low, kind="stable")
        low = low[order]
        high, positives, negatives = (
            np.concatenate([getattr(self, name), getattr(other, name)])[order]
            for name in ("high", "positives", "negatives")
        )
        upto = np.maximum.accumulate(high)
        starts = np.flatnonzero(np.append(True, low[1:] > upto[:-1]))
        ends = np.append(starts[1:], len(low)) - 1
        sums = (np.add.reduceat(mass, starts)[::-1] for mass in (positives, negatives))
        return ScoreCurve(low[starts][::-1], upto[ends][::-1], *sums)

    def take(self, intervals: NDArray[np.bool_]) -> ScoreCurve:
        """Return some of the intervals."""
        return ScoreCurve(
            self.low[intervals],
            self.high[intervals],
            self.positives[intervals],
            self.negatives[intervals],
        )

    def refine(self, finer: ScoreCurve, intervals: NDArray[np.bool_]) -> ScoreCurve:
        """Replace some intervals by finer ones of the same rows."""
        kept = ~intervals
        parts = [
            np.concatenate([getattr(self, name)[kept], getattr(finer, name)])
            for name in ("low", "high", "positives", "negatives")
        ]
        order = np.argsort(-parts[0], kind="stable")
        return ScoreCurve(*(part[order] for part in parts))

    def curve(self) -> ErrorCurve:
        """Return the cuts that are known: one above, between and below the intervals.

        Returns
        -------
        ErrorCurve
            Thresholds are half-way between the neighbouring scores.
        """
        return self._curve

    @cached_property
    def _curve(self) -> ErrorCurve:
        tp, fp = self.positives.cumsum(), self.negatives.cumsum()
        total = tp[-1] + fp[-1]
        fn, fp = np.append(tp[-1], tp[-1] - tp), np.append(0.0, fp)
        thresholds = between(self.low, self.high)
        return ErrorCurve(fn[:, None] / total, fp[:, None] / total, tp[-1] / total, thresholds)

    def corners(self) -> ErrorProfile:
        """Return, of each interval, errors that no cut within it is below.

        They are those of a cut that has all positives of the interval above it and none of its
        negatives; a measure that falls with both errors is nowhere larger in the interval.
        """
        edges = self.curve()
        return ErrorProfile(edges.fn[1:], edges.fp[:-1], edges.prevalence)

    def outline(self) -> ErrorCurve:
        """Return the cuts worth choosing among the known ones; see :meth:`ErrorCurve.outline`."""
        return self.curve().outline()
