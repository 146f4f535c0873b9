"""Decision: what predicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._calibration import Calibration
from pseudolinear._policy import Policy
from pseudolinear.features import Encoded, Features
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
    policy : Policy or None
        What moves margins besides the thresholds, such as a budget.
    prevalence : float, ndarray or None
        Of the positives, or of each label, in the population that it is for; None where that is
        the population of the training rows.

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
    policy: Policy | None = None
    prevalence: Any = None

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

    def margins(self, X: Any, given: Any = None) -> NDArray[np.float64]:
        """Return scores minus thresholds, one column per label or class.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Checked rows.
        given : default=None
            The rows as the user gave them, for a policy that reads a column.

        Returns
        -------
        ndarray of shape (n_samples, n_labels) or (n_samples, n_classes)
            Moved by the policy, if there is one.
        """
        return self.moved(self.kind.margins(self.scores(X), self.threshold), X, given)

    def moved(self, margins: NDArray[np.float64], X: Any, given: Any) -> NDArray[np.float64]:
        """Return margins as the policy moves them; labels of one value stay what they are."""
        if self.policy is None:
            return margins
        found = self.policy.apply(margins, X if given is None else given)
        thresholds = np.atleast_1d(self.threshold)  # above 0 where a label is never predicted
        for label, model in enumerate(self.models):
            if model is None and (thresholds[label] > 0 or not self.policy.limits):
                found[:, label] = margins[:, label]
        return found

    def scores(self, X: Any) -> dict[int, NDArray[np.float64]]:
        """Return what the models give to checked rows, by label."""
        return self.scores_of(self.features.encode(X))

    def scores_of(self, rows: Encoded) -> dict[int, NDArray[np.float64]]:
        """Return what the models give to rows whose views are made, or can be, by label."""
        learnt = [label for label, model in enumerate(self.models) if model is not None]
        models = [self.models[label] for label in learnt]
        scores = self.learner.scores(models, rows if self.view is None else rows(self.view))
        return dict(zip(learnt, scores, strict=True))

    def decision_function(self, X: Any, given: Any = None) -> NDArray[np.float64]:
        """Return the margins in the shape that scikit-learn expects."""
        return self.kind.decision_function(self.margins(X, given))

    def predict(self, X: Any, given: Any = None) -> NDArray[Any]:
        """Return classes, or the 0/1 matrix of a multilabel problem."""
        return self.kind.predict(self.margins(X, given))

    @property
    def probability_threshold(self) -> Any:
        """The thresholds as calibrated probabilities."""
        return self.kind.probability_threshold(self.threshold, self.calibration)

    def predict_proba(
        self, X: Any, given: Any = None, *, agreeing: bool = True
    ) -> NDArray[np.float64]:
        """Return probabilities of the population, or the nearest that agree with predict."""
        scores = self.scores(X)
        found = self.kind.probabilities(self.calibration(self.kind.margins(scores, 0.0)))
        if not agreeing:
            return found
        margins = self.moved(self.kind.margins(scores, self.threshold), X, given)
        return self.kind.agree(found, margins)
