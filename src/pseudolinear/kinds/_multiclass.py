"""Multiclass: one of several classes per row, which one model tells apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from pseudolinear._brief import brief_repr
from pseudolinear._calibration import LEAD, Calibration, Line
from pseudolinear._problem import ClassesProblem, Problem
from pseudolinear.errors import ErrorCurve, ErrorProfile, Outcomes
from pseudolinear.kinds._goal import ClassGoal, Goal
from pseudolinear.kinds._kind import Kind
from pseudolinear.kinds._new_classes import warn_of_new_classes
from pseudolinear.kinds._positive import name_positive
from pseudolinear.labels import check_classes, read_labels
from pseudolinear.measures import Measure
from pseudolinear.thresholds import ROUNDING, class_curve, first_best, natural_class_curve

TIE = 1e-9  # by how much the first of equal margins is ahead, relative to them


@dataclass(frozen=True, eq=False)
class Multiclass(Kind):
    """Several classes.

    Attributes
    ----------
    order : ndarray
        The classes in the order of the codes: a default class comes first.
    """

    name: ClassVar[str] = "multiclass"
    separable: ClassVar[bool] = False
    order: NDArray[Any]

    __repr__ = brief_repr

    @classmethod
    def read(
        cls, y: NDArray[Any], classes: NDArray[Any], measure: Measure
    ) -> tuple[Self, NDArray[np.intp]]:
        """Return the kind, and y as a column of codes."""
        order = measure.order_classes(classes)
        return cls(classes, order), np.argmax(y[:, None] == order, axis=1)[:, None]

    @property
    def _columns(self) -> NDArray[np.intp]:
        """Position of each class of `classes` among the codes."""
        return np.argmax(self.classes[:, None] == self.order, axis=1)

    @property
    def code_classes(self) -> NDArray[Any]:
        """The classes, a default class first."""
        return self.order

    def goals(
        self, codes: NDArray[Any], measure: Measure, sample_weight: NDArray[np.float64] | None
    ) -> list[Goal]:
        """Return the one goal of all classes."""
        n_samples = len(codes)
        total = n_samples if sample_weight is None else sample_weight.sum()
        shares = np.bincount(codes[:, 0], sample_weight) / total
        return [ClassGoal((0,), measure, shares, n_samples)]

    def regroup(self, goals: Sequence[Goal], measure: Measure) -> list[Goal]:
        """Return the goal with the other measure."""
        measure = measure.for_classes(len(self.classes))
        if measure.average == "binary":
            raise ValueError(f"{measure!r} is for one label; this sweep has several classes.")
        return [replace(goal, measure=measure) for goal in goals]

    def problem(self, label: int, costs: tuple[float, ...], params: Mapping[str, Any]) -> Problem:
        """Tell all classes apart."""
        return ClassesProblem(label, costs, params)

    def indicators(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return one column per class."""
        return codes == np.arange(len(self.order))

    def curve(
        self,
        y: NDArray[np.intp],
        scores: NDArray[np.float64],
        objective: Measure,
        sample_weight: NDArray[np.float64] | None,
    ) -> ErrorCurve:
        """Return the errors at the thresholds of the classes that are worth choosing."""
        return class_curve(y, scores, objective, sample_weight)

    def natural_curve(
        self,
        y: NDArray[np.intp],
        scores: NDArray[np.float64],
        sample_weight: NDArray[np.float64] | None,
    ) -> ErrorCurve:
        """Return the errors of predicting the class of the largest score."""
        return natural_class_curve(y, scores, sample_weight)

    def lift(
        self,
        goal: Goal,
        codes: NDArray[Any],
        scores: Mapping[int, NDArray[np.float64]],
        thresholds: Mapping[int, Any],
        sample_weight: NDArray[np.float64] | None,
    ) -> tuple[float, Mapping[int, Any]]:
        """Cut the classes anew, or predict a single one, where that would be better."""
        true, own, measure = codes[:, 0], scores[0], goal.measure
        all_classes = np.arange(len(self.order))

        def value(predicted: Any) -> float:
            profile = ErrorProfile.from_labels(
                true, predicted, labels=all_classes, sample_weight=sample_weight
            )
            return float(measure.value(profile))

        constants = [value(np.full_like(true, code)) for code in all_classes]
        floor = max(constants)
        if value((own - thresholds[0]).argmax(axis=1)) >= floor - ROUNDING:
            return floor, {}
        curve = class_curve(true, own, measure, sample_weight)
        best = curve.thresholds[first_best(measure.value(curve))]
        if value((own - best).argmax(axis=1)) < floor - ROUNDING:
            winner = int(np.argmax(constants))
            ahead = (own.max(axis=1) - own[:, winner]).max() + 1.0
            best = np.where(all_classes == winner, -ahead, 0.0)
        return floor, {0: best}

    def thresholds(self, by_label: Mapping[int, Any]) -> NDArray[np.float64]:
        """Return one threshold per class, in the order of `classes`."""
        return by_label[0][self._columns]

    def margins(self, scores: Mapping[int, NDArray[np.float64]], thresholds: Any) -> NDArray[Any]:
        """Return the scores less the thresholds, one column per class."""
        return scores[0][:, self._columns] - thresholds

    def calibration(self, by_label: Mapping[int, Line]) -> Calibration:
        """Return one column per class."""
        slope, intercept = np.broadcast_arrays(*by_label[0])
        return Calibration(slope[self._columns], intercept[self._columns])

    def decision_function(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return one column per class; of two classes the lead of the second."""
        return margins[:, 1] - margins[:, 0] if len(self.classes) == 2 else margins

    def predict(self, margins: NDArray[np.float64]) -> NDArray[Any]:
        """Return the class of the largest margin."""
        return self.classes[margins.argmax(axis=1)]

    def probabilities(self, log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each class."""
        return softmax(log_odds, axis=1)

    def agree(
        self, probabilities: NDArray[np.float64], margins: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Mix with the predicted class where another one is likelier."""
        predicted = np.eye(len(self.classes))[margins.argmax(axis=1)]
        missing = probabilities.max(axis=1) - (probabilities * predicted).sum(axis=1)
        share = np.where(missing > 0, (missing + LEAD) / (1.0 + missing), 0.0)[:, None]
        return (1.0 - share) * probabilities + share * predicted

    def outcomes(self, y: Any, predicted: NDArray[Any], objective: Any) -> Outcomes:
        """Compare the classes that occur, and a default class in any case."""
        true = check_classes(read_labels(y)[0])
        warn_of_new_classes(true.ravel(), self.classes, "can only be errors")
        own = self.objective(objective)
        measure = own if isinstance(own, Measure) else own.training_measure("binary")
        return name_positive(measure, true).outcomes(true, predicted)

    def objective(self, objective: Any) -> Any:
        """Return a measure of all classes, however many of them occur; refuse one of two."""
        n_classes = len(self.classes)
        own = objective.for_classes(n_classes) if isinstance(objective, Measure) else objective
        if n_classes > 2 and getattr(own, "average", "binary") == "binary":
            raise ValueError(
                f"{objective!r} is for two classes, and the classifier tells {n_classes} apart; "
                "use f1_macro, balanced_accuracy, cohen_kappa or accuracy."
            )
        return own

    def truth(self, y: Any) -> NDArray[np.bool_]:
        """Say of which class rows are; one that training has not shown has no column."""
        return np.asarray(check_classes(read_labels(y)[0]).reshape(-1, 1) == self.classes)

    def rivals(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the largest margin of the other classes; of equals the first class wins."""
        largest = np.sort(margins, axis=1)[:, -2:]
        rivals = np.where(margins == largest[:, 1:], largest[:, :1], largest[:, 1:])
        first = np.arange(margins.shape[1]) == margins.argmax(axis=1)[:, None]
        tied = first & (margins == rivals)
        return np.where(tied, rivals - TIE * np.maximum(1.0, np.abs(rivals)), rivals)

    def levels(self, by_label: Mapping[int, float], *, shared: bool) -> float:
        """Return the level."""
        return float(by_label[0])

    def costs(self, by_label: Mapping[int, tuple[float, ...]]) -> NDArray[np.float64]:
        """Return the cost of an error on a row of each class."""
        return np.array(by_label[0])[self._columns]

    def params(self, by_label: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
        """Return the hyper-parameters."""
        return dict(by_label[0])

    @property
    def n_outputs(self) -> int:
        """Number of classes."""
        return len(self.order)

    def cost_columns(self, costs: tuple[float, ...]) -> dict[str, Any]:
        """Name the costs of all classes together."""
        return {"costs": costs}

    def label_name(self, label: int) -> int:
        """Return -1: the problem is about no single label."""
        return -1
