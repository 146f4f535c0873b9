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

from pseudolinear.errors import ErrorProfile
from pseudolinear.kinds._goal import Goal
from pseudolinear.kinds._iterative_folds import IterativeKFold
from pseudolinear.kinds._kind import HELD_OUT
from pseudolinear.kinds._label_kind import LabelKind
from pseudolinear.measures import Measure


@dataclass(frozen=True, eq=False)
class Multilabel(LabelKind):
    """Several labels.

    Attributes
    ----------
    always : ndarray of bool, shape (n_labels,)
        Which labels every training row carries; with those that none carries, they have no model.
    """

    name: ClassVar[str] = "multilabel"
    always: NDArray[np.bool_]

    @classmethod
    def read(cls, y: NDArray[Any], rows: Any, measure: Measure) -> tuple[Self, NDArray[np.int8]]:
        """Return the kind, and y as 0 and 1; `rows` are those of positive weight."""
        if measure.average in ("binary", "multiclass"):
            raise ValueError(
                f"y has {y.shape[1]} labels, but {measure!r} is for one; use the measure "
                "f1_micro or f1_macro (average='micro' or 'macro')."
            )
        if measure.has_default_class:
            raise ValueError(
                f"{measure!r} has a default class, which a multilabel y has not; leave it out."
            )
        positive = y[rows].astype(bool)
        fixed = np.flatnonzero(positive.all(axis=0) | ~positive.any(axis=0))
        if fixed.size == y.shape[1]:
            raise ValueError(
                "No label of y has both a positive and a negative row, so there is nothing to "
                "learn; check the columns of y."
            )
        if fixed.size:
            warnings.warn(
                f"Label {fixed[0]}"
                + (f" and {fixed.size - 1} other labels have" if fixed.size > 1 else " has")
                + " the same value in every row; nothing can be learnt there, so that value is "
                "predicted.",
                stacklevel=5,
            )
        return cls(np.arange(y.shape[1]), positive.all(axis=0)), y.astype(np.int8)

    def goals(
        self, codes: NDArray[Any], measure: Measure, sample_weight: NDArray[np.float64] | None
    ) -> list[Goal]:
        """Return one goal of a micro average, or one per label that has rows of both values."""
        prevalence = np.average(codes, axis=0, weights=sample_weight)
        labels = np.arange(codes.shape[1])
        if measure.decomposes:
            labels = labels[(prevalence > 0) & (prevalence < 1)]
        return _share(tuple(labels.tolist()), prevalence[labels], measure, len(codes))

    def regroup(self, goals: Sequence[Goal], measure: Measure) -> list[Goal]:
        """Share the same labels among the goals of another measure."""
        labels = tuple(label for goal in goals for label in goal.labels)
        if measure.average == "binary" and len(labels) > 1:
            raise ValueError(
                f"{measure!r} is for one label, got {len(labels)}; use f1_micro or f1_macro."
            )
        prevalence = np.concatenate([np.atleast_1d(goal.prevalence) for goal in goals])
        return _share(labels, prevalence, measure, goals[0].n_samples)

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

    def decision_function(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the margins as they are."""
        return margins

    def predict(self, margins: NDArray[np.float64]) -> NDArray[Any]:
        """Return 1 where the margin is positive."""
        return (margins > 0).astype(np.intp)

    def probabilities(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each label."""
        return expit(margins)

    def score(self, y: Any, predicted: NDArray[Any], objective: Any, sample_weight: Any) -> float:
        """Return what an objective says of the errors of every label."""
        return objective.value(ErrorProfile.from_labels(y, predicted, sample_weight=sample_weight))

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

    def _fill(self, table: NDArray[Any], by_label: Mapping[int, Any]) -> NDArray[Any]:
        for label, value in by_label.items():
            table[label] = value
        return table


def _share(
    labels: tuple[int, ...], prevalence: NDArray[np.float64], measure: Measure, n_samples: int
) -> list[Goal]:
    if measure.average == "micro":
        return [Goal(labels, measure, prevalence, n_samples)]
    one = measure.binary()
    return [
        Goal((label,), one, np.asarray(p), n_samples, measure.average == "weighted")
        for label, p in zip(labels, prevalence.tolist(), strict=True)
    ]
