"""LabelBudget: at most so many labels of every row are predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pseudolinear._brief import brief_repr
from pseudolinear._calibration import Calibration
from pseudolinear._policy import Policy
from pseudolinear._row_budget import signed
from pseudolinear.measures import Measure, short_name
from pseudolinear.thresholds import best_labels, largest


@dataclass(frozen=True, eq=False)
class LabelBudget(Policy):
    """Predict the labels of the rows of a batch that are expected to be best together.

    Attributes
    ----------
    k : int
        Most labels of a row.
    measure : Measure
        What the labels are chosen for.
    threshold : ndarray of shape (n_labels,)
        What margins are relative to.
    calibration : Calibration
        What makes log-odds of the scores.
    """

    whole_batch: ClassVar[bool] = True
    limits: ClassVar[bool] = True
    k: int
    measure: Measure
    threshold: NDArray[np.float64]
    calibration: Calibration

    __repr__ = brief_repr

    def __str__(self) -> str:
        return f"predicts at most {self._most} of a row, for the {self._aim} of a batch"

    @property
    def _most(self) -> str:
        return f"{self.k} label{'s' * (self.k > 1)}"

    @property
    def _aim(self) -> str:
        return short_name(self.measure)

    def probabilities(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the calibrated probability of every label."""
        return expit(self.calibration(margins + self.threshold))

    def apply(self, margins: NDArray[np.float64], X: Any) -> NDArray[np.float64]:
        """Return what each label is expected to gain, less what the budget of its row asks."""
        p = self.probabilities(margins)
        plan = best_labels(p, self.k, self.measure)
        return relative_to_budget(plan.weights * p - plan.offsets, plan.labels)


@dataclass(frozen=True, eq=False)
class LabelRule(LabelBudget):
    """The same by a fixed rule for every row, learnt from other rows: for streams.

    Attributes
    ----------
    weights, offsets : ndarray of shape (n_labels,)
        Predicted are the k labels of the largest ``weights * p - offsets``, if positive.
    """

    whole_batch: ClassVar[bool] = False
    weights: NDArray[np.float64]
    offsets: NDArray[np.float64]

    __repr__ = brief_repr

    def __str__(self) -> str:
        return f"predicts at most {self._most} of a row, by a rule for the {self._aim}"

    def apply(self, margins: NDArray[np.float64], X: Any) -> NDArray[np.float64]:
        """Return what each label is expected to gain, less what the budget of its row asks."""
        gains = self.weights * self.probabilities(margins) - self.offsets
        return relative_to_budget(gains, largest(gains, self.k))


def relative_to_budget(
    gains: NDArray[np.float64], chosen: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return gains less the largest one that is not chosen in their row, or 0 if that is less."""
    left_out = np.where(chosen, -np.inf, gains).max(axis=1, keepdims=True)
    return signed(gains - np.maximum(left_out, 0.0), chosen)
