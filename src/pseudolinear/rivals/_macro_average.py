"""MacroAverage: a measure of labels as one of the confusion matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import Measure


@dataclass(frozen=True)
class MacroAverage:
    """A macro or weighted average over the classes of a single-label problem; not concave.

    Parameters
    ----------
    measure : Measure
        With ``average="macro"`` or ``"weighted"``.
    """

    measure: Measure
    concave: ClassVar[bool] = False

    def value(self, confusion: NDArray[np.float64]) -> Any:
        """Evaluate matrices of shape (..., n_classes, n_classes)."""
        return self.measure.value(_profile(confusion))

    def gradient(self, confusion: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differentiate at one matrix: one false negative and one false positive at a time."""
        profile, binary = _profile(confusion), self.measure.binary()
        fn, fp, prevalence = profile.fn, profile.fp, profile.prevalence
        columns = zip(fn, fp, prevalence, strict=True)
        values = np.array([binary.value(ErrorProfile(*column)) for column in columns])
        _, _, alpha1, delta = self.measure.of_pair(prevalence, 1.0 - prevalence)
        denominator = alpha1 + delta[..., 0] * fn + delta[..., 1] * fp
        weights = self.measure.label_weights(prevalence)
        share = weights / weights.sum() / np.where(denominator > 0, denominator, np.inf)
        costs = self.measure.costs(values, prevalence) * share[:, None]
        gradient = np.tile(-costs[:, 1], (len(fn), 1))
        np.fill_diagonal(gradient, costs[:, 0])
        return gradient


def _profile(confusion: NDArray[np.float64]) -> ErrorProfile:
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    prevalence = confusion.reshape(-1, *confusion.shape[-2:])[0].sum(axis=1)
    fn = np.maximum(confusion.sum(axis=-1) - right, 0.0)
    fp = np.maximum(confusion.sum(axis=-2) - right, 0.0)
    return ErrorProfile(fn, fp, prevalence)
