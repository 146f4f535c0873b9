"""Thinning: what a sample of labels has shown decides what the others try."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.extreme._cut_columns import choose_cuts
from pseudolinear.extreme._label_curves import LabelCurves
from pseudolinear.extreme._settings import Settings
from pseudolinear.measures import Measure
from pseudolinear.selection import TRUST, shrink

SHARE = 0.04  # of the labels that try everything: 49 problems each, where the others have four,
FEWEST = 40  # so that a thousand labels have six problems each in the mean
MOST = 200  # beyond, the sample tells what it tells
NEAR = 1.0  # difference of log frequencies at which a label of the sample counts 60 %


def sample_labels(n_positive: NDArray[np.float64], seed: int) -> NDArray[np.intp]:
    """Draw labels of all frequencies.

    Half of them are spread evenly over the labels by frequency, and half over the positive rows,
    so that neither rare nor frequent labels are missing.

    Parameters
    ----------
    n_positive : ndarray of shape (n_labels,)
        Positive rows of each label.
    seed : int
        Of the draw.

    Returns
    -------
    ndarray of int
        Sorted; all labels, where they are few.
    """
    n_labels = len(n_positive)
    size = min(max(int(SHARE * n_labels), FEWEST), MOST)
    if n_labels <= size:
        return np.arange(n_labels)
    rng = np.random.RandomState(seed)
    order = np.lexsort((rng.permutation(n_labels), n_positive))
    at = (np.arange(size) + rng.uniform()) / size
    by_rows = np.cumsum(n_positive[order]) / n_positive.sum()
    ranks = [(at[::2] * n_labels).astype(np.intp), np.searchsorted(by_rows, at[1::2])]
    chosen = np.unique(np.concatenate(ranks).clip(0, n_labels - 1))
    left = np.setdiff1d(np.arange(n_labels), chosen)
    more = rng.choice(left, size - len(chosen), replace=False)
    return np.sort(order[np.concatenate([chosen, more])])


@dataclass(frozen=True, eq=False)
class Evidence:
    """What every setting gained at the labels of the sample.

    Attributes
    ----------
    n_positive : ndarray of shape (n_sample,)
        Positive rows of the labels.
    gains : ndarray of shape (n_sample, n_settings)
        By how much each setting is better than the mean of the label's.
    settings : ndarray of int
        Settings that are chosen from: of a micro average those of one level, since labels that
        share their costs are treated alike.
    """

    n_positive: NDArray[np.float64]
    gains: NDArray[np.float64]
    settings: NDArray[np.intp]

    __repr__ = brief_repr

    @classmethod
    def of(cls, curves: LabelCurves, settings: Settings, measure: Measure) -> Evidence:
        """Read curves of all settings of the sample, label after label."""
        n_settings = len(settings)
        worth = _worth(curves, n_settings, measure).reshape(-1, n_settings)
        n_positive = curves.prevalence[::n_settings] * curves.n_samples
        gains = worth - worth.mean(axis=1, keepdims=True)
        if measure.decomposes:
            return cls(n_positive, gains, np.arange(n_settings))
        first = np.arange(len(n_positive)) * n_settings
        levels = np.split(np.arange(n_settings), settings.levels.shape[1])
        found = [cls(n_positive, gains, level) for level in levels]
        values = [
            choose_cuts(curves.take(first + one.choose_own()), measure).value for one in found
        ]
        return found[int(np.argmax(values))]

    def means(self, n_positive: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean gain of every setting at labels of about these frequencies."""
        distance = np.log(n_positive[:, None] / self.n_positive) / NEAR
        weight = np.exp(-0.5 * distance**2)
        # A frequency far from all others takes the nearest.
        weight += 1e-9 * np.exp(-np.abs(distance) + np.abs(distance).min(axis=1, keepdims=True))
        weight *= self.n_positive / (self.n_positive + TRUST)
        return (weight @ self.gains) / weight.sum(axis=1, keepdims=True)

    def choose(self, n_positive: NDArray[np.float64]) -> NDArray[np.intp]:
        """Choose a setting for labels outside the sample, by their frequency."""
        return self._best(self.means(n_positive))

    def choose_own(self) -> NDArray[np.intp]:
        """Choose a setting for every label of the sample, rare ones by what others gained."""
        own, others = self.gains, self.means(self.n_positive)
        return self._best(shrink(own, others, self.n_positive[:, None], TRUST))

    def _best(self, evidence: NDArray[np.float64]) -> NDArray[np.intp]:
        return self.settings[np.argmax(evidence[:, self.settings], axis=1)]


def _worth(curves: LabelCurves, n_settings: int, measure: Measure) -> NDArray[np.float64]:
    """Return what the best cut of every curve is worth to the measure.

    Of a mean over labels that is its value. Of a micro average it is what the label costs at the
    value that all labels reach together, for each of its positive rows.
    """
    if measure.decomposes:
        return choose_values(curves, measure)
    n_labels = len(curves) // n_settings
    level = 0.0
    by_setting = np.arange(len(curves)).reshape(n_labels, n_settings)
    for setting in by_setting.T:
        level = max(level, choose_cuts(curves.take(setting), measure).value)
    # costs of a micro average depend on its labels together, not on how often each is tried
    costs = measure.costs(level, curves.prevalence[by_setting[:, 0]])
    repeated = curves.spread(np.repeat(costs, n_settings, axis=0))
    total = curves.fn * repeated[:, 0] + curves.fp * repeated[:, 1]
    least = np.minimum.reduceat(total, curves.starts[:-1])
    return -least / curves.prevalence


def choose_values(curves: LabelCurves, measure: Measure) -> NDArray[np.float64]:
    """Return the largest value of every curve by the measure of its label alone."""
    return np.maximum.reduceat(curves.values(measure.binary()), curves.starts[:-1])
