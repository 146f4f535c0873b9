"""Thresholds of scores that come in batches: exact, in a few passes and constant memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.errors import MOST_DISTINCT, ScoreCurve
from pseudolinear.measures import Measure, Objective
from pseudolinear.thresholds._curve_resampling import resample_curve
from pseudolinear.thresholds._cut import Cut
from pseudolinear.thresholds._purpose import Purpose, purpose_of
from pseudolinear.thresholds._resampling import ResampledCut
from pseudolinear.thresholds._score_passes import Batches, ScorePasses

Goal = str | Measure | Objective


@dataclass(frozen=True, eq=False)
class StreamedCut:
    """The best threshold of a stream, and what was kept of it.

    Attributes
    ----------
    cut : Cut
        The best threshold for the objective; of several objectives that of the first.
    cuts : tuple of Cut
        Those of all objectives.
    gaps : tuple of float
        How much better another cut could be at most, for each objective: 0 unless the number of
        passes was limited.
    passes : int
        How often the batches were gone through.
    n_rows : int
        Their rows.
    n_effective : float
        How many rows of equal weight would tell as much (Kish).
    several : bool
        Whether there are columns of labels, and not one target.
    curves : tuple of ScoreCurve
        What is known of the scores of each label: a few megabytes, whatever the rows.
    """

    cuts: tuple[Cut, ...]
    gaps: tuple[float, ...]
    passes: int
    n_rows: int
    n_effective: float
    several: bool
    curves: tuple[ScoreCurve, ...]

    __repr__ = brief_repr

    @property
    def cut(self) -> Cut:
        """The best threshold for the first objective."""
        return self.cuts[0]

    def retarget(self, objective: Goal, prevalence: float | None = None) -> tuple[Cut, float]:
        """Choose a threshold for something else, without another pass.

        Parameters
        ----------
        objective : str, Measure or constraint
            As for :func:`streamed_threshold`.
        prevalence : float, default=None
            Share of positives where the threshold will be used, of one target.

        Returns
        -------
        cut : Cut
            The best of the cuts that are known.
        gap : float
            How much better another cut could be at most.

        Examples
        --------
        >>> batches = [([0, 1], [0.1, 0.35]), ([0, 1], [0.4, 0.8])]
        >>> cut, gap = streamed_threshold(batches, "f1").retarget("f0.5")
        >>> round(cut.threshold, 3), gap
        (0.6, 0.0)
        """
        purpose = purpose_of(objective, len(self.curves), self.several, prevalence)
        return purpose.cut(self.curves), purpose.gap(self.curves)

    def flagged(self, cut: Cut) -> NDArray[np.float64]:
        """Return the weight of the rows that a cut flags, of each label; without weights rows."""
        found = []
        thresholds = np.atleast_1d(cut.threshold)
        for known, threshold in zip(self.curves, thresholds, strict=True):
            above = known.low >= threshold
            found.append(known.positives[above].sum() + known.negatives[above].sum())
        return np.array(found)

    def resample(
        self,
        objective: Goal = "f1",
        prevalence: float | None = None,
        *,
        n_resamples: int = 200,
        confidence: float = 0.95,
        random_state: Any = None,
    ) -> ResampledCut:
        """Say by the bootstrap how sure the threshold of one target and its value are.

        It is :func:`resampled_threshold` on what was kept: rows are drawn as numbers of either
        class in some thousand intervals, the best cut between two of them. With weights, as many
        rows are drawn as would tell as much if all weighed the same.

        Parameters
        ----------
        objective, prevalence
            As for :meth:`retarget`.
        n_resamples, confidence, random_state
            As for :func:`resampled_threshold`.

        Returns
        -------
        ResampledCut
            The threshold with its interval and spread.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> y = rng.random(500) < 0.2
        >>> found = streamed_threshold([(y, y + rng.normal(size=500))]).resample(random_state=0)
        >>> bool(found.expected < found.cut.value)
        True
        """
        if self.several:
            raise ValueError(
                "How labels of a row vary together is not kept of a stream, so that there is no "
                "interval of several labels; use resampled_threshold on rows in memory."
            )
        purpose = purpose_of(objective, 1, False, prevalence)
        return resample_curve(
            self.curves[0], purpose, self.n_effective, n_resamples, confidence, random_state
        )


def streamed_threshold(
    batches: Batches,
    objective: Goal | Sequence[Goal] = "f1",
    *,
    prevalence: float | None = None,
    max_passes: int | None = None,
    most_distinct: int = MOST_DISTINCT,
) -> StreamedCut:
    """Find the exact best threshold of scores that come in batches, in constant memory.

    It is what :func:`best_threshold` and :func:`best_thresholds` find on all rows at once. Scores
    of which there are few distinct ones (up to `most_distinct`) take one pass. Otherwise the first
    pass counts rows in intervals; between intervals the errors are exact, and within, all positives
    before all negatives bound what is possible, so that most intervals are ruled out; the others
    are counted more finely in further passes, mostly one, until none is left.

    Parameters
    ----------
    batches : iterable or callable
        Of ``(y, scores)`` or ``(y, scores, weight)``, columns as for :func:`best_threshold`, or
        matrices with a column per label as for :func:`best_thresholds`. It is gone through as often
        as there are passes: a list, an object such as :class:`datasets.ScoreFiles`, or a function
        that yields batches anew. In any partition and order, the result is the same.
    objective : str, Measure or constraint, or a list of them, default="f1"
        What to optimise; several are served by the same passes.
    prevalence : float, default=None
        Share of positives where the threshold will be used, of one target.
    max_passes : int, default=None
        Stop after so many passes with the best cut that is known; `gaps` says how much better
        another one could be. None goes on until there is none.
    most_distinct : int, default=2**20
        Distinct scores that are counted one by one: 64 bytes of memory each.

    Returns
    -------
    StreamedCut
        Thresholds, values and error profiles, and what :meth:`StreamedCut.retarget` needs.

    Examples
    --------
    >>> batches = [([0, 1], [0.1, 0.35]), ([0, 1], [0.4, 0.8])]  # parts of a file, say
    >>> found = streamed_threshold(batches, ["f1", "f2"])
    >>> round(found.cut.threshold, 3), found.cut.value, found.passes
    (0.225, 0.8, 1)
    """
    source = ScorePasses(batches, most_distinct)
    curves = source.first()
    goals: Any = objective if isinstance(objective, list | tuple) else [objective]
    purposes = [purpose_of(goal, len(curves), source.several, prevalence) for goal in goals]
    if not source.several and not curves[0].positives.any():
        raise ValueError("y_true has no positive row; no threshold can be chosen on it.")
    while max_passes is None or source.passes < max_passes:
        intervals = _hopeful(purposes, curves)
        if not any(some.any() for some in intervals):
            break
        curves = source.refine(curves, intervals)
    return StreamedCut(
        cuts=tuple(purpose.cut(curves) for purpose in purposes),
        gaps=tuple(purpose.gap(curves) for purpose in purposes),
        passes=source.passes,
        n_rows=source.n_rows,
        n_effective=source.weight**2 / source.squares,
        several=source.several,
        curves=tuple(curves),
    )


def _hopeful(purposes: Sequence[Purpose], curves: Sequence[ScoreCurve]) -> list[Any]:
    """Return the intervals in which the best cut for some purpose may be."""
    masks = zip(*(purpose.hopeful(curves) for purpose in purposes), strict=True)
    return [np.logical_or.reduce(of_label) for of_label in masks]
