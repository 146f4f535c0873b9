"""Thresholds per group: the best measure with a bounded difference between groups."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._groups import called, read_groups
from pseudolinear._validation import check_binary, check_scores, check_weights
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.measures import ROUNDING, Measure, get_ratio, short_name
from pseudolinear.thresholds._group_curve import GroupCurve, Weights
from pseudolinear.thresholds._group_cut import RATES, GroupCut
from pseudolinear.thresholds._mixtures import best_mixtures
from pseudolinear.thresholds._windows import best_cuts


def best_group_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    groups: Any,
    measure: str | Measure = "f1",
    *,
    rate: str | Sequence[str] = "recall",
    within: float = 0.05,
    randomise: bool = True,
    sample_weight: ArrayLike | None = None,
) -> GroupCut:
    """Find the best thresholds of groups whose rates must not differ by more than a bound.

    The measure is that of all groups together, and no other thresholds are better on these rows:
    without the bound each group would be cut where an error costs the same, with it the optimum is
    that of a linear program. Where no single cut keeps the bound as well, a group has two or three
    thresholds that take turns, each row by its own draw.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        0 and 1, or booleans.
    y_score : array-like of shape (n_samples,)
        Finite scores, larger for the positive class.
    groups : array-like of shape (n_samples,)
        The group of each row: texts, numbers or categories.
    measure : str or Measure, default="f1"
        Of one label.
    rate : {"recall", "false_positive_rate", "selection_rate"} or several, default="recall"
        Whose difference between any two groups is bounded. Recall and false-positive rate together
        are known as equalised odds, the selection rate as demographic parity. A group without
        positives has no recall, and no bound on it.
    within : float, default=0.05
        The bound; 0 asks for equal rates.
    randomise : bool, default=True
        Whether thresholds may take turns. If not, the best single cuts are found, of all
        combinations; for one rate.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.

    Returns
    -------
    GroupCut
        Thresholds and rates of each group, and the value.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> sex = rng.choice(["f", "m"], 400)
    >>> y = rng.random(400) < np.where(sex == "f", 0.2, 0.5)
    >>> score = y + np.where(sex == "f", 1.0, 0.6) * rng.normal(size=400)
    >>> free, near = (best_group_thresholds(y, score, sex, within=w) for w in (1.0, 0.02))
    >>> round(free.gap("recall"), 3), round(near.gap("recall"), 3)
    (0.468, 0.02)
    >>> round(free.value, 3), round(near.value, 3)
    (0.738, 0.671)
    """
    goal, rates = _check_measure(measure), _check_rates(rate)
    if not isinstance(within, Real) or not 0 <= float(within) <= 1:
        raise ValueError(f"within must be a difference between 0 and 1, as 0.05, got {within!r}.")
    if not randomise and len(rates) > 1:
        raise ValueError(
            f"randomise=False is for one rate, got {len(rates)}; single cuts hardly keep two "
            "bounds at once."
        )
    curves = _curves(y_true, y_score, groups, sample_weight)
    chosen = _choose(curves, goal, rates, within, randomise=randomise)
    return _group_cut(chosen, goal, rates, within)


def _choose(
    curves: list[GroupCurve],
    measure: Measure,
    rates: tuple[str, ...],
    within: float,
    *,
    randomise: bool,
) -> list[tuple[GroupCurve, Weights]]:
    """Return the curve of each group with the weights of its cuts; single cuts if as good."""

    def value(pairs: list[tuple[GroupCurve, Weights]]) -> float:
        return float(measure.value(_profile(pairs)))

    if not randomise:
        return list(zip(curves, best_cuts(curves, measure, rates[0], within), strict=True))
    hulls = [curve.hull() for curve in curves]
    mixed = list(zip(hulls, best_mixtures(hulls, measure, rates, within), strict=True))
    if len(rates) > 1 or all(weights.max() == 1 for _, weights in mixed):
        return mixed
    single = list(zip(curves, best_cuts(curves, measure, rates[0], within), strict=True))
    return single if value(single) >= value(mixed) - ROUNDING else mixed


def _group_cut(
    chosen: list[tuple[GroupCurve, Weights]],
    measure: Measure,
    rates: tuple[str, ...],
    within: float,
) -> GroupCut:
    profile = _profile(chosen)
    cuts = tuple(curve.cut(weights) for curve, weights in chosen)
    return GroupCut(
        short_name(measure), float(measure.value(profile)), profile, cuts, rates, float(within)
    )


def _profile(chosen: list[tuple[GroupCurve, Weights]]) -> ErrorProfile:
    fn, fp = np.sum([curve.errors(weights) for curve, weights in chosen], axis=0)
    return ErrorProfile(fn, fp, np.sum([curve.positives for curve, _ in chosen]))


def _curves(
    y_true: ArrayLike, y_score: ArrayLike, groups: Any, sample_weight: ArrayLike | None
) -> list[GroupCurve]:
    positive = check_binary(y_true, "y_true")
    if positive.ndim != 1:
        raise ValueError(
            f"y_true has the shape {positive.shape}; thresholds of groups are for one label, so "
            "give one column at a time."
        )
    score = check_scores(y_score, positive.shape)
    weight = check_weights(sample_weight, len(positive))
    names, codes = read_groups(groups, len(positive), "groups")
    if len(names) < 2:
        raise ValueError(
            f"{called(groups, 'groups')} has the single value {names[0]!r}, so there is no "
            "difference to bound; use best_threshold."
        )
    if not positive[slice(None) if weight is None else weight > 0].any():
        raise ValueError("y_true has no positive row; no threshold can be chosen on it.")
    return [_curve(name, codes == k, positive, score, weight) for k, name in enumerate(names)]


def _curve(
    name: Any,
    own: NDArray[np.bool_],
    positive: NDArray[np.bool_],
    score: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
) -> GroupCurve:
    part = None if weight is None else weight[own]
    share = own.mean() if weight is None else weight[own].sum() / weight.sum()
    if share == 0:
        raise ValueError(f"All rows of the group {name!r} have the weight 0; leave them out.")
    return GroupCurve.of(
        name, ErrorCurve.from_scores(positive[own], score[own], part), float(share)
    )


def _check_measure(measure: str | Measure) -> Measure:
    goal = get_ratio(measure)
    if goal.average != "binary":
        raise ValueError(
            f"{goal!r} is an average over labels or classes, but thresholds of groups are for one "
            "label; use a measure of one, such as 'f1'."
        )
    return goal


def _check_rates(rate: str | Sequence[str]) -> tuple[str, ...]:
    rates = tuple(rate) if isinstance(rate, list | tuple | set) else (rate,)
    wrong = [one for one in rates if one not in RATES]
    if wrong or not rates:
        raise ValueError(f"rate must be one or several of {', '.join(RATES)}, got {rate!r}.")
    return tuple(dict.fromkeys(rates))
