"""Decision: what predicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._calibration import Calibration
from pseudolinear.features import Features
from pseudolinear.kinds import Kind
from pseudolinear.learners import Scorer


@dataclass(frozen=True, eq=False)
class Decision:
    """Features, models and thresholds that turn rows into predictions.

    It knows nothing of the rows that made it.

    Attributes
    ----------
    kind : Kind
        How margins become classes.
    features : Features
        What makes of rows the view that the learner likes.
    view : str or None
        That view; None where the learner picks views itself.
    learner : Scorer
        What scores rows with the models.
    models : list
        One per label, or one in all; None for a label of one value.
    threshold : float or ndarray
        Threshold of the score; one per label, or per class of a multiclass problem.
    calibration : Calibration
        What makes log-odds of the scores.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    >>> bool((clf.decision_.predict(X) == clf.predict(X)).all())
    True
    """

    kind: Kind
    features: Features
    view: str | None
    learner: Scorer
    models: list[Any]
    threshold: Any
    calibration: Calibration

    def __repr__(self) -> str:
        thresholds = np.atleast_1d(self.threshold)
        learner = getattr(self.learner, "name", type(self.learner).__name__)
        if len(thresholds) == 1:
            return f"<Decision: {self.kind.name}, {learner}, threshold {thresholds[0]:.4g}>"
        low, high = thresholds.min(), thresholds.max()
        return (
            f"<Decision: {self.kind.name}, {learner}, {len(thresholds)} thresholds from {low:.4g} "
            f"to {high:.4g}>"
        )

    def margins(self, X: Any) -> NDArray[np.float64]:
        """Return scores minus thresholds, one column per label or class."""
        return self.kind.margins(self._scores(X), self.threshold)

    def _scores(self, X: Any) -> dict[int, NDArray[np.float64]]:
        learnt = [label for label, model in enumerate(self.models) if model is not None]
        rows = self.features.encode(X)
        models = [self.models[label] for label in learnt]
        scores = self.learner.scores(models, rows if self.view is None else rows(self.view))
        return dict(zip(learnt, scores, strict=True))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the margins in the shape that scikit-learn expects."""
        return self.kind.decision_function(self.margins(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return classes, or the 0/1 matrix of a multilabel problem."""
        return self.kind.predict(self.margins(X))

    @property
    def probability_threshold(self) -> Any:
        """The thresholds as calibrated probabilities."""
        return self.kind.probability_threshold(self.threshold, self.calibration)

    def predict_proba(self, X: Any, *, agreeing: bool = True) -> NDArray[np.float64]:
        """Return probabilities of the population, or the nearest that agree with predict."""
        scores = self._scores(X)
        found = self.kind.probabilities(self.calibration(self.kind.margins(scores, 0.0)))
        return (
            self.kind.agree(found, self.kind.margins(scores, self.threshold)) if agreeing else found
        )
