"""Mixture: a random choice among classifiers, and the Frank-Wolfe steps to the best one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pseudolinear.rivals._confusion import ConfusionMeasure
from pseudolinear.rivals._sample import Sample, cheapest


@dataclass(frozen=True, eq=False)
class Mixture:
    """A random choice among classifiers that predict the cheapest class.

    Attributes
    ----------
    costs : ndarray of shape (n_components, n_classes, n_classes)
        Cost matrix of each classifier.
    weights : ndarray of shape (n_components,)
        How often each one is chosen; they sum to 1.
    confusion : ndarray of shape (n_classes, n_classes)
        Expected confusion matrix.
    """

    costs: NDArray[np.float64]
    weights: NDArray[np.float64]
    confusion: NDArray[np.float64]

    @classmethod
    def of(cls, sample: Sample, costs: NDArray[np.float64]) -> Mixture:
        """Choose among classifiers with equal weights."""
        weights = np.full(len(costs), 1 / len(costs))
        confusion = np.mean([sample.confusion(c) for c in costs], axis=0)
        return cls(costs, weights, confusion)

    def moved(
        self, step: float, costs: NDArray[np.float64], confusion: NDArray[np.float64]
    ) -> Mixture:
        """Choose another classifier with the probability `step`."""
        weights = np.append((1 - step) * self.weights, step)
        all_costs = np.concatenate([self.costs, costs[None]])
        used = weights > 0
        mean = (1 - step) * self.confusion + step * confusion
        return Mixture(all_costs[used], weights[used], mean)

    def frequencies(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how often each class is chosen for each row."""
        frequencies = np.zeros_like(probabilities)
        rows = np.arange(len(probabilities))
        for costs, weight in zip(self.costs, self.weights, strict=True):
            frequencies[rows, cheapest(probabilities, costs)] += weight
        return frequencies


@dataclass(frozen=True, eq=False)
class Ascent:
    """A mixture with the way to it: value and duality gap of each step."""

    mixture: Mixture
    history: NDArray[np.float64]


def ascend(
    sample: Sample, measure: ConfusionMeasure, start: Mixture, max_iter: int, tol: float
) -> Ascent:
    """Climb from a mixture by Frank-Wolfe steps with exact line search.

    Each step adds the classifier that is best for the gradient. The gap is what a linear
    function with that gradient could still gain.
    """
    mixture, history = start, []
    while True:
        gradient = measure.gradient(mixture.confusion)
        confusion = sample.confusion(-gradient)
        direction = confusion - mixture.confusion
        history.append((measure.value(mixture.confusion), float((gradient * direction).sum())))
        if history[-1][1] <= tol or len(history) > max_iter:
            break
        step = _best_step(measure, mixture.confusion, direction)
        if step == 0:  # only with observed errors, for which the added classifier is not the best
            break
        mixture = mixture.moved(step, -gradient, confusion)
    return Ascent(mixture, np.array(history))


def _best_step(
    measure: ConfusionMeasure, origin: NDArray[np.float64], direction: NDArray[np.float64]
) -> float:
    """Find the best step in [0, 1] on finer and finer grids, as there may be several peaks."""
    low, high = 0.0, 1.0
    for _ in range(7):
        steps = np.linspace(low, high, 33)
        best = int(np.argmax(measure.value(origin + steps[:, None, None] * direction)))
        low, high = steps[max(best - 1, 0)], steps[min(best + 1, 32)]
    return float(steps[best])
