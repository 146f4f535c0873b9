"""Micro-averaged F over every class but one, as scikit-learn counts it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pseudolinear.measures._f_beta import FBeta
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, repr=False)
class FBetaOverLabels(FBeta):
    r"""Micro-averaged F over every class but a default one, as scikit-learn counts it.

    It is ``fbeta_score(..., labels=other_classes, average="micro")``: a row of one of the
    other classes that is given a wrong other class counts twice, as a false negative of its own
    class and as a false positive of the wrong one. The literature counts it once
    (``FBeta(average="micro", default_class=...)``), which is never lower.

    Parameters
    ----------
    beta : float, default=1.0
        Weight of recall against precision; must be positive.
    default_class : object
        The class that is left out.
    zero_division
        See :class:`Measure`.

    Examples
    --------
    >>> y_true, y_pred = ["O", "per", "loc"], ["O", "per", "per"]
    >>> FBetaOverLabels(default_class="O").score(y_true, y_pred)
    0.5
    >>> FBeta(average="micro", default_class="O").score(y_true, y_pred)
    0.667
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.default_class is None:
            raise ValueError("FBetaOverLabels: default_class is missing; name the class to ignore.")

    def binary(self) -> Measure:
        """Return F-beta for a single label."""
        return FBeta(self.beta, zero_division=self.zero_division, pos_label=self.pos_label)

    def pair_map(self, n_labels: int) -> NDArray[np.float64]:
        """Say which errors of a profile make up the pair; the default class comes first."""
        to_pair = np.zeros((2, n_labels, 2))
        to_pair[0, 1:, 0] = 1.0
        to_pair[1, 1:, 1] = 1.0
        return to_pair
