"""What predictions for rows in parts are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.scale._part import Part
from pseudolinear.scale._reading import part_weight


@dataclass(frozen=True, eq=False)
class LabelSums:
    """Weight of rows by truth and prediction; sums over other rows can be added.

    Attributes
    ----------
    fn, fp, positive : ndarray of shape (n_labels,)
        Missed positives, false alarms and positives.
    mass : float
        All rows.
    """

    fn: NDArray[np.float64]
    fp: NDArray[np.float64]
    positive: NDArray[np.float64]
    mass: float

    def __add__(self, other: LabelSums) -> LabelSums:
        """Add the sums over other rows."""
        return LabelSums(
            self.fn + other.fn,
            self.fp + other.fp,
            self.positive + other.positive,
            self.mass + other.mass,
        )

    def profile(self) -> ErrorProfile:
        """Return the errors as proportions."""
        return ErrorProfile(self.fn / self.mass, self.fp / self.mass, self.positive / self.mass)


def sum_labels(part: Part, clf: Any) -> LabelSums:
    """Predict the rows of a part, and compare."""
    kind = clf.decision_.kind
    outcomes = kind.outcomes(part.y, clf._predict(part.X), clf._objective)
    true, predicted, weight = outcomes.true, outcomes.predicted, part_weight(part)
    return LabelSums(
        weight @ (true & ~predicted),
        weight @ (predicted & ~true),
        weight @ true,
        float(weight.sum()),
    )
