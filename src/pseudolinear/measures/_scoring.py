"""Scoring: from labels as they are given to the value of a measure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.errors import ErrorProfile, Outcomes
from pseudolinear.labels import match_labels, read_labels


class Scoring(ABC):
    """How a measure reads the truth and predictions."""

    _name: str
    average: str
    pos_label: Hashable

    @property
    @abstractmethod
    def averaged(self) -> str:
        """Its averages in words, for errors about several labels."""

    @abstractmethod
    def value(self, profile: ErrorProfile) -> Any:
        """Evaluate one profile or a stack of them."""

    @abstractmethod
    def for_classes(self, n_classes: int) -> Self:
        """Return the measure of a problem with some classes."""

    def profile(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ErrorProfile:
        """Count the errors in the layout that this measure reads.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_labels)
            Classes, or the labels of a multilabel problem in any form that
            :meth:`MeasureClassifier.fit` takes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        ErrorProfile
            One label for `average="binary"`, otherwise one per class or column.
        """
        return self.outcomes(y_true, y_pred).profile(sample_weight)

    def outcomes(self, y_true: ArrayLike, y_pred: ArrayLike) -> Outcomes:
        """Compare predictions with the truth in the layout that this measure reads.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_labels)
            As for :meth:`profile`.

        Returns
        -------
        Outcomes
            One label for `average="binary"`, otherwise one per class or column.
        """
        true, form = read_labels(y_true)
        if true.ndim == 2:
            names = range(true.shape[1]) if form.names is None else form.names
            pred, unknown = match_labels(y_pred, form, true.shape[1])
            true = np.hstack([true, np.zeros((len(true), len(unknown)), true.dtype)])
            self._check_labels(true.shape[1])
            return Outcomes.of_labels(true, pred, [*names, *unknown])
        pred, _ = read_labels(y_pred)
        classes = np.unique(np.concatenate([true, pred, self.extra_classes(true.dtype)]))
        if self.average == "binary":
            positive = self.positive_class(classes)
            return Outcomes.of_labels(true == positive, pred == positive, [positive])
        return Outcomes.of_classes(true, pred, self.order_classes(classes))

    def score(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Evaluate predictions.

        Examples
        --------
        >>> FBeta().score(["ham", "spam", "spam"], ["ham", "spam", "ham"])
        0.667
        """
        measure, (true, _) = self, read_labels(y_true)
        if true.ndim == 1:
            measure = self.for_classes(np.union1d(true, read_labels(y_pred)[0]).size)
        return measure.of_outcomes(measure.outcomes(y_true, y_pred), sample_weight)

    def of_outcomes(self, outcomes: Outcomes, sample_weight: ArrayLike | None = None) -> float:
        """Evaluate outcomes in the layout that this measure reads."""
        return float(self.value(outcomes.profile(sample_weight)))

    def positive_class(self, classes: NDArray[Any]) -> Any:
        """Return the positive one of at most two sorted classes."""
        if len(classes) > 2:
            raise ValueError(
                f"{self._name} with average='binary' needs two classes, got {len(classes)}; "
                f"use {self.averaged}."
            )
        if self.pos_label is None:
            if len(classes) == 1 and classes[0] not in (0, 1, -1):
                raise ValueError(
                    f"Only the class {classes.tolist()[0]!r} occurs; say which one is positive by "
                    "pos_label."
                )
            return classes[-1] if len(classes) == 2 else 1
        if len(classes) == 2 and self.pos_label not in classes:
            raise ValueError(
                f"{self._name}: pos_label={self.pos_label!r} is not one of the classes "
                f"{classes.tolist()}."
            )
        return self.pos_label

    def extra_classes(self, dtype: Any) -> NDArray[Any]:
        """Return the classes that belong to a multiclass profile whether they occur or not."""
        return np.empty(0, dtype=dtype)

    def order_classes(self, classes: NDArray[Any]) -> NDArray[Any]:
        """Return the classes of a multiclass problem in the order of the profile."""
        return classes

    def _check_labels(self, n_labels: int) -> None:
        if self.average in ("binary", "multiclass") and n_labels > 1:
            raise ValueError(
                f"{self._name} with average={self.average!r} is for one label, got {n_labels}; "
                f"use {self.averaged}."
            )
