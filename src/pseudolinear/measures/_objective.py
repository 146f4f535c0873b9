"""Objectives: what a threshold can be chosen for, besides ratios."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from pseudolinear._discovery import Named
from pseudolinear.errors import ErrorCurve, ErrorProfile, Outcomes
from pseudolinear.measures._f_beta import FBeta
from pseudolinear.measures._measure import Measure


class Objective(Named, ABC):
    """What a threshold can be chosen for, besides ratios: a constraint, or another function.

    One of your own is a child with these two methods: :func:`best_threshold`,
    :class:`MeasureClassifier` and its `retarget` take it; with a `name`, by that name as well.

    Examples
    --------
    >>> class Everything(Objective):
    ...     def choose(self, curve):
    ...         return len(curve) - 1, 1.0
    ...
    ...     def value(self, profile):
    ...         return 1.0
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], Everything()).profile.fn
    array([0.])
    """

    known: ClassVar[dict[str, type[Any]]] = {}

    def training_measure(self, average: str) -> Measure:
        """Return the measure whose costs learners are trained with: F1, whose levels try them all.

        Parameters
        ----------
        average : {"binary", "macro"}
            One label, or several, each on its own.

        Returns
        -------
        Measure
            What is swept; among what it gives, the objective chooses.
        """
        return FBeta(average=average)

    @abstractmethod
    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the best cut of a label and its value."""

    @abstractmethod
    def value(self, profile: ErrorProfile) -> float:
        """Return what is reported of given errors: larger is better, a mean over the labels."""

    def in_words(self, n_labels: int = 1) -> str:
        """Say what its value is, in a few words.

        Parameters
        ----------
        n_labels : int, default=1
            Number of labels.

        Returns
        -------
        str
            How it was made, unless a child says more.
        """
        return repr(self).removesuffix("()")

    def broken(self, profile: ErrorProfile, names: Sequence[Any] = ()) -> str:
        """Say in a sentence how given errors break the constraint.

        Parameters
        ----------
        profile : ErrorProfile
            Of rows that did not choose the threshold.
        names : sequence, default=()
            Of the labels.

        Returns
        -------
        str
            Empty where it is kept, where there is none, and where these errors do not tell.
        """
        return ""

    def of_outcomes(self, outcomes: Outcomes, sample_weight: ArrayLike | None = None) -> float:
        """Return what is reported of outcomes."""
        return self.value(outcomes.profile(sample_weight))
