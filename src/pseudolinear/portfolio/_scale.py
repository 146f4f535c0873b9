"""Scales: scores of different models made comparable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression

from pseudolinear._calibration import SATURATED, flatten


@dataclass(frozen=True)
class Scale:
    """How scores are brought to another scale: less `centre`, divided by `spread`.

    Scores beyond `limit` count little more than it.
    """

    centre: float = 0.0
    spread: float = 1.0
    limit: float = np.inf

    @classmethod
    def of(
        cls,
        scores: NDArray[np.float64],
        weight: NDArray[np.float64] | None = None,
        *,
        centred: bool = True,
    ) -> Scale:
        """Standardise scores, rows by their weight; those of classes keep their origin, 0."""
        clipped = flatten(scores, SATURATED)
        centre = float(np.average(clipped, axis=0, weights=weight)) if centred else 0.0
        squares = np.average((clipped - centre) ** 2, axis=0, weights=weight)
        return cls(centre, float(np.sqrt(np.mean(squares))) or 1.0, SATURATED)

    @classmethod
    def log_odds(
        cls,
        y: NDArray[np.intp],
        scores: NDArray[np.float64],
        weight: NDArray[np.float64] | None = None,
    ) -> Scale:
        """Make scores log-odds (Platt), or those of classes log-probabilities up to a constant."""
        if scores.ndim == 1:
            if np.ptp(y if weight is None else y[weight > 0]) == 0:  # a label of one value
                return cls()
            model = LogisticRegression(C=np.inf).fit(scores[:, None], y, weight)
            slope, intercept = float(model.coef_[0, 0]), float(model.intercept_[0])
            if slope <= 0.0:  # scores that say nothing keep their order all the same
                return cls()
            return cls(-intercept / slope, 1.0 / slope)
        slopes = np.geomspace(0.05, 20.0, 60)
        losses = [_log_loss(y, slope * scores, weight) for slope in slopes]
        return cls(0.0, 1.0 / float(slopes[np.argmin(losses)]))

    def __call__(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores on this scale."""
        return (flatten(scores, self.limit) - self.centre) / self.spread


def _log_loss(y: NDArray[np.intp], scores: NDArray[np.float64], weight: Any) -> float:
    picked = log_softmax(scores, axis=1)[np.arange(len(y)), y]
    return -float(np.average(picked, weights=weight))
