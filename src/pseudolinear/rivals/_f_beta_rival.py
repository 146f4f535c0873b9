"""FBetaRival: what the rivals share that train label scores for F-beta themselves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import fbeta_score

from pseudolinear.measures import FBeta
from pseudolinear.rivals._label_rival import LabelRival


class FBetaRival(LabelRival):
    """Base of the rivals for F-beta; children have the parameters `beta` and `average`."""

    beta: float
    average: str

    _averages: ClassVar[tuple[str, ...]] = ("binary", "micro", "macro", "samples")

    @property
    def _row_options(self) -> dict[str, Any]:
        return {**super()._row_options, "order": "C"}

    def __sklearn_tags__(self) -> Any:
        """Declare which kinds of input and target this classifier takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = self.average != "binary"
        return tags

    @property
    def _goal(self) -> FBeta:
        """The measure; as none is an average over rows, the micro average stands for that."""
        return FBeta(self.beta, average="micro" if self.average == "samples" else self.average)

    def _check_parameters(self) -> None:
        self._check_choice("average", self._averages)

    def _fit(self, X: Any, y: NDArray[Any], weight: NDArray[np.float64] | None) -> None:
        if self.average == "samples" and (y.ndim == 1 or y.shape[1] == 1):
            raise ValueError(
                f"{type(self).__name__}: average='samples' is the mean over rows of several "
                "labels, but y has one; use average='binary'."
            )
        super()._fit(X, y, weight)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return F-beta, averaged as in training; all arguments as in `fit`."""
        predicted, average = self.predict(X), self.average
        if not self._several:
            positive, average = self.classes_[1], "binary"
            y, predicted = np.asarray(y) == positive, predicted == positive
        return float(
            fbeta_score(
                y,
                predicted,
                beta=self.beta,
                average=average,
                sample_weight=sample_weight,
                zero_division=0.0,
            )
        )
