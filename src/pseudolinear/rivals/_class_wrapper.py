"""ClassWrapper: what the wrappers share that choose among the classes of one classifier."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from pseudolinear.kinds import Multiclass
from pseudolinear.learners import ClassesProblem
from pseudolinear.rivals._confusion import confusion_matrix
from pseudolinear.rivals._held_out import held_out_scores
from pseudolinear.rivals._sample import Sample
from pseudolinear.rivals._wrapper import ERRORS, Wrapper


class ClassWrapper(Wrapper):
    """Base of the wrappers that choose among classes by their probabilities.

    Children have the parameter `errors`, and choose in `_tune` how classes are chosen.
    """

    errors: str

    @abstractmethod
    def _tune(self, sample: Sample) -> None:
        """Choose on held-out rows how probabilities become classes."""

    @abstractmethod
    def _value(self, confusion: NDArray[np.float64]) -> float:
        """Evaluate a confusion matrix, classes in the order of `classes_`."""

    @property
    def _estimator(self) -> Any:
        """What is trained; a softmax model has better probabilities than one-against-rest."""
        return LogisticRegression(max_iter=1000) if self.estimator is None else self.estimator

    def _check_parameters(self) -> None:
        self._check_choice("errors", ERRORS)
        self._check_probabilistic()

    def _fit(self, X: Any, y: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        kind, codes = self._read_classes(y, weight)
        trainer, splits = self._make_trainer(X, kind, codes, weight, native=False)
        problem = ClassesProblem(0, (1.0,) * kind.classes.size)
        rows = np.concatenate([test for _, test in splits])
        probabilities = softmax(held_out_scores(trainer, [problem], splits)[:, 0], axis=1)
        self.learner_, self.models_ = trainer.learner, trainer.fit([problem], np.arange(len(y)))
        self.classes_ = kind.classes
        known = np.eye(kind.classes.size)[codes[rows, 0]]
        sample = Sample(
            probabilities,
            known if self.errors == "observed" else probabilities,
            np.ones(len(rows)) if weight is None else weight[rows],
        )
        self._tune(sample)

    def _read_classes(
        self, y: NDArray[Any], weight: NDArray[np.float64] | None
    ) -> tuple[Multiclass, NDArray[np.intp]]:
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
        return Multiclass(classes, classes), codes[:, None]

    def _probabilities(self, X: Any) -> NDArray[np.float64]:
        """Give the probabilities of the classes of checked rows."""
        return softmax(self.learner_.scores(self.models_, X)[0], axis=1)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the measure of `predict`; all arguments as in `fit`."""
        return self._value(self._confusion_of(y, self.predict(X), sample_weight))

    def _confusion_of(self, y: Any, predicted: NDArray[Any], sample_weight: Any) -> Any:
        """Count predictions, classes in the order of `classes_`."""
        true = np.asarray(y)[:, None] == self.classes_
        weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight)
        codes = np.argmax(predicted[:, None] == self.classes_, axis=1)
        return confusion_matrix(true.astype(np.float64), codes, weight)
