"""LabelRival: what the rivals share that score every label."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from pseudolinear.kinds import Kind, read_target
from pseudolinear.learners import LabelProblem, Problem
from pseudolinear.measures import Measure
from pseudolinear.rivals._rival import Rival


class LabelRival(Rival):
    """Base of the rivals that decide label by label; a binary problem has one label.

    Children train in `_fit_labels` and score in `_decision`.
    """

    _kind: Kind

    @property
    def _several(self) -> bool:
        """Whether there are several labels."""
        return self._kind.n_models > 1

    @property
    @abstractmethod
    def _goal(self) -> Measure:
        """What is maximised, for as many labels as its average says."""

    @abstractmethod
    def _fit_labels(self, X: Any, codes: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        """Train on checked rows and labels."""

    @abstractmethod
    def _decision(self, X: Any) -> NDArray[np.float64]:
        """Score checked rows: shape (n_samples, n_labels), positive where the label is."""

    def _fit(self, X: Any, y: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        measure = self._goal.binary() if y.ndim == 1 or y.shape[1] == 1 else self._goal
        if type_of_target(y, input_name="y") == "multiclass":
            raise ValueError(
                f"Only binary classification is supported by {type(self).__name__}. The type of "
                "the target is multiclass; use FrankWolfeClassifier or BisectionClassifier, or "
                "give the classes as the columns of a 0/1 matrix."
            )
        self._kind, codes = read_target(y, measure, weight)
        self.classes_ = self._kind.classes
        self._fit_labels(X, codes, weight)

    def _positive(self, X: Any) -> NDArray[np.bool_]:
        """Predict the labels of checked rows."""
        return self._decision(X) > 0

    def _predict(self, X: Any) -> NDArray[Any]:
        return self._kind.predict(np.where(self._positive(X), 1.0, -1.0))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows relative to the threshold: positive values are predicted positive.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            Of two classes positive for the second; one column per label of a multilabel problem.
        """
        return self._kind.decision_function(self._decision(self._new_rows(X)))


def equal_cost_problems(n_labels: int) -> list[Problem]:
    """Return one problem per label, with equal costs."""
    return [LabelProblem(label, (1.0, 1.0)) for label in range(n_labels)]
