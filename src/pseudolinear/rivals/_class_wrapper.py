"""Wrappers for the classes of one problem, with the probabilities of a single classifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from pseudolinear.kinds._targets import Targets
from pseudolinear.learners._base import Problem
from pseudolinear.rivals._confusion import confusion_matrix
from pseudolinear.rivals._wrapper import ERRORS, WrapperClassifier, held_out_scores


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows with the probabilities of their classes.

    Attributes
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
        What predictions are made from.
    truth : ndarray of shape (n_samples, n_classes)
        What errors are counted with: known classes as 0 and 1, or the probabilities again.
    weight : ndarray of shape (n_samples,)
        Weight of each row.
    """

    probabilities: NDArray[np.float64]
    truth: NDArray[np.float64]
    weight: NDArray[np.float64]

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return self.truth.shape[1]

    @property
    def prevalence(self) -> NDArray[np.float64]:
        """Proportion of each class."""
        return np.average(self.truth, axis=0, weights=self.weight)

    def confusion(self, costs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Count the errors of predicting the cheapest class of each row."""
        return confusion_matrix(self.truth, cheapest(self.probabilities, costs), self.weight)


def cheapest(probabilities: NDArray[np.float64], costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """Find the class of least expected cost; ``costs[i, j]`` is that of i predicted as j."""
    return np.argmin(probabilities @ costs, axis=1)


def equal_costs(n_classes: int) -> NDArray[np.float64]:
    """Price every error alike: the cheapest class is the most probable one."""
    return 1.0 - np.eye(n_classes)


class ClassWrapper(WrapperClassifier):
    """Base of the wrappers that choose among classes by their probabilities.

    Children have the parameter `errors`.
    """

    errors: str

    @property
    def _estimator(self) -> Any:
        """What is trained; a softmax model has better probabilities than one-against-rest."""
        return LogisticRegression(max_iter=1000) if self.estimator is None else self.estimator

    def _prepare(self, X: Any, y: Any, sample_weight: Any) -> Sample:
        """Train the classifier; return held-out rows with their probabilities."""
        self._check_choice("errors", ERRORS)
        self._check_probabilistic()
        X, y, weight = self._check_input(X, y, sample_weight)
        targets = self._read_classes(y, weight)
        trainer, splits = self._make_trainer(X, targets, weight, native=False)
        problem = Problem(None, (1.0,) * targets.classes.size)
        rows = np.concatenate([test for _, test in splits])
        scores = np.concatenate([held_out_scores(trainer, [problem], *split) for split in splits])
        (self.model_,) = trainer.fit([problem], np.arange(len(y)))
        self.classes_ = targets.classes
        probabilities = softmax(scores[:, 0], axis=1)
        known = np.eye(targets.classes.size)[targets.codes[rows]]
        return Sample(
            probabilities,
            known if self.errors == "observed" else probabilities,
            np.ones(len(rows)) if weight is None else weight[rows],
        )

    def _read_classes(self, y: NDArray[Any], weight: NDArray[np.float64] | None) -> Targets:
        check_classification_targets(y)
        if y.ndim == 2 and y.shape[1] > 1:
            raise ValueError(
                f"y has {y.shape[1]} columns, but {type(self).__name__} chooses one class per row; "
                "use ThresholdStrategy or PlugInClassifier for several labels."
            )
        classes, codes = np.unique(column_or_1d(y, warn=True), return_inverse=True)
        if np.unique(codes if weight is None else codes[weight > 0]).size < 2:
            raise ValueError(
                f"y has only one class, {classes.tolist()[0]!r}; {type(self).__name__} needs at "
                "least two."
            )
        return Targets("multiclass", codes, classes, classes)

    def _probabilities(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return softmax(self.model_.scores(self._check_rows(X, reset=False)), axis=1)

    def _confusion_of(self, y: Any, predicted: NDArray[Any], sample_weight: Any) -> Any:
        """Count predictions, classes in the order of `classes_`."""
        true = np.asarray(y)[:, None] == self.classes_
        weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight)
        codes = np.argmax(predicted[:, None] == self.classes_, axis=1)
        return confusion_matrix(true.astype(np.float64), codes, weight)
