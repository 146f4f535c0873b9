"""Hopes: what a cut inside an interval of scores could at best be worth."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve, ErrorProfile, ScoreCurve
from pseudolinear.measures import ROUNDING, ErrorFunction, Measure, Objective, first_best, rounding
from pseudolinear.thresholds._objectives import (
    FalseNegativesAtFalsePositives,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtBudget,
    RecallAtPrecision,
)

Values = NDArray[np.float64]


@singledispatch
def worth(goal: Any, profile: ErrorProfile) -> Values:
    """Return what errors of one label are worth, minus infinity where they are not allowed.

    It never grows with the errors of a class, so that no cut inside an interval is worth more than
    the corner of the interval.
    """
    raise ValueError(
        f"{goal!r} says nothing of cuts that were not seen, so its threshold cannot be found in a "
        "stream; use best_threshold on rows in memory."
    )


@worth.register
def _(goal: Measure, profile: ErrorProfile) -> Values:
    return np.asarray(goal.value(profile))


@worth.register
def _(goal: ErrorFunction, profile: ErrorProfile) -> Values:
    return goal.of_labels(profile)[:, 0]


@worth.register
def _(goal: MinimalCost, profile: ErrorProfile) -> Values:
    return -profile.total_cost([goal.cost_fn, goal.cost_fp])


@worth.register
def _(goal: RecallAtPrecision, profile: ErrorProfile) -> Values:
    allowed = profile.precision[:, 0] >= goal.min_precision - ROUNDING
    return np.where(allowed, profile.recall[:, 0], -np.inf)


@worth.register
def _(goal: PrecisionAtRecall, profile: ErrorProfile) -> Values:
    allowed = profile.recall[:, 0] >= goal.min_recall - ROUNDING
    return np.where(allowed, np.nan_to_num(profile.precision[:, 0]), -np.inf)


@worth.register
def _(goal: FalseNegativesAtFalsePositives, profile: ErrorProfile) -> Values:
    return np.where(profile.fp[:, 0] <= goal.max_fp + ROUNDING, -profile.fn[:, 0], -np.inf)


@worth.register
def _(goal: RecallAtBudget, profile: ErrorProfile) -> Values:
    share = profile.prevalence[0] - profile.fn[:, 0] + profile.fp[:, 0]
    return np.where(share <= goal.max_share + ROUNDING, profile.recall[:, 0], -np.inf)


def choose(goal: Measure | Objective, curve: ErrorCurve) -> int:
    """Return the best of the cuts that are known; an error if none is allowed."""
    if not isinstance(goal, Measure):
        return goal.choose(curve)[0]
    return first_best(goal.value(curve))


def hopes(goal: Measure | Objective, known: ScoreCurve, prevalence: float | None = None) -> Values:
    """Return what a cut inside each interval could be worth; minus infinity of what is settled.

    Settled are single scores, and intervals of one class: a cut within is no better than one of
    those around it.
    """
    several = (known.low < known.high) & (known.positives > 0)
    if not several.any():
        return np.full(len(known), -np.inf)
    if isinstance(goal, RecallAtBudget):  # fewer rows can be what is wanted, of either class
        edges = moved(known.curve(), prevalence)
        flagged = edges.prevalence[0] - edges.fn[:-1, 0] + edges.fp[:-1, 0]
        corners = moved(known.corners(), prevalence)
        values = np.where(flagged < goal.max_share, corners.recall[:, 0], -np.inf)
    else:
        several &= known.negatives > 0
        values = worth(goal, moved(known.corners(), prevalence))
    return np.where(several, values, -np.inf)


def hopeful(
    goal: Measure | Objective, known: ScoreCurve, prevalence: float | None = None
) -> NDArray[np.bool_]:
    """Return the intervals in which the best cut may be, as far as is known."""
    edges, possible = moved(known.curve(), prevalence), hopes(goal, known, prevalence)
    try:
        best = choose(goal, edges)
    except ValueError:  # no cut that is known is allowed
        if not (possible > -np.inf).any():
            raise
        return possible > -np.inf
    if not (possible > -np.inf).any():
        return np.zeros(len(known), dtype=bool)
    top = float(worth(goal, edges[best : best + 1])[0])
    before = np.arange(len(known)) < best  # of equal cuts the first wins,
    if isinstance(goal, PrecisionAtRecall):
        before = ~before  # or the last
    if isinstance(goal, Measure):
        check_costs(goal, top, edges.prevalence)
    return (possible > top + rounding(top)) | (before & (possible >= top - rounding(top)))


def moved(profile: Any, prevalence: float | None) -> Any:
    """Return errors in a population of another prevalence; None leaves them."""
    return profile if prevalence is None else profile.at_prevalence(prevalence)


def check_costs(measure: Measure, level: float, prevalence: NDArray[np.float64]) -> None:
    """Refuse a measure that would be larger with more errors: corners would bound nothing."""
    if (measure.costs(level, prevalence) < -ROUNDING).any():
        raise ValueError(
            f"{measure!r} has a negative cost at the level {level:g}, so that more errors would be "
            "better; thresholds of a stream need costs that are not negative."
        )
