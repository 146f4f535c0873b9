"""The ascent of class thresholds, one class at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.loops._offsets import best_lead, leads, two_best
from pseudolinear.measures import Measure

Table = NDArray[np.float64]  # what a class adds to the value; see best_lead


def ascend(
    codes: NDArray[np.intp],
    scores: NDArray[np.float64],
    measure: Measure,
    sample_weight: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Improve the threshold of each class in turn, exactly, until the measure stops rising.

    A mean over classes is a sum of one term per class. One ratio of all errors is not, but its
    cost at a level is: the level is raised to the value reached until no threshold lowers the
    cost (Dinkelbach), and then none raises the value either.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Column of the true class.
    scores : ndarray of shape (n_samples, n_classes)
        Score of each class.
    measure : Measure
        A mean over classes, or a ratio of the errors of all classes.
    sample_weight : ndarray of shape (n_samples,) or None
        Weight of each row.

    Returns
    -------
    ndarray of shape (n_classes,)
        What to subtract from the scores.
    """
    weight = np.ones(len(codes)) if sample_weight is None else sample_weight
    rows = np.flatnonzero(weight)
    codes, scores, weight = codes[rows], scores[rows], weight[rows] / weight.sum()
    n_classes = scores.shape[1]
    thresholds = np.zeros(n_classes)
    prevalence = np.asarray(np.bincount(codes, weight, n_classes), dtype=np.float64)
    if measure.decomposes:
        return _climb(codes, scores, weight, _terms(measure, prevalence), thresholds)
    while True:
        value = measure.value(_profile(codes, scores - thresholds, weight))
        costs = _costs(measure, value, prevalence)
        better = _climb(codes, scores, weight, costs, thresholds)
        if np.array_equal(better, thresholds):
            return thresholds
        thresholds = better


def _climb(
    codes: NDArray[np.intp],
    scores: NDArray[np.float64],
    weight: NDArray[np.float64],
    table: Table,
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Improve the threshold of each class in turn until the sum of the terms stops rising."""
    thresholds = start.copy()
    best = _total(table, _profile(codes, scores - thresholds, weight))
    n_classes, k, settled = len(thresholds), 0, 0
    front = np.zeros((2, len(codes)), np.int64), np.zeros((2, len(codes)))
    two_best(scores, thresholds, 0, *front)  # class 0 everywhere, so that all rows are looked at
    while settled < n_classes:  # until no class in a row can be improved
        lead, other = leads(scores, *front, k)
        total, threshold = best_lead(np.argsort(lead), lead, other, codes, weight, k, table)
        settled += 1
        if total > best + 1e-9:
            best, thresholds[k], settled = total, threshold, 1
            two_best(scores, thresholds, k, *front)
        k = (k + 1) % n_classes
    return thresholds


def _terms(measure: Measure, prevalence: NDArray[np.float64]) -> Table:
    """Return the ratio of each class, times its weight in the mean."""
    weights = measure.label_weights(prevalence)
    c = measure.of_pair(prevalence, 1.0 - prevalence)
    table = np.empty((len(prevalence), 7))
    table[:, 0], table[:, 1:3], table[:, 3], table[:, 4:6] = c
    table[:, 6] = measure.zero_division
    table[:, [0, 1, 2, 6]] *= (weights / weights.mean())[:, None]
    return table


def _costs(measure: Measure, level: float, prevalence: NDArray[np.float64]) -> Table:
    """Return minus the cost of the errors of each class at a level."""
    table = np.zeros((len(prevalence), 7))
    table[:, 1:3], table[:, 3] = -measure.costs(level, prevalence), 1.0
    return table


def _profile(
    codes: NDArray[np.intp], margins: NDArray[np.float64], weight: NDArray[np.float64]
) -> ErrorProfile:
    """Count the errors of predicting the class of the largest margin."""
    classes = np.arange(margins.shape[1])
    predicted = margins.argmax(axis=1)
    return ErrorProfile.from_labels(codes, predicted, labels=classes, sample_weight=weight)


def _total(table: Table, profile: ErrorProfile) -> float:
    one = np.stack([np.ones_like(profile.fn), profile.fn, profile.fp], axis=1)
    numerator, denominator = (one * table[:, :3]).sum(axis=1), (one * table[:, 3:6]).sum(axis=1)
    some = denominator > 1e-12  # as in best_lead
    return float(np.where(some, numerator / np.where(some, denominator, 1.0), table[:, 6]).sum())
