"""The best cut of each group under a bound, without mixtures, by going through all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pseudolinear.loops._curves import window_minima
from pseudolinear.measures import ROUNDING, Measure
from pseudolinear.thresholds._group_curve import GroupCurve, Weights


def best_cuts(
    curves: Sequence[GroupCurve], measure: Measure, rate: str, within: float
) -> list[Weights]:
    """Choose one cut in each group so that the measure is the largest possible.

    The least rate of a choice is one that some cut has. So every such rate is tried as the lower
    end of the common interval, in which each group takes its cheapest cut; the level of the costs
    is raised to the value reached until it cannot rise (Dinkelbach), which is the optimum over all
    combinations of cuts.

    Parameters
    ----------
    curves : sequence of GroupCurve
        All cuts.
    measure : Measure
        Of one label.
    rate : str
        What must be within a common interval in all groups that have it.
    within : float
        Length of that interval.

    Returns
    -------
    list of ndarray
        For each group weights that are 1 at the cut.
    """
    positives = sum(curve.positives for curve in curves)
    windows = _windows(curves, rate, within)
    cuts = [0] * len(curves)
    level = _value(curves, cuts, measure, positives)
    while True:
        cost_fn, cost_fp = measure.costs(level, positives)
        cheapest = _cheapest([cost_fn * curve.fn + cost_fp * curve.fp for curve in curves], windows)
        value = _value(curves, cheapest, measure, positives)
        if value <= level:
            return [np.eye(1, len(c.fn), k)[0] for c, k in zip(curves, cuts, strict=True)]
        level, cuts = value, cheapest


def _value(
    curves: Sequence[GroupCurve], cuts: Sequence[int], measure: Measure, positives: float
) -> float:
    fn, fp = (
        sum(getattr(curve, error)[cut] for curve, cut in zip(curves, cuts, strict=True))
        for error in ("fn", "fp")
    )
    return float(measure.pair_value(np.asarray(fn), np.asarray(fp), positives))


def _windows(
    curves: Sequence[GroupCurve], rate: str, within: float
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return the first cut of each group within every interval, and the one after the last.

    Intervals in which some group has no cut are left out.
    """
    known = [(curve, curve.rate(rate)) for curve in curves]
    lows = np.unique(np.concatenate([values for _, values in known if values is not None]))
    found = [
        (np.zeros(len(lows), np.intp), np.full(len(lows), len(curve.fn)))
        if values is None
        else (
            np.searchsorted(values, lows - ROUNDING, side="left"),
            np.searchsorted(values, lows + within + ROUNDING, side="right"),
        )
        for curve, values in known
    ]
    possible = np.all([starts < ends for starts, ends in found], axis=0)
    return [(starts[possible], ends[possible]) for starts, ends in found]


def _cheapest(
    costs: Sequence[NDArray[np.float64]], windows: Sequence[tuple[NDArray[np.intp], ...]]
) -> list[int]:
    """Return the cheapest cut of each group in the interval in which all together are."""
    cuts = [window_minima(c, *ends) for c, ends in zip(costs, windows, strict=True)]
    total = np.sum([c[k] for c, k in zip(costs, cuts, strict=True)], axis=0)
    best = int(total.argmin())
    return [int(k[best]) for k in cuts]
