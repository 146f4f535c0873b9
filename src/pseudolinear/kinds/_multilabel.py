"""Multilabel: several labels, each of which a row has or has not."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.model_selection import GroupKFold, GroupShuffleSplit, ShuffleSplit

from pseudolinear._brief import brief_repr
from pseudolinear._calibration import CERTAIN, SATURATED, Calibration, Line
from pseudolinear._validation import check_binary
from pseudolinear.errors import Outcomes
from pseudolinear.kinds._goal import Goal
from pseudolinear.kinds._iterative_folds import IterativeKFold
from pseudolinear.kinds._kind import HELD_OUT
from pseudolinear.kinds._label_kind import LabelKind, pull_to_half
from pseudolinear.labels import LabelForm, match_labels
from pseudolinear.measures import Measure
from pseudolinear.thresholds import Budget


@dataclass(frozen=True, eq=False)
class Multilabel(LabelKind):
    """Several labels.

    Attributes
    ----------
    always : ndarray of bool, shape (n_labels,)
        Which labels every training row carries; with those that none carries, they have no model.
    form : LabelForm
        How labels came, and predictions go back.
    """

    name: ClassVar[str] = "multilabel"
    always: NDArray[np.bool_]
    form: LabelForm

    __repr__ = brief_repr

    @classmethod
    def read(
        cls, y: NDArray[Any], rows: Any, measure: Measure, form: LabelForm
    ) -> tuple[Self, NDArray[np.int8]]:
        """Return the kind, and y as 0 and 1; `rows` are those of positive weight."""
        check_labels_measure(measure, y.shape[1])
        if not y.shape[1]:
            raise ValueError("No row of y has a label, so there is nothing to learn.")
        positive = check_binary(y, "y")
        always, never = positive[rows].all(axis=0), ~positive[rows].any(axis=0)
        classes = np.arange(y.shape[1]) if form.names is None else form.names
        fixed = np.flatnonzero(always | never)
        if fixed.size == y.shape[1]:
            raise ValueError(
                "No label of y has both a positive and a negative row, so there is nothing to "
                "learn; check the columns of y."
            )
        if fixed.size:
            warnings.warn(
                f"Label {classes.item(fixed[0])!r}"
                + (f" and {fixed.size - 1} other labels have" if fixed.size > 1 else " has")
                + " the same value in every row; nothing can be learnt there, so that value is "
                "predicted.",
                stacklevel=5,
            )
        return cls(classes, always, form), positive.astype(np.int8)

    @property
    def code_classes(self) -> NDArray[Any]:
        """0 and 1, of every label."""
        return np.arange(2)

    def goals(
        self, codes: NDArray[Any], measure: Measure, sample_weight: NDArray[np.float64] | None
    ) -> list[Goal]:
        """Return one goal of a micro average, or one per label that has rows of both values."""
        prevalence = np.average(codes, axis=0, weights=sample_weight)
        return self.goals_at(prevalence, measure, len(codes))

    def goals_at(
        self, prevalence: NDArray[np.float64], measure: Measure, n_samples: int
    ) -> list[Goal]:
        """Return one goal of a micro average, or one per label that has rows of both values."""
        labels = np.arange(len(prevalence))
        if measure.decomposes:
            labels = labels[(prevalence > 0) & (prevalence < 1)]
        return _share(tuple(labels.tolist()), prevalence[labels], measure, n_samples, None)

    def regroup(self, goals: Sequence[Goal], measure: Measure) -> list[Goal]:
        """Share the same labels among the goals of another measure."""
        labels = tuple(label for goal in goals for label in goal.labels)
        if measure.average == "binary" and len(labels) > 1:
            raise ValueError(
                f"{measure!r} is for one label, got {len(labels)}; use {measure.averaged}."
            )
        prevalence = np.concatenate([np.atleast_1d(goal.prevalence) for goal in goals])
        rows = [goal.seen for goal in goals if goal.seen is not None]
        seen = np.concatenate([np.atleast_1d(one) for one in rows]) if rows else None
        return _share(labels, prevalence, measure, goals[0].n_samples, seen)

    def stratify_by(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return the 0/1 matrix."""
        return codes

    def folds(self, n_splits: int, seed: int, *, grouped: bool) -> Any:
        """Return a splitter that shares the rows of every label, or whole groups of rows."""
        if grouped:
            return GroupKFold(n_splits, shuffle=True, random_state=seed)
        return IterativeKFold(n_splits, random_state=seed)

    def holdout(self, seed: int, *, grouped: bool) -> Any:
        """Return a splitter that holds out one third of the rows, or of the groups."""
        splitter = GroupShuffleSplit if grouped else ShuffleSplit
        return splitter(1, test_size=HELD_OUT, random_state=seed)

    def thresholds(self, by_label: Mapping[int, Any]) -> NDArray[np.float64]:
        """Return one threshold per label; scores of labels without a model are 0."""
        return self._fill(np.where(self.always, -1.0, 1.0), by_label)

    def margins(self, scores: Mapping[int, NDArray[np.float64]], thresholds: Any) -> NDArray[Any]:
        """Return the scores less the thresholds, one column per label."""
        n_samples = len(next(iter(scores.values())))
        return self._fill(np.zeros((self.n_models, n_samples)), scores).T - thresholds

    def calibration(self, by_label: Mapping[int, Line]) -> Calibration:
        """Return one column per label; labels without a model are certain at the score 0."""
        certain = np.where(self.always, CERTAIN, -CERTAIN)
        lines = np.stack([np.full(self.n_models, 2 * CERTAIN), certain], axis=1)
        slope, intercept = self._fill(lines, by_label).T
        return Calibration(slope, intercept, SATURATED)

    def decision_function(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the margins as they are."""
        return margins

    def predict(self, margins: NDArray[np.float64]) -> NDArray[Any]:
        """Return 1 where the margin is positive."""
        return (margins > 0).astype(np.intp)

    def decode(self, predicted: NDArray[Any], rows: Any) -> Any:
        """Return the labels in the form in which y came."""
        return self.form.decode(predicted, rows)

    def probabilities(self, log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each label."""
        return expit(log_odds)

    def agree(
        self, probabilities: NDArray[np.float64], margins: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Pull the probability of what is predicted of each label up to one half."""
        return pull_to_half(probabilities, margins)

    def outcomes(self, y: Any, predicted: NDArray[Any], objective: Any) -> Outcomes:
        """Compare every label; one that training has not shown is never predicted."""
        true, unknown = match_labels(y, self.form, self.n_models)
        warn_of_unknown(unknown)
        missed = np.zeros((len(predicted), len(unknown)), predicted.dtype)
        predicted = np.hstack([predicted, missed])
        return Outcomes.of_labels(true, predicted, [*self.classes, *unknown])

    def objective(self, objective: Any) -> Any:
        """Return what a budget of labels for each row is after; refuse what is for classes."""
        if isinstance(objective, Budget) and objective.limits_labels(self.n_models):
            return objective.training_measure("macro")
        if isinstance(objective, Measure):
            check_labels_measure(objective, self.n_models)
        return objective

    def truth(self, y: Any) -> NDArray[np.bool_]:
        """Say which labels rows carry; one that training has not shown has no column."""
        return check_binary(match_labels(y, self.form, self.n_models)[0], "y")[:, : self.n_models]

    def levels(self, by_label: Mapping[int, float], *, shared: bool) -> Any:
        """Return the level of each label, or the one that all labels share."""
        if shared and len(set(by_label.values())) == 1:
            return next(iter(by_label.values()))
        return self._fill(np.full(self.n_models, np.nan), by_label)

    def costs(self, by_label: Mapping[int, tuple[float, ...]]) -> NDArray[np.float64]:
        """Return (cost_fn, cost_fp) of each label."""
        return self._fill(np.full((self.n_models, 2), np.nan), by_label)

    def params(self, by_label: Mapping[int, Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the hyper-parameters of each label."""
        return [dict(by_label.get(label, {})) for label in range(self.n_models)]

    @property
    def n_models(self) -> int:
        """Number of labels."""
        return len(self.classes)

    def label_name(self, label: int) -> Any:
        """Return the name of a label, or its number if it has none."""
        return self.classes.item(label)

    def _fill(self, table: NDArray[Any], by_label: Mapping[int, Any]) -> NDArray[Any]:
        for label, value in by_label.items():
            table[label] = value
        return table


def warn_of_unknown(unknown: Sequence[Any]) -> None:
    """Warn of labels that training has not shown."""
    if unknown:
        n_others = len(unknown) - 1
        others = f" and {n_others} other label{'s' * (n_others > 1)}" if n_others else ""
        them, their = ("them", "their") if n_others else ("it", "its")
        warnings.warn(
            f"Label {unknown[0]!r}{others} of y cannot be predicted, since training has not shown "
            f"{them}; each of {their} rows counts as a false negative.",
            stacklevel=5,
        )


def check_labels_measure(measure: Measure, n_labels: int) -> None:
    """Refuse what is for classes."""
    if measure.average == "multiclass" or (measure.average == "binary" and n_labels > 1):
        raise ValueError(
            f"y has {n_labels} labels, but {measure!r} is for one; use the measure "
            f"{measure.averaged}."
        )
    if measure.average == "binary" and measure.pos_label is not None:
        raise ValueError(
            f"pos_label={measure.pos_label!r} is for one of two classes, but y has labels; "
            "leave it out."
        )
    if measure.has_default_class:
        raise ValueError(
            f"{measure!r} has a default class, which a multilabel y has not; leave it out."
        )


def _share(
    labels: tuple[int, ...],
    prevalence: NDArray[np.float64],
    measure: Measure,
    n_samples: int,
    seen: NDArray[np.float64] | None,
) -> list[Goal]:
    if measure.average == "micro":
        return [Goal(labels, measure, prevalence, n_samples, seen=seen)]
    one, weighted = measure.binary(), measure.average == "weighted"
    rows = [None] * len(labels) if seen is None else [np.asarray(p) for p in seen.tolist()]
    return [
        Goal((label,), one, np.asarray(p), n_samples, weighted, own)
        for label, p, own in zip(labels, prevalence.tolist(), rows, strict=True)
    ]
