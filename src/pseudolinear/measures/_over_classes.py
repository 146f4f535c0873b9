"""Measures that several classes have together, as scikit-learn defines them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, kw_only=True, repr=False)
class OverClassesMeasure(Measure):
    """A measure that is one ratio of the errors of all classes, of two as of several.

    A further average is ``"multiclass"``; without an average the number of classes decides, as in
    scikit-learn.
    """

    averages: ClassVar[tuple[str, ...]] = (*Measure.averages, "multiclass")

    @abstractmethod
    def of_classes(self, prevalence: NDArray[np.float64]) -> Coefficients:
        """Give the coefficients for the profile of all classes.

        Parameters
        ----------
        prevalence : ndarray of shape (n_classes,)
            Proportion of rows of each class.

        Returns
        -------
        Coefficients
            With `gamma` and `delta` of shape (n_classes, 2).
        """

    @property
    def collapses(self) -> bool:
        """Whether one pair of errors decides the value: not of several classes."""
        return super().collapses and self.average != "multiclass"

    def for_classes(self, n_classes: int) -> Self:
        """Return the measure of all classes, if there are several and no average is given."""
        plain = self.average == "binary" and n_classes > 2
        return replace(self, average="multiclass", pos_label=None) if plain else self

    def coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Give the coefficients for whole profiles."""
        if self.average != "multiclass":
            return super().coefficients(prevalence)
        return self.of_classes(np.asarray(prevalence, dtype=np.float64))

    def pair_coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Give the coefficients for one pair; of several classes the mean ones."""
        if self.average != "multiclass":
            return super().pair_coefficients(prevalence)
        alpha0, gamma, alpha1, delta = self.coefficients(prevalence)
        return Coefficients(alpha0, gamma.mean(axis=0), alpha1, delta.mean(axis=0))
