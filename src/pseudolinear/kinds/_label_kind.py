"""What binary and multilabel problems share: each label is told from the rest."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pseudolinear._calibration import LEAD, Calibration
from pseudolinear._problem import LabelProblem, Problem
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.kinds._goal import Goal
from pseudolinear.kinds._kind import Kind
from pseudolinear.measures import Measure, Objective
from pseudolinear.thresholds import (
    ROUNDING,
    combine,
    first_best,
    joint_cuts,
    label_curve,
    natural_label_curve,
)

NEAR = 0.05  # share of the floor that chance may take from a value


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

    def lift(
        self,
        goal: Goal,
        codes: NDArray[Any],
        scores: Mapping[int, NDArray[np.float64]],
        thresholds: Mapping[int, Any],
        sample_weight: NDArray[np.float64] | None,
    ) -> tuple[float, Mapping[int, Any]]:
        """Cut the labels of the goal anew where a constant answer would be better.

        A near miss of a single label is chance, and the nearest cut that reaches the floor mends
        it; other thresholds belong to other scores than these, and the best ones take their place.
        """
        labels, measure = list(goal.labels), goal.measure
        predicted = np.stack([scores[label] > thresholds[label] for label in labels], axis=1)
        profile = ErrorProfile.from_labels(codes[:, labels], predicted, sample_weight=sample_weight)
        constants = [_constants(p) for p in profile.prevalence.tolist()]
        floor = float(measure.value(combine(constants, _best_cuts(constants, measure))))
        value = float(measure.value(profile))
        if value >= floor - ROUNDING:
            return floor, {}
        curves = [label_curve(codes[:, k], scores[k], sample_weight) for k in labels]
        if len(labels) == 1 and value > (1.0 - NEAR) * floor:
            cuts = [_nearest_cut(curves[0], measure, floor, thresholds[labels[0]])]
        else:
            cuts = _best_cuts(curves, measure)
        chosen = zip(labels, curves, cuts, strict=True)
        return floor, {label: curve.thresholds[cut] for label, curve, cut in chosen}

    def below_floor(
        self,
        goals: Sequence[Goal],
        codes: NDArray[Any],
        scores: Mapping[int, NDArray[np.float64]],
        thresholds: Mapping[int, Any],
        sample_weight: NDArray[np.float64] | None,
    ) -> Sequence[bool]:
        """Count the errors of many labels together, where each is a goal of its own."""
        labels, measure = [goal.labels[0] for goal in goals], goals[0].measure
        if any(len(goal.labels) > 1 or goal.measure != measure for goal in goals):
            return super().below_floor(goals, codes, scores, thresholds, sample_weight)
        predicted = np.stack([scores[label] > thresholds[label] for label in labels], axis=1)
        profile = ErrorProfile.from_labels(codes[:, labels], predicted, sample_weight=sample_weight)
        p = profile.prevalence
        never, always = ErrorProfile(p, 0 * p, p), ErrorProfile(0 * p, 1 - p, p)
        floor = np.maximum(measure.of_labels(never), measure.of_labels(always))
        return (measure.of_labels(profile) < floor).tolist()

    def probability_threshold(self, thresholds: Any, calibration: Calibration) -> Any:
        """Return a number, or one per label."""
        found = expit(calibration(np.atleast_2d(thresholds)))[0]
        return found if np.ndim(thresholds) else found.item()


def _constants(prevalence: float) -> ErrorCurve:
    """Return the errors of predicting a label never, and always."""
    ends = np.array([[prevalence, 0.0], [0.0, 1.0 - prevalence]])
    return ErrorCurve(ends[:, :1], ends[:, 1:], np.array([prevalence]), np.array([np.inf, -np.inf]))


def _nearest_cut(curve: ErrorCurve, measure: Measure, floor: float, threshold: float) -> int:
    """Choose the cut that is nearest to a threshold among those that reach the floor."""
    enough = np.flatnonzero(measure.value(curve) >= floor - ROUNDING)
    return int(enough[np.abs(curve.thresholds[enough] - threshold).argmin()])


def _best_cuts(curves: Sequence[ErrorCurve], measure: Measure) -> list[int]:
    """Choose one cut per label so that the measure of all is the largest."""
    if len(curves) == 1:
        return [first_best(measure.value(curves[0]))]
    return joint_cuts(curves, measure)
