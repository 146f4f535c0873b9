"""Binary: one label, two classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pseudolinear._calibration import SATURATED, Calibration, Line
from pseudolinear.errors import Outcomes
from pseudolinear.kinds._goal import Goal
from pseudolinear.kinds._label_kind import LabelKind, pull_to_half
from pseudolinear.kinds._multiclass import Multiclass
from pseudolinear.kinds._new_classes import warn_of_new_classes
from pseudolinear.labels import check_classes, read_labels
from pseudolinear.measures import Measure


@dataclass(frozen=True, eq=False)
class Binary(LabelKind):
    """A negative and a positive class.

    Attributes
    ----------
    positive : int
        Position of the positive class in `classes`.
    """

    name: ClassVar[str] = "binary"
    positive: int

    @classmethod
    def read(
        cls, y: NDArray[Any], classes: NDArray[Any], measure: Measure
    ) -> tuple[Self, NDArray[np.int8]]:
        """Return the kind, and y as a column of 0 and 1."""
        if classes.size > 2:
            raise ValueError(
                "Only binary classification is supported by a binary measure. The type of the "
                "target is multiclass; use f1_macro, balanced_accuracy, cohen_kappa, or "
                "FBeta(average='micro', default_class=...)."
            )
        positive = measure.positive_class(classes)
        codes = (y == positive).astype(np.int8)[:, None]
        return cls(classes, int(np.argmax(classes == positive))), codes

    @property
    def code_classes(self) -> NDArray[Any]:
        """The negative and the positive class."""
        return self.classes[[1 - self.positive, self.positive]]

    def goals(
        self, codes: NDArray[Any], measure: Measure, sample_weight: NDArray[np.float64] | None
    ) -> list[Goal]:
        """Return the one goal."""
        prevalence = np.average(codes, axis=0, weights=sample_weight)
        return self.goals_at(prevalence, measure, len(codes))

    def goals_at(
        self, prevalence: NDArray[np.float64], measure: Measure, n_samples: int
    ) -> list[Goal]:
        """Return the one goal."""
        return [Goal((0,), measure, np.asarray(prevalence[0]), n_samples)]

    def regroup(self, goals: Sequence[Goal], measure: Measure) -> list[Goal]:
        """Return the goal with the other measure."""
        if measure.average != "binary":
            raise ValueError(
                f"{measure!r} is an average, but this sweep has one label; use a binary measure, "
                "or fit again for both classes."
            )
        if measure.pos_label not in (None, self.positive_label):
            raise ValueError(
                f"This sweep is for the class {self.classes.tolist()[self.positive]!r}, not for "
                f"{measure.pos_label!r}; fit again."
            )
        return [replace(goal, measure=measure) for goal in goals]

    def thresholds(self, by_label: Mapping[int, Any]) -> float:
        """Return the threshold."""
        return float(by_label[0])

    def margins(self, scores: Mapping[int, NDArray[np.float64]], thresholds: Any) -> NDArray[Any]:
        """Return the scores less the threshold, as a column."""
        return scores[0][:, None] - thresholds

    def calibration(self, by_label: Mapping[int, Line]) -> Calibration:
        """Return one column."""
        slope, intercept = np.array(by_label[0])[:, None]
        return Calibration(slope, intercept, SATURATED)

    def decision_function(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what is positive for the second class."""
        return margins[:, 0] if self.positive == 1 else -margins[:, 0]

    def predict(self, margins: NDArray[np.float64]) -> NDArray[Any]:
        """Return the positive class where the margin is positive."""
        return self.code_classes[(margins[:, 0] > 0).astype(np.intp)]

    def probabilities(self, log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities of both classes."""
        decision = self.decision_function(log_odds)
        return expit(np.stack([-decision, decision], axis=1))

    def outcomes(self, y: Any, predicted: NDArray[Any], objective: Any) -> Outcomes:
        """Compare the positive class with the rest, or both classes for an average over them."""
        if getattr(objective, "average", "binary") != "binary":
            both = Multiclass(self.classes, objective.order_classes(self.classes))
            return both.outcomes(y, predicted, objective)
        kind = self._with_positive(getattr(objective, "pos_label", None))
        positive = kind.positive_label
        return Outcomes.of_labels(kind.truth(y)[:, 0], predicted == positive, [positive])

    def _with_positive(self, pos_label: Any) -> Self:
        """Return the kind whose positive class a measure names; itself where it names none."""
        if pos_label is None:
            return self
        known = self.classes.tolist()
        if pos_label not in known:
            raise ValueError(f"pos_label={pos_label!r} is none of the classes {known} of the fit.")
        return replace(self, positive=known.index(pos_label))

    def agree(
        self, probabilities: NDArray[np.float64], margins: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Pull the probability of the predicted class up to one half."""
        positive = pull_to_half(probabilities[:, self.positive], margins[:, 0])
        both = [1.0 - positive, positive]
        return np.stack(both if self.positive == 1 else both[::-1], axis=1)

    @property
    def label_names(self) -> NDArray[Any]:
        """The positive class alone."""
        return self.classes[[self.positive]]

    def truth(self, y: Any) -> NDArray[np.bool_]:
        """Say which rows are positive; a class that training has not shown is not."""
        true = check_classes(read_labels(y)[0]).ravel()
        known, found = self.classes.tolist(), set(true.tolist())
        if found and not found & set(known):  # in other words, as 0 and 1 for "no" and "yes"
            raise ValueError(
                f"y holds {next(iter(found))!r} and none of the classes {known} that the "
                "classifier was fitted to; give y as in fit."
            )
        warn_of_new_classes(true, self.classes, "count as negative")
        return np.asarray(true == self.positive_label).reshape(-1, 1)

    def label_probabilities(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the column of the positive class."""
        return probabilities[:, [self.positive]]

    @property
    def positive_label(self) -> Any:
        """The positive class."""
        return self.classes[self.positive]

    def label_name(self, label: int) -> Any:
        """Return the positive class."""
        return self.classes.item(self.positive)

    def levels(self, by_label: Mapping[int, float], *, shared: bool) -> float:
        """Return the level."""
        return float(by_label[0])

    def costs(self, by_label: Mapping[int, tuple[float, ...]]) -> NDArray[np.float64]:
        """Return (cost_fn, cost_fp)."""
        return np.array(by_label[0])

    def params(self, by_label: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
        """Return the hyper-parameters."""
        return dict(by_label[0])
