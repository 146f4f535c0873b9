"""LabelWrapper: what the wrappers share that train one classifier per label."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures import Measure, get_ratio
from pseudolinear.rivals._label_rival import LabelRival, equal_cost_problems
from pseudolinear.rivals._wrapper import Wrapper
from pseudolinear.sweep import Split, Trainer


class LabelWrapper(Wrapper, LabelRival):
    """Base of the wrappers that decide label by label.

    Children have the parameter `measure`, and choose in `_tune` how scores are cut.
    """

    measure: str | Measure

    @abstractmethod
    def _tune(self, trainer: Trainer, splits: list[Split]) -> None:
        """Choose on held-out rows how scores are cut."""

    def __sklearn_tags__(self) -> Any:
        """Declare which kinds of target there can be."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = self._goal.average != "binary"
        return tags

    @property
    def _goal(self) -> Measure:
        return get_ratio(self.measure)

    def _check_parameters(self) -> None:
        if self._goal.has_default_class:
            raise ValueError(
                f"{self._goal!r} has a default class, so it is for the classes of a multiclass "
                "problem; use BisectionClassifier."
            )

    def _fit_labels(self, X: Any, codes: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        trainer, splits = self._make_trainer(X, self._kind, codes, weight, native=True)
        self.measure_ = self._goal if self._several else self._goal.binary()
        self.learner_ = trainer.learner
        self._tune(trainer, splits)
        self.models_ = trainer.fit(equal_cost_problems(codes.shape[1]), np.arange(len(codes)))

    def _per_label(self, numbers: NDArray[np.float64]) -> Any:
        """Return one number per label of a multilabel problem, or the only one."""
        return numbers if self._several else float(numbers[0])

    def _scores(self, X: Any) -> NDArray[np.float64]:
        """Score checked rows, one column per label; natural threshold 0."""
        return np.stack(self.learner_.scores(self.models_, X), axis=1)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the measure itself; all arguments as in `fit`."""
        return self._kind.score(y, self.predict(X), self.measure_, sample_weight)
