"""ExpectedRatio: a measure of expected counts, when some labels of some rows are predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import Measure


@dataclass(frozen=True, eq=False)
class ExpectedRatio:
    """Numerators and denominators of labels in terms of what is predicted.

    With the probabilities given, the false negatives and false positives that are expected follow
    from the expected true positives and from the number of predicted rows.

    Attributes
    ----------
    above, below : ndarray of shape (n_labels, 3)
        A constant, the factor of the true positives, and that of the predicted rows. The constants
        of a micro average are those of all labels, shared evenly among them.
    weight : ndarray of shape (n_labels,)
        Weight of each label in a mean over labels; sums to 1.
    zero : float
        Value where the denominator is 0.
    pooled : bool
        Whether numerators and denominators are added up before they are divided.
    """

    above: NDArray[np.float64]
    below: NDArray[np.float64]
    weight: NDArray[np.float64]
    zero: float
    pooled: bool

    @classmethod
    def of(cls, measure: Measure, probabilities: NDArray[np.float64]) -> Self:
        """Take the coefficients of a measure at the expected prevalence."""
        n_samples, n_labels = probabilities.shape
        prevalence = probabilities.mean(axis=0)
        pooled = not measure.decomposes
        if pooled:
            c = measure.coefficients(prevalence)
        else:
            c = measure.binary().of_pair(prevalence, 1.0 - prevalence)
        share = n_labels if pooled else 1  # of the constants

        def in_rows(constant: Any, factors: NDArray[np.float64]) -> NDArray[np.float64]:
            fn, fp = np.broadcast_to(factors, (n_labels, 2)).T
            fixed = n_samples * (constant / share + fn * prevalence)  # fn is P - tp,
            return np.stack([fixed, -fn - fp, fp], axis=1)  # and fp what is predicted less tp

        weight = measure.label_weights(prevalence)
        return cls(
            in_rows(c.alpha0, c.gamma),
            in_rows(c.alpha1, c.delta),
            weight / (weight.sum() or 1.0),
            measure.zero_division,
            pooled,
        )

    def value(self, probabilities: NDArray[np.float64], chosen: NDArray[np.bool_]) -> float:
        """Return the measure of the expected counts."""
        above, below = self._sides(probabilities, chosen)
        if self.pooled:
            above, below = above.sum(keepdims=True), below.sum(keepdims=True)
        some = below > 0
        values = np.where(some, above / np.where(some, below, 1.0), self.zero)
        return float(values[0] if self.pooled else values @ self.weight)

    def slopes(
        self, probabilities: NDArray[np.float64], chosen: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Return what a further true positive and a further predicted row of each label add.

        Returns
        -------
        ndarray of shape (2, n_labels)
            Derivatives; of a pooled ratio those of its numerator less its value times those of its
            denominator, which have the same sign (Dinkelbach 1967).
        """
        if self.pooled:
            level = self.value(probabilities, chosen)
            return (self.above - level * self.below)[:, 1:].T
        above, below = self._sides(probabilities, chosen)
        some = below > 0
        values = np.where(some, above / np.where(some, below, 1.0), self.zero)
        scale = self.weight / np.where(some, below, 1.0)
        return (scale[:, None] * (self.above - values[:, None] * self.below))[:, 1:].T

    def _sides(
        self, probabilities: NDArray[np.float64], chosen: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        tp, count = (probabilities * chosen).sum(axis=0), chosen.sum(axis=0)
        counts = np.stack([np.ones_like(tp), tp, count], axis=1)
        return np.stack([(self.above * counts).sum(axis=1), (self.below * counts).sum(axis=1)])
