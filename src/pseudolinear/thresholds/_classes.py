"""Thresholds of classes: what is subtracted from the scores of a multiclass problem."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pseudolinear._validation import check_weights
from pseudolinear.measures import Measure, first_best, get_ratio
from pseudolinear.thresholds._curves import class_curve
from pseudolinear.thresholds._cut import Cut


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
    class needs. All cuts are tried, so it is exactly optimal. For a mean over classes, and for
    accuracy, balanced accuracy and Cohen's kappa of all classes, each class gets a threshold;
    they are improved in turn, each exactly, until none can be, which is a local optimum. A micro
    average over all classes is accuracy, and its thresholds are zero.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Classes.
    y_score : array-like of shape (n_samples, n_classes)
        Finite scores, such as log-probabilities.
    measure : str or Measure, default="f1_macro"
        An average, or a measure of all classes such as ``"balanced_accuracy"``.
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
    columns = np.unique(np.asarray(y_true)) if classes is None else np.asarray(classes)
    goal = get_ratio(measure).for_classes(columns.size)
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
    curve = class_curve(codes, scores[:, columns_in_order], goal, weight)
    values = goal.value(curve)
    best = first_best(values)
    thresholds = np.empty(columns.size)
    thresholds[columns_in_order] = curve.thresholds[best]
    return Cut(thresholds, float(values[best]), curve.profile(best))
