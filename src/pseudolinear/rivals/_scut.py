"""SCut: the best threshold of each label in each fold, and when to give a label up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import Measure
from pseudolinear.rivals._held_out import HeldOut
from pseudolinear.sweep import Split, Trainer
from pseudolinear.thresholds import ROUNDING, best_threshold

FALLBACKS = np.arange(1, 9) / 10  # the published candidates of fbr


class FoldCuts(NamedTuple):
    """What one fold says about the threshold of every label.

    Attributes
    ----------
    threshold : ndarray of shape (n_labels,)
        The best threshold; the natural one, 0, unless another one is strictly better.
    value : ndarray of shape (n_labels,)
        Value of the measure there.
    highest : ndarray of shape (n_labels,)
        The highest score: above it nothing is predicted.
    """

    threshold: NDArray[np.float64]
    value: NDArray[np.float64]
    highest: NDArray[np.float64]

    def guarded(self, fallback: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give up labels whose value is not above the fallback."""
        return np.where(self.value > fallback, self.threshold, self.highest)


def fold_cuts(
    trainer: Trainer, train: NDArray[np.intp], fold: HeldOut, measure: Measure
) -> FoldCuts:
    """Cut every label of a fold at its best threshold.

    Scores of a label that the training rows do not carry mean nothing; 0 stays its threshold.
    """
    labels, scores, weight = fold
    seen = trainer.rows.codes[train] > 0
    if trainer.rows.sample_weight is not None:
        seen = seen[trainer.rows.sample_weight[train] > 0]
    learnt = seen.any(axis=0)
    value = _label_values(fold, scores > 0, measure)
    threshold = np.zeros_like(value)
    for k in np.flatnonzero(labels.any(axis=0) & learnt):
        cut = best_threshold(labels[:, k], scores[:, k], measure, weight)
        if cut.value > value[k] + ROUNDING:
            threshold[k], value[k] = cut.threshold, cut.value
    return FoldCuts(threshold, value, np.where(learnt, scores.max(axis=0), 0.0))


def _label_values(
    fold: HeldOut, predicted: NDArray[np.bool_], measure: Measure
) -> NDArray[np.float64]:
    """Evaluate each label on its own."""
    profile = fold.errors(predicted)
    columns = zip(profile.fn, profile.fp, profile.prevalence, strict=True)
    return np.array([measure.value(ErrorProfile(*column)) for column in columns])


def choose_fallback(
    trainer: Trainer, splits: Sequence[Split], folds: Sequence[HeldOut], measure: Measure
) -> NDArray[np.float64]:
    """Choose fbr per label: the largest of the best, or the smallest where all are useless.

    Each fold judges the thresholds that the other folds give without it, so that nothing is
    tuned on the rows that judge it.
    """
    if len(splits) < 3:
        raise ValueError(
            f"scutfbr needs three folds or more, as each judges what the others agree on, got "
            f"{len(splits)}; raise cv."
        )
    values = np.zeros((len(FALLBACKS), trainer.rows.codes.shape[1]))
    for (train, _), fold in zip(splits, folds, strict=True):
        cuts = []
        for _, other in splits:
            rows = np.intersect1d(train, other)
            if rows.size:
                inner = np.setdiff1d(train, other)
                cuts.append(fold_cuts(trainer, inner, HeldOut.of(trainer, inner, rows), measure))
        for i, fallback in enumerate(FALLBACKS):
            thresholds = np.mean([cut.guarded(fallback) for cut in cuts], axis=0)
            values[i] += _label_values(fold, fold.scores > thresholds, measure)
    best = values.max(axis=0)
    last = len(FALLBACKS) - 1 - np.argmax(values[::-1] >= best - ROUNDING, axis=0)
    return FALLBACKS[np.where(best > ROUNDING, last, 0)]
