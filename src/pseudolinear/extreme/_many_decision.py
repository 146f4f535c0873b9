"""ManyDecision: what predicts many labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pseudolinear._decision import Decision
from pseudolinear.extreme._calibration import calibrate
from pseudolinear.extreme._fit import LabelRows, ManyFitted
from pseudolinear.kinds import ManyLabels
from pseudolinear.learners import LinearLearner


class LabelModel(Protocol):
    """What scores many labels: :class:`LabelWeights`, or a tree of labels.

    It is the one model of a :class:`ManyDecision`.
    """

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows: shape (n_samples, n_labels), minus infinity where there is no score."""

    def predict(self, X: Any, thresholds: NDArray[np.float64]) -> Any:
        """Return the labels whose scores exceed their thresholds: a CSR matrix of 0 and 1."""


@dataclass(frozen=True, eq=False)
class ManyDecision(Decision):
    """Features, one model of all labels, and a threshold for each.

    Attributes
    ----------
    kind, features, view, learner, threshold, calibration
        As of any decision.
    models : list of LabelModel
        One.
    """

    def __repr__(self) -> str:
        low, high = self.threshold.min(), self.threshold.max()
        return (
            f"<ManyDecision: {len(self.threshold)} labels, {type(self.models[0]).__name__}, "
            f"thresholds from {low:.4g} to {high:.4g}>"
        )

    def _rows(self, X: Any) -> Any:
        rows = self.features.encode(X)
        return rows if self.view is None else rows(self.view)

    def margins(self, X: Any, given: Any = None) -> NDArray[np.float64]:
        """Return scores minus thresholds: dense, so for as many rows as are looked at."""
        return self.models[0].scores(self._rows(X)) - self.threshold

    def predict(self, X: Any, given: Any = None) -> Any:
        """Return the CSR matrix of the labels, made in blocks of rows."""
        return self.models[0].predict(self._rows(X), self.threshold)

    def predict_proba(
        self, X: Any, given: Any = None, *, agreeing: bool = True
    ) -> NDArray[np.float64]:
        """Return probabilities of the population, or the nearest that agree with predict."""
        scores = self.models[0].scores(self._rows(X))
        found = self.kind.probabilities(self.calibration(scores))
        return self.kind.agree(found, scores - self.threshold) if agreeing else found


def decide_many(fitted: ManyFitted, kind: ManyLabels, rows: LabelRows) -> ManyDecision:
    """Put the model and the thresholds of a fit into a decision.

    Parameters
    ----------
    fitted : ManyFitted
        What was fitted.
    kind : ManyLabels
        The kind of problem.
    rows : LabelRows
        What it was fitted on.

    Returns
    -------
    ManyDecision
        What predicts; labels of one value, whose score is 0, have a threshold of -1 or 1.
    """
    threshold = np.where(kind.always, -1.0, 1.0)
    threshold[fitted.labels] = fitted.cuts.thresholds
    features = rows.features.fitted([rows.view], rows.all_rows)
    calibration = calibrate(fitted.curves, fitted.labels, kind)
    return ManyDecision(
        kind, features, rows.view, LinearLearner(), [fitted.model], threshold, calibration
    )
