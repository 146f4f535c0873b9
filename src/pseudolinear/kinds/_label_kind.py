"""What binary and multilabel problems share: each label is told from the rest."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pseudolinear._calibration import LEAD, Calibration
from pseudolinear._problem import LabelProblem, Problem
from pseudolinear.errors import ErrorCurve
from pseudolinear.kinds._goal import Goal
from pseudolinear.kinds._kind import Kind
from pseudolinear.measures import Measure, Objective
from pseudolinear.thresholds import label_curve, natural_label_curve


def pull_to_half(
    probabilities: NDArray[np.float64], margins: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the nearest probabilities that are above one half where the margin is positive."""
    above, below = np.maximum(probabilities, 0.5 + LEAD), np.minimum(probabilities, 0.5 - LEAD)
    return np.where(margins > 0, above, below)


class LabelKind(Kind):
    """A kind of problem whose models score one label each."""

    @abstractmethod
    def goals_at(
        self, prevalence: NDArray[np.float64], measure: Measure, n_samples: int
    ) -> list[Goal]:
        """Return the goals of rows of which no more than the prevalence of each label is known."""

    def problem(self, label: int, costs: tuple[float, ...], params: Mapping[str, Any]) -> Problem:
        """Tell the rows of a label from the others."""
        return LabelProblem(label, costs, params)

    def curve(
        self,
        y: NDArray[np.intp],
        scores: NDArray[np.float64],
        objective: Measure | Objective,
        sample_weight: NDArray[np.float64] | None,
    ) -> ErrorCurve:
        """Return the errors of a label at the thresholds worth choosing, whatever the measure."""
        other = None if isinstance(objective, Measure) else objective
        return label_curve(y, scores, sample_weight, other)

    def natural_curve(
        self,
        y: NDArray[np.intp],
        scores: NDArray[np.float64],
        sample_weight: NDArray[np.float64] | None,
    ) -> ErrorCurve:
        """Return the errors of a label at the threshold 0."""
        return natural_label_curve(y, scores, sample_weight)

    def probability_threshold(self, thresholds: Any, calibration: Calibration) -> Any:
        """Return a number, or one per label."""
        found = expit(calibration(np.atleast_2d(thresholds)))[0]
        return found if np.ndim(thresholds) else found.item()
