"""Thresholds of classes: what is subtracted from the scores of a multiclass problem."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._validation import check_weights
from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.loops._offsets import best_lead
from pseudolinear.measures._measure import Measure
from pseudolinear.measures._names import get_measure
from pseudolinear.thresholds._cut import Cut
from pseudolinear.thresholds._rounding import first_best


def best_offsets(
    y_true: ArrayLike,
    y_score: ArrayLike,
    measure: str | Measure = "f1_macro",
    *,
    classes: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Cut:
    """Find what to subtract from the class scores before the largest one is predicted.

    With a default class, one threshold is found: the lead over the default class that another
    class needs. All cuts are tried, so it is exactly optimal. For a macro average each class
    gets a threshold; they are improved in turn, each exactly, until none can be, which is a
    local optimum. Without either, the measure is accuracy and the thresholds are zero.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Classes.
    y_score : array-like of shape (n_samples, n_classes)
        Finite scores, such as log-probabilities.
    measure : str or Measure, default="f1_macro"
        A micro or macro average.
    classes : array-like of shape (n_classes,), default=None
        Class of each column; by default the sorted values of `y_true`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.

    Returns
    -------
    Cut
        One threshold per class, in the order of `classes`; value, and error profile in the
        order of ``measure.order_classes(classes)``.

    Examples
    --------
    >>> scores = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4]]
    >>> cut = best_offsets(["a", "b", "c"], scores)
    >>> (scores - cut.threshold).argmax(axis=1)
    array([0, 1, 2])
    """
    goal = get_measure(measure)
    columns = np.unique(np.asarray(y_true)) if classes is None else np.asarray(classes)
    scores = np.asarray(y_score, dtype=np.float64)
    if scores.shape != (np.size(y_true), columns.size) or not np.isfinite(scores).all():
        raise ValueError(
            f"y_score must be finite and have one column for each of the {columns.size} classes, "
            f"got the shape {scores.shape}."
        )
    ordered = goal.order_classes(columns)
    place = {label: i for i, label in enumerate(columns.tolist())}
    columns_in_order = [place[label] for label in ordered.tolist()]
    is_class = np.asarray(y_true)[:, None] == ordered
    unknown = np.asarray(y_true)[~is_class.any(axis=1)]
    if unknown.size:
        raise ValueError(
            f"y_true has the class {unknown.tolist()[0]!r}, which is not among the columns "
            f"{columns.tolist()}; give every class a column."
        )
    codes = np.argmax(is_class, axis=1)
    weight = check_weights(sample_weight, codes.size)
    curve = offset_curve(codes, scores[:, columns_in_order], goal, weight)
    best = first_best(goal.value(curve))
    thresholds = np.empty(columns.size)
    thresholds[columns_in_order] = curve.thresholds[best]
    return Cut(thresholds, float(goal.value(curve)[best]), curve.profile(best))


def offset_curve(
    codes: NDArray[np.intp],
    scores: NDArray[np.float64],
    measure: Measure,
    sample_weight: NDArray[np.float64] | None = None,
) -> ErrorCurve:
    """Give the profiles that are worth choosing from, with one threshold per class.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Column of the true class; the default class, if any, is column 0.
    scores : ndarray of shape (n_samples, n_classes)
        Score of each class.
    measure : Measure
        A micro or macro average.
    sample_weight : ndarray of shape (n_samples,), default=None
        Weight of each row.

    Returns
    -------
    ErrorCurve
        With `thresholds` of shape (n_cuts, n_classes).
    """
    n_classes = scores.shape[1]
    if getattr(measure, "default_class", None) is not None:
        curve = ErrorCurve.from_class_scores(
            codes, scores, measure.pair_map(n_classes), sample_weight
        )
        others = np.append(0.0, np.ones(n_classes - 1))
        return ErrorCurve(curve.fn, curve.fp, curve.prevalence, curve.thresholds[:, None] * others)
    thresholds = np.zeros(n_classes)
    if measure.average == "macro":
        thresholds = _ascend(codes, scores, measure, sample_weight)
    return natural_curve(codes, scores - thresholds, sample_weight, thresholds)


def natural_curve(
    codes: NDArray[np.intp],
    scores: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None,
    thresholds: Any = 0.0,
) -> ErrorCurve:
    """Give the one profile of predicting the class of the largest score."""
    classes = np.arange(scores.shape[1])
    profile = ErrorProfile.from_labels(
        codes, scores.argmax(axis=1), labels=classes, sample_weight=sample_weight
    )
    thresholds = np.broadcast_to(np.asarray(thresholds, dtype=np.float64), classes.shape)
    return ErrorCurve(
        profile.fn[None], profile.fp[None], profile.prevalence, thresholds[None].copy()
    )


def _ascend(
    codes: NDArray[np.intp],
    scores: NDArray[np.float64],
    measure: Measure,
    sample_weight: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Improve the threshold of each class in turn until the macro average stops rising."""
    weight = np.ones(len(codes)) if sample_weight is None else sample_weight
    rows = np.flatnonzero(weight)
    codes, scores, weight = codes[rows], scores[rows], weight[rows] / weight.sum()
    n_classes = scores.shape[1]
    prevalence = np.bincount(codes, weight, n_classes)
    c = measure.of_pair(prevalence, 1.0 - prevalence)
    table = np.empty((n_classes, 6))
    table[:, 0], table[:, 1:3], table[:, 3], table[:, 4:] = c
    thresholds = np.zeros(n_classes)
    best = measure.value(natural_curve(codes, scores, weight))[0] * n_classes
    improved = True
    while improved:
        improved = False
        for k in range(n_classes):
            shifted = scores - thresholds
            shifted[:, k] = -np.inf
            other = shifted.argmax(axis=1)
            lead = scores[:, k] - shifted.max(axis=1)  # class k wins above this threshold
            order = np.argsort(-lead, kind="stable")
            total, threshold = best_lead(
                lead[order], other[order], codes[order], weight[order], k, table,
                measure.zero_division,
            )  # fmt: skip
            if total > best + 1e-9:
                best, thresholds[k], improved = total, threshold, True
    return thresholds
