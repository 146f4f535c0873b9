"""Thresholds: the exact best cut of a score, in one sorted pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._measure import Measure
from pseudolinear._measures import get_measure
from pseudolinear._profiles import ErrorCurve, ErrorProfile
from pseudolinear._validation import check_binary, check_scores, check_weights

ROUNDING = 1e-12  # values and shares closer than this are equal


def first_best(values: NDArray[np.float64]) -> int:
    """Return the position of the first of the largest values, equal up to rounding."""
    return int(np.argmax(values >= values.max() - ROUNDING))


@dataclass(frozen=True, eq=False)
class Cut:
    """A threshold with what it gives.

    Attributes
    ----------
    threshold : float or ndarray of shape (n_labels,)
        Rows with at least this score are predicted positive.
    value : float
        What the objective gives there.
    profile : ErrorProfile
        The errors there.
    """

    threshold: Any
    value: float
    profile: ErrorProfile


class Objective(Protocol):
    """What a threshold is chosen for, besides measures."""

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the best cut and its value."""


@dataclass(frozen=True)
class MinimalCost:
    """Least total cost, ``cost_fn * fn + cost_fp * fp``.

    Parameters
    ----------
    cost_fn, cost_fp : float
        Cost of a false negative and of a false positive.

    Examples
    --------
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], MinimalCost(2.0, 1.0)).threshold
    1.5
    """

    cost_fn: float
    cost_fp: float

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the cheapest cut and its cost."""
        cost = curve.total_cost([self.cost_fn, self.cost_fp])
        best = first_best(-cost)
        return best, float(cost[best])


@dataclass(frozen=True)
class RecallAtPrecision:
    """Largest recall among the cuts with at least a given precision.

    Parameters
    ----------
    min_precision : float
        In (0, 1]. A cut that predicts nothing has no precision and is not allowed.

    Examples
    --------
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], RecallAtPrecision(0.9)).value
    0.5
    """

    min_precision: float

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the cut of largest recall, of equal ones the most precise, and its recall."""
        precision, recall = curve.precision[:, 0], curve.recall[:, 0]
        allowed = precision >= self.min_precision - ROUNDING  # False for NaN
        if not allowed.any():
            raise ValueError(
                f"No threshold reaches a precision of {self.min_precision:g}; the largest is "
                f"{np.nanmax(precision):.4g}."
            )
        best = first_best(np.where(allowed, recall, -np.inf))  # the first: fewest fp
        return best, float(recall[best])


@dataclass(frozen=True)
class PrecisionAtRecall:
    """Largest precision among the cuts with at least a given recall.

    Parameters
    ----------
    min_recall : float
        In (0, 1].

    Examples
    --------
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], PrecisionAtRecall(1.0)).threshold
    1.5
    """

    min_recall: float

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the most precise cut, of equal ones that of largest recall, and its precision."""
        precision, recall = curve.precision[:, 0], curve.recall[:, 0]
        if not 0 < self.min_recall <= 1:
            raise ValueError(f"min_recall must be in (0, 1], got {self.min_recall:g}.")
        allowed = np.where(recall >= self.min_recall - ROUNDING, precision, -np.inf)
        best = int(np.flatnonzero(allowed >= allowed.max() - ROUNDING)[-1])  # largest recall
        return best, float(precision[best])


@dataclass(frozen=True)
class FalseNegativesAtFalsePositives:
    """Fewest false negatives among the cuts with at most a given share of false positives.

    Parameters
    ----------
    max_fp : float
        Allowed false positives, as a proportion of all rows.

    Examples
    --------
    >>> objective = FalseNegativesAtFalsePositives(0.25)
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], objective).threshold
    1.5
    """

    max_fp: float

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the cut of fewest false negatives, of equal ones the first, and their share."""
        fn, fp = curve.fn[:, 0], curve.fp[:, 0]
        if not self.max_fp >= 0:
            raise ValueError(f"max_fp must not be negative, got {self.max_fp:g}.")
        best = first_best(np.where(fp <= self.max_fp + ROUNDING, -fn, -np.inf))
        return best, float(fn[best])


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
        What to optimise: a measure or its name, or :class:`MinimalCost`,
        :class:`RecallAtPrecision`, :class:`PrecisionAtRecall`,
        :class:`FalseNegativesAtFalsePositives`.
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
    goal = objective if hasattr(objective, "choose") else get_measure(objective)
    _refuse_default_class(goal)
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
    goal = get_measure(measure)
    positive, score = _check_matrix(y_true, y_score, goal)
    columns = zip(positive.T, score.T, strict=True)
    curves = [ErrorCurve.from_scores(y, s, sample_weight) for y, s in columns]
    if goal.average == "macro":
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
    goal = get_measure(measure)
    positive, score = _check_matrix(y_true, y_score, goal)
    if goal.average == "macro":
        raise ValueError("A shared threshold is for micro averages; use best_thresholds for macro.")
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

    At a fixed level the total cost falls apart into labels, so the cheapest cuts are found
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


def combine(curves: Sequence[ErrorCurve], cuts: Sequence[int]) -> ErrorProfile:
    """Join one cut of each label's curve into the profile of all labels."""
    return ErrorProfile(
        np.concatenate([curve.fn[cut] for curve, cut in zip(curves, cuts, strict=True)]),
        np.concatenate([curve.fp[cut] for curve, cut in zip(curves, cuts, strict=True)]),
        np.concatenate([curve.prevalence for curve in curves]),
    )


def _refuse_default_class(goal: Any) -> None:
    if getattr(goal, "default_class", None) is not None:
        raise ValueError(
            f"{goal!r} has a default class, so it is for the classes of a multiclass problem; "
            "use best_offsets, or leave the default class out."
        )


def _check_matrix(
    y_true: ArrayLike, y_score: ArrayLike, measure: Measure
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    _refuse_default_class(measure)
    positive = check_binary(y_true, "y_true")
    if positive.ndim != 2:
        raise ValueError(
            f"y_true has the shape {positive.shape}; several thresholds need one column per label."
        )
    if measure.average == "binary" and positive.shape[1] > 1:
        raise ValueError(
            f"{measure!r} is for one label, got {positive.shape[1]}; "
            "use f1_micro or f1_macro (average='micro' or 'macro')."
        )
    return positive, check_scores(y_score, positive.shape)
