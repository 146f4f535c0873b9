"""LabelRows: rows as a report looks at them, each label against the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length

from pseudolinear._decision import Decision
from pseudolinear._validation import check_weights


@dataclass(frozen=True, eq=False)
class LabelRows:
    """What is true and what is predicted of every label or class.

    Attributes
    ----------
    true, flagged : ndarray of bool, shape (n_samples, n_labels)
        Which rows carry a label, and for which it is predicted.
    scores : ndarray of shape (n_samples, n_labels)
        A label is predicted where its score is above its threshold; that of a class is less what
        the best other class has above its own threshold.
    thresholds : ndarray of shape (n_labels,)
        The thresholds in use.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    """

    true: NDArray[np.bool_]
    flagged: NDArray[np.bool_]
    scores: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    weight: NDArray[np.float64] | None

    @classmethod
    def of(cls, decision: Decision, X: Any, y: Any, sample_weight: Any, given: Any = None) -> Self:
        """Score checked rows once, with the thresholds left out; `given` are they as they came."""
        true = decision.kind.truth(y)
        thresholds = np.atleast_1d(decision.threshold)
        scores = replace(decision, threshold=0.0 * thresholds, policy=None).margins(X)
        check_consistent_length(scores, true)
        margins = scores - thresholds
        if decision.policy is not None:
            margins = decision.moved(margins, X, given)
            scores = margins + thresholds  # which is what the thresholds cut
        rivals = decision.kind.rivals(margins)
        weight = check_weights(sample_weight, len(true))
        return cls(true, margins > rivals, scores - rivals, thresholds, weight)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each row, 1 where none are given."""
        return np.ones(len(self.true)) if self.weight is None else self.weight

    @property
    def confusion(self) -> NDArray[np.float64]:
        """How many rows of each class (line) are given each class (column)."""
        return self.true.T.astype(np.float64) @ (self.weights[:, None] * self.flagged)
