"""Wrappers for one label or several, each with a classifier of its own."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from pseudolinear.errors import ErrorProfile
from pseudolinear.kinds._targets import Targets
from pseudolinear.learners._base import Problem
from pseudolinear.measures import Measure, get_measure
from pseudolinear.rivals._wrapper import WrapperClassifier
from pseudolinear.sweep._training import Split, Trainer


class LabelWrapper(WrapperClassifier):
    """Base of the wrappers that decide label by label; a binary problem has one label.

    Children have the parameter `measure`, and set `learner_` and `models_`.
    """

    measure: str | Measure

    def __sklearn_tags__(self) -> Any:
        """Say which kinds of target there can be."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = get_measure(self.measure).average != "binary"
        return tags

    def _prepare(self, X: Any, y: Any, sample_weight: Any) -> tuple[Trainer, list[Split]]:
        """Read the target; keep what all labels share."""
        X, y, weight = self._check_input(X, y, sample_weight)
        measure = get_measure(self.measure)
        if getattr(measure, "default_class", None) is not None:
            raise ValueError(
                f"{measure!r} has a default class, so it is for the classes of a multiclass "
                "problem; use BisectionClassifier."
            )
        if y.ndim == 1 or y.shape[1] == 1:
            measure = measure.binary()
        if type_of_target(y, input_name="y") == "multiclass":
            raise ValueError(
                f"Only binary classification is supported by {type(self).__name__}. The type of "
                "the target is multiclass; use FrankWolfeClassifier or BisectionClassifier, or "
                "give the classes as the columns of a 0/1 matrix."
            )
        targets = Targets.from_y(y, measure, weight)
        trainer, splits = self._make_trainer(X, targets, weight, native=True)
        self.classes_ = targets.classes
        self.measure_ = measure
        self.learner_ = trainer.learner
        self._kind, self._order = targets.kind, targets.order
        return trainer, splits

    def _scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows, one column per label; natural threshold 0."""
        check_is_fitted(self)
        X = self._check_rows(X, reset=False)
        return np.stack(self.learner_.scores(self.models_, X), axis=1)

    @abstractmethod
    def _decision(self, X: Any) -> NDArray[np.float64]:
        """Score rows relative to the threshold, one column per label."""

    def _predict_labels(self, X: Any) -> NDArray[np.bool_]:
        return self._decision(X) > 0

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows relative to the threshold: positive values are predicted positive.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            One column per label of a multilabel problem.
        """
        decision = self._decision(X)
        if self._kind == "multilabel":
            return decision
        sign = 1.0 if self._order[1] == self.classes_[1] else -1.0
        return sign * decision[:, 0]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes, or the 0/1 matrix of a multilabel problem.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            The predictions.
        """
        positive = self._predict_labels(X).astype(np.intp)
        return positive if self._kind == "multilabel" else self._order[positive[:, 0]]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the measure itself on the given rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            True classes or labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        float
            Value of the measure.
        """
        positive = self._predict_labels(X)
        if self._kind == "binary":
            y, positive = np.asarray(y) == self._order[1], positive[:, 0]
        return self.measure_.value(
            ErrorProfile.from_labels(y, positive, sample_weight=sample_weight)
        )


def plain_problems(n_labels: int) -> list[Problem]:
    """Return one problem per label, with equal costs."""
    return [Problem(label, (1.0, 1.0)) for label in range(n_labels)]
