"""The cuts of a score that are worth choosing from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import check_weights
from pseudolinear.errors import ErrorCurve
from pseudolinear.measures import Measure, Objective
from pseudolinear.thresholds._ascent import ascend


def label_curve(
    y: NDArray[np.intp],
    scores: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None = None,
    objective: Objective | None = None,
) -> ErrorCurve:
    """Give the cuts of a label's score that some measure or rule may choose.

    What an objective chooses need not be on the outline, so it is kept as well.
    """
    curve = ErrorCurve.from_scores(y.astype(bool), scores, sample_weight)
    if objective is None:
        return curve.outline()
    try:
        return curve.outline(objective.choose(curve)[0])
    except ValueError:  # no cut of this score keeps the constraint; others may
        return curve.outline()


def natural_label_curve(
    y: NDArray[np.intp],
    scores: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None = None,
) -> ErrorCurve:
    """Give the one cut of a label's score that the learner means, 0."""
    two = natural_class_curve(y, np.stack([-scores, scores], axis=1), sample_weight)
    return ErrorCurve(two.fn[:, 1:], two.fp[:, 1:], two.prevalence[1:], np.zeros(1))


def class_curve(
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
    if measure.has_default_class:
        curve = ErrorCurve.from_class_scores(
            codes, scores, measure.pair_map(n_classes), sample_weight
        )
        others = np.append(0.0, np.ones(n_classes - 1))
        return ErrorCurve(curve.fn, curve.fp, curve.prevalence, curve.thresholds[:, None] * others)
    thresholds = np.zeros(n_classes)
    if not measure.collapses:
        thresholds = ascend(codes, scores, measure, sample_weight)
    return natural_class_curve(codes, scores - thresholds, sample_weight, thresholds)


def natural_class_curve(
    codes: NDArray[np.intp],
    scores: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None,
    thresholds: Any = 0.0,
) -> ErrorCurve:
    """Give the one profile of predicting the class of the largest score."""
    n_classes, predicted = scores.shape[1], scores.argmax(axis=1)
    checked = check_weights(sample_weight, len(codes))
    weight = np.ones(len(codes)) if checked is None else checked
    wrong = np.flatnonzero(codes != predicted)
    fn = np.bincount(codes[wrong], weight[wrong], n_classes)
    fp = np.bincount(predicted[wrong], weight[wrong], n_classes)
    total, prevalence = weight.sum(), np.bincount(codes, weight, n_classes)
    thresholds = np.broadcast_to(np.asarray(thresholds, dtype=np.float64), n_classes)
    return ErrorCurve(
        fn[None] / total, fp[None] / total, prevalence / total, thresholds[None].copy()
    )
