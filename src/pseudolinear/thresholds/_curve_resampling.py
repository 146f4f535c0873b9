"""How far a threshold moves from sample to sample, from what was counted of the scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from pseudolinear.errors import ErrorCurve, ErrorProfile, ScoreCurve
from pseudolinear.thresholds._hopes import choose, moved
from pseudolinear.thresholds._purpose import Purpose
from pseudolinear.thresholds._resampling import ResampledCut

INTERVALS = 2048  # of equally many positives, and of equally many rows


def resample_curve(
    known: ScoreCurve,
    purpose: Purpose,
    n_rows: float,
    n_resamples: int,
    confidence: float,
    random_state: Any,
) -> ResampledCut:
    """Resample the rows of one target from their counts; see :meth:`StreamedCut.resample`."""
    cut, goal = purpose.cut([known]), purpose.goal
    coarse = _coarsened(known, float(cut.threshold))
    edges = moved(coarse.curve(), purpose.prevalence)
    at = int(np.argmin(np.abs(edges.thresholds - cut.threshold)))
    shares = np.concatenate([coarse.positives, coarse.negatives]) / coarse.weight
    rng, ends = check_random_state(random_state), [(1 - confidence) / 2, (1 + confidence) / 2]
    thresholds, gains, values = [], [], []
    for _ in range(n_resamples):
        drawn = _drawn(coarse, rng.multinomial(max(round(n_rows), 1), shares))
        try:
            drawn = moved(drawn, purpose.prevalence)
            values.append(_value(goal, drawn, at))
            own = choose(goal, drawn)
        except ValueError:  # no positive row, or out of reach of the constraint
            continue
        thresholds.append(edges.thresholds[own])
        gains.append(_value(goal, drawn, own) - _value(goal, edges, own))
    if not thresholds:
        raise ValueError("No resample of these rows has a threshold; there are too few rows.")
    optimism = float(np.mean(gains))
    low, high = np.nanquantile(values, ends) - optimism
    return ResampledCut(
        cut,
        float(goal.value(cut.profile)) - optimism,
        (float(low), float(high)),
        np.quantile(thresholds, ends),
        n_resamples - len(thresholds),
    )


def _coarsened(known: ScoreCurve, threshold: float) -> ScoreCurve:
    """Join intervals to some thousand, but none across the threshold."""
    new = np.zeros(len(known), dtype=bool)
    for mass in (known.positives, known.positives + known.negatives):
        before = np.cumsum(mass) - mass
        place = np.floor(before * (INTERVALS / max(mass.sum(), 1e-300)))
        new |= np.append(True, np.diff(place) > 0)
    below = known.high < threshold
    new[np.argmax(below)] |= below.any()
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(known)) - 1
    masses = (np.add.reduceat(mass, starts) for mass in (known.positives, known.negatives))
    return ScoreCurve(known.low[ends], known.high[starts], *masses)


def _drawn(coarse: ScoreCurve, counts: NDArray[np.int64]) -> ErrorCurve:
    """Return the curve of drawn rows at the cuts of the others."""
    positives, negatives = np.split(counts.astype(np.float64), 2)
    total, tp, fp = counts.sum(), positives.cumsum(), negatives.cumsum()
    fn = np.append(tp[-1], tp[-1] - tp)[:, None] / total
    thresholds = coarse.curve().thresholds
    return ErrorCurve(fn, np.append(0.0, fp)[:, None] / total, tp[-1] / total, thresholds)


def _value(goal: Any, curve: ErrorCurve, cut: int) -> float:
    return float(goal.value(ErrorProfile(curve.fn[cut], curve.fp[cut], curve.prevalence)))
