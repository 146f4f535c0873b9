"""Thresholds of labels: the exact best cut of a score, in one sorted pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._validation import check_binary, check_scores, check_weights
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.measures import (
    ROUNDING,
    Measure,
    Objective,
    first_best,
    get_measure,
    get_ratio,
    has_row_costs,
)
from pseudolinear.thresholds._budget import on_rows
from pseudolinear.thresholds._cut import Cut, combine


def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    objective: str | Measure | Objective = "f1",
    sample_weight: ArrayLike | None = None,
) -> Cut:
    """Find the exact best threshold of a score.

    All cuts are tried, equal scores fall together, and of equally good cuts the one with the
    fewest predicted positives wins. It takes one sort of the scores.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        0 and 1, or booleans.
    y_score : array-like of shape (n_samples,)
        Finite scores, larger for the positive class.
    objective : str, Measure or constraint, default="f1"
        What to optimise: a measure or a name, with costs by row in :class:`ExpectedCost`; or
        :class:`MinimalCost`, :class:`RecallAtPrecision`, :class:`PrecisionAtRecall`,
        :class:`FalseNegativesAtFalsePositives`, or a :class:`Budget` for these rows.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.

    Returns
    -------
    Cut
        Threshold, value and error profile.

    Examples
    --------
    >>> cut = best_threshold([0, 1, 0, 1], [0.1, 0.35, 0.4, 0.8])
    >>> round(cut.threshold, 3), cut.value
    (0.225, 0.8)
    """
    goal = on_rows(get_measure(objective), len(np.asarray(y_true)))
    refuse_default_class(goal)
    if isinstance(goal, Measure) and goal.average != "binary":
        raise ValueError(
            f"{goal!r} is an average over labels, and here is one; use a binary measure such as "
            "f1, or best_thresholds for several labels."
        )
    if has_row_costs(goal):
        return _cheapest_threshold(y_true, y_score, goal, sample_weight)
    curve = ErrorCurve.from_scores(y_true, y_score, sample_weight)
    if curve.prevalence[0] == 0:
        raise ValueError("y_true has no positive row; no threshold can be chosen on it.")
    if isinstance(goal, Measure):
        values = goal.value(curve)
        best = first_best(values)
        value = float(values[best])
    else:
        best, value = goal.choose(curve)
    return Cut(float(curve.thresholds[best]), value, curve.profile(best))


def best_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    measure: str | Measure = "f1_macro",
    sample_weight: ArrayLike | None = None,
) -> Cut:
    """Find the exact best thresholds of a multilabel problem, one per label.

    For a macro average each label is cut on its own; for a micro average the thresholds are
    jointly optimal, over all combinations of cuts.

    Parameters
    ----------
    y_true : array-like of shape (n_samples, n_labels)
        0 and 1, or booleans.
    y_score : array-like of shape (n_samples, n_labels)
        Finite scores.
    measure : str or Measure, default="f1_macro"
        A micro or macro average.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.

    Returns
    -------
    Cut
        One threshold per label; value and error profile of all of them together.

    Examples
    --------
    >>> Y = [[1, 0], [0, 1], [1, 1]]
    >>> best_thresholds(Y, [[0.9, 0.2], [0.1, 0.6], [0.3, 0.7]], "f1_micro").value
    1.0
    """
    goal = get_ratio(measure)
    positive, score = _check_matrix(y_true, y_score, goal)
    columns = zip(positive.T, score.T, strict=True)
    if has_row_costs(goal):
        found = [_cheapest_threshold(y, s, goal, sample_weight) for y, s in columns]
        thresholds = np.array([cut.threshold for cut in found])
        profile = ErrorProfile.from_labels(
            positive, score >= thresholds, sample_weight=sample_weight
        )
        return Cut(thresholds, float(np.mean([cut.value for cut in found])), profile)
    curves = [ErrorCurve.from_scores(y, s, sample_weight) for y, s in columns]
    if goal.decomposes:
        cuts = [first_best(goal.binary().value(curve)) for curve in curves]
    else:
        curves = [curve[curve.hull()] for curve in curves]
        cuts = joint_cuts(curves, goal)
    profile = combine(curves, cuts)
    thresholds = np.array([c.thresholds[i] for c, i in zip(curves, cuts, strict=True)])
    return Cut(thresholds, goal.value(profile), profile)


def best_shared_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    measure: str | Measure = "f1_micro",
    sample_weight: ArrayLike | None = None,
) -> Cut:
    """Find the exact best single threshold for all labels; for comparable scores only.

    Parameters
    ----------
    y_true : array-like of shape (n_samples, n_labels)
        0 and 1, or booleans.
    y_score : array-like of shape (n_samples, n_labels)
        Finite scores on one scale.
    measure : str or Measure, default="f1_micro"
        A micro average.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.

    Returns
    -------
    Cut
        The threshold; value and error profile of all labels.

    Examples
    --------
    >>> Y = [[1, 0], [0, 1], [1, 1]]
    >>> best_shared_threshold(Y, [[0.9, 0.2], [0.1, 0.6], [0.3, 0.7]]).value
    1.0
    """
    goal = get_ratio(measure)
    positive, score = _check_matrix(y_true, y_score, goal)
    if goal.decomposes:
        raise ValueError(
            "A shared threshold is for micro averages; use best_thresholds for means over labels."
        )
    n_labels = positive.shape[1]
    weight = check_weights(sample_weight, len(positive))
    repeated = None if weight is None else np.repeat(weight, n_labels)
    # Flattened, the rows of all labels are one curve, with the mean errors of the labels.
    curve = ErrorCurve.from_scores(positive.ravel(), score.ravel(), repeated)
    prevalence = np.average(positive.astype(np.float64), axis=0, weights=weight)
    values = goal.pair_value(n_labels * curve.fn[:, 0], n_labels * curve.fp[:, 0], prevalence)
    threshold = float(curve.thresholds[first_best(values)])
    profile = ErrorProfile.from_labels(positive, score >= threshold, sample_weight=sample_weight)
    return Cut(threshold, goal.value(profile), profile)


def joint_cuts(curves: Sequence[ErrorCurve], measure: Measure) -> list[int]:
    """Choose one cut per label so that a micro average is the largest possible.

    At a fixed level the total cost decomposes into labels, so the cheapest cuts are found
    label by label; Dinkelbach's iteration raises the level to the value reached until it
    cannot rise, which is the global optimum.
    """
    prevalence = np.concatenate([curve.prevalence for curve in curves])
    ends = [[end] * len(curves) for end in (0, -1)]
    level, best = max((measure.value(combine(curves, cuts)), cuts) for cuts in ends)
    while True:
        costs = measure.costs(level, prevalence)
        if (costs < -ROUNDING).any():
            raise ValueError(
                f"{measure!r} has a negative cost at the level {level:g}, so that more errors "
                "would be better; thresholds need costs that are not negative."
            )
        cuts = [int(np.argmin(c.total_cost(a))) for c, a in zip(curves, costs, strict=True)]
        value = measure.value(combine(curves, cuts))
        if value <= level:
            return best
        level, best = value, cuts


def _cheapest_threshold(
    y_true: ArrayLike, y_score: ArrayLike, measure: Any, sample_weight: ArrayLike | None
) -> Cut:
    """Cut where costs by row are least: rows weigh what is at stake in them."""
    positive = check_binary(y_true, "y_true")
    score = check_scores(y_score, positive.shape)
    fixed, wanted, stakes = measure.settled(measure.rows(len(positive)), positive, sample_weight)
    curve = ErrorCurve.from_scores(wanted, score, stakes)
    values = fixed.binary().value(curve)
    best = first_best(values)
    threshold = float(curve.thresholds[best])
    profile = ErrorProfile.from_labels(positive, score >= threshold, sample_weight=sample_weight)
    return Cut(threshold, float(values[best]), profile)


def refuse_default_class(goal: Measure | Objective) -> None:
    """Refuse what is for the classes of a multiclass problem."""
    if isinstance(goal, Measure) and goal.has_default_class:
        raise ValueError(
            f"{goal!r} has a default class, so it is for the classes of a multiclass problem; "
            "use best_offsets, or leave the default class out."
        )


def _check_matrix(
    y_true: ArrayLike, y_score: ArrayLike, measure: Measure
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    refuse_default_class(measure)
    positive = check_binary(y_true, "y_true")
    if positive.ndim != 2:
        raise ValueError(
            f"y_true has the shape {positive.shape}; several thresholds need one column per label."
        )
    if measure.average in ("binary", "multiclass") and positive.shape[1] > 1:
        raise ValueError(
            f"{measure!r} is for one label, got {positive.shape[1]}; use {measure.averaged}."
        )
    return positive, check_scores(y_score, positive.shape)
