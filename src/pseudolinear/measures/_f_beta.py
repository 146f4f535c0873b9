"""F-beta: the weighted harmonic mean of precision and recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pseudolinear.measures._checks import check_positive
from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._default_class import DefaultClassMeasure


@dataclass(frozen=True, repr=False)
class FBeta(DefaultClassMeasure):
    r"""Weighted harmonic mean of precision and recall.

    .. math:: F_\beta = \frac{(1+\beta^2)(P - fn)}{(1+\beta^2) P - fn + fp}

    Parameters
    ----------
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    default_class : object, default=None
        Multiclass problems: the class that means "nothing of interest", as in information
        extraction. A row of another class that is given a wrong other class counts once, as a
        false negative. For scikit-learn's definition see :class:`FBetaOverLabels`.
    average, zero_division, pos_label
        See :class:`Measure`.

    Examples
    --------
    >>> FBeta(2.0).costs(0.5)
    array([4.5, 0.5])
    >>> FBeta(average="micro").score([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.8
    """

    beta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "beta")

    @property
    def _stem(self) -> str:
        """The name of :func:`get_measure` without an average."""
        return f"f{self.beta:g}"

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        scale = 1.0 + self.beta**2
        return Coefficients(
            scale * positives, np.array([-scale, 0.0]), scale * positives, np.array([-1.0, 1.0])
        )
