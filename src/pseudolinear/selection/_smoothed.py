"""Smoothed: the cut where the measure is largest once chance is smoothed out of the curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.special import ndtri
from sklearn.linear_model import LogisticRegression

from pseudolinear.errors import ErrorCurve
from pseudolinear.kinds import Goal
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice
from pseudolinear.selection._largest_value import LargestValue
from pseudolinear.selection._shrunk import shrink

FEW_CUTS = 4  # below, there is nothing to smooth
TRUST = 1000.0  # positive rows at which they weigh as much as the smooth curve


@dataclass(frozen=True)
class Smoothed(LargestValue):
    """Take the candidate of the largest value, and cut it where the expected value is largest.

    The cut of the largest value is partly luck: a few rows more or less move it. So the cut is
    chosen on a curve that is shrunk towards what the rows would have on average if the log-odds of
    a row were a cubic function of its place among the scores, as a normal quantile; with n positive
    rows, the rows themselves weigh n / (n + 1000). What is reported is the value on the rows
    themselves.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> MeasureClassifier("linear", random_state=0).fit(X, y).sweep_.rule.name
    'smoothed'
    """

    name: ClassVar[str] = "smoothed"
    chooses: ClassVar[str] = "the largest value, cut where a smoothed curve has its largest value"
    assumes: ClassVar[str] = (
        "the log-odds of a row are a cubic of its place among the scores, until rows tell"
    )

    def check(self, goals: Sequence[Goal]) -> None:
        """Raise an error unless every goal is one label."""
        if any(goal.prevalence.ndim for goal in goals):
            raise ValueError(
                "selection='smoothed' is for binary problems and macro averages over labels; use "
                "'auto'."
            )

    def choose(self, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> list[Choice]:
        """Choose the candidates of the largest value, and their cuts on smoothed curves."""
        chosen = super().choose(goals, by_goal)
        return self.recut(goals, [choice.candidates for choice in chosen])

    def recut(self, goals: Sequence[Goal], by_goal: Sequence[Sequence[Candidate]]) -> list[Choice]:
        """Cut given candidates on smoothed curves."""
        return [
            Choice.of(goal, own, [self._smooth_cut(goal, candidate) for candidate in own])
            for goal, own in zip(goals, by_goal, strict=True)
        ]

    def _smooth_cut(self, goal: Goal, candidate: Candidate) -> int:
        # What chance did, it did to the rows that were seen, whatever population they stand for.
        curve, there = candidate.curve, candidate.curve.prevalence
        if goal.seen is None or not 0.0 < there[0] < 1.0:
            return self.cut(goal, replace(candidate, curve=smoothed_curve(curve, goal.n_samples)))
        smooth = smoothed_curve(curve.at_prevalence(goal.seen), goal.n_samples)
        return self.cut(goal, replace(candidate, curve=smooth.at_prevalence(there)))


def smoothed_curve(curve: ErrorCurve, n_samples: int) -> ErrorCurve:
    """Return the curve of a label nearer to what it would be on average, at the same cuts.

    Between neighbouring cuts lie rows of nearly one score; the positives among them are shrunk
    towards the number that a logistic regression of the label on a cubic of their place expects.

    Parameters
    ----------
    curve : ErrorCurve
        Of one label.
    n_samples : int
        Number of rows.

    Returns
    -------
    ErrorCurve
        With the same prevalence and the same predicted rates.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(2000) < 0.1
    >>> curve = ErrorCurve.from_scores(y, y + rng.normal(size=2000)).outline()
    >>> smooth = smoothed_curve(curve, 2000)
    >>> bool(np.abs(smooth.fn - curve.fn).max() < 0.01)
    True
    """
    negative, positive = np.diff(curve.fp[:, 0]), -np.diff(curve.fn[:, 0])
    rows = negative + positive
    if len(rows) < FEW_CUTS or not (positive > 0).sum() > 1:
        return curve
    # Places instead of scores: those of trees and neighbours may lie at plus and minus infinity.
    places = (np.cumsum(rows) - rows / 2) / rows.sum()
    z = ndtri(places.clip(0.5 / n_samples, 1 - 0.5 / n_samples))
    features = np.stack([z, z**2, z**3], axis=1)
    model = LogisticRegression(C=100.0, max_iter=1000).fit(
        np.vstack([features, features]),
        np.repeat([0, 1], len(rows)),
        np.concatenate([negative, positive]) * n_samples,
    )
    expected = rows * model.predict_proba(features)[:, 1]
    expected = shrink(
        positive, expected * positive.sum() / expected.sum(), positive.sum() * n_samples, TRUST
    )
    fn = np.append(curve.fn[0, 0], curve.fn[0, 0] - np.cumsum(expected))
    fp = np.append(curve.fp[0, 0], curve.fp[0, 0] + np.cumsum(rows - expected))
    return ErrorCurve(fn[:, None], fp[:, None], curve.prevalence, curve.thresholds)
