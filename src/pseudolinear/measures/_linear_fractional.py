"""Any ratio with given coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._measure import Measure


@dataclass(frozen=True, repr=False)
class LinearFractional(Measure):
    r"""Any ratio :math:`(\alpha_0 + \gamma e) / (\alpha_1 + \delta e)` with given coefficients.

    Parameters
    ----------
    alpha0 : float
        Constant of the numerator.
    gamma : sequence of 2 or 2 * n_labels floats
        Factors of (fn, fp), or of (fn_1, fp_1, fn_2, fp_2, ...), in the numerator.
    alpha1 : float
        Constant of the denominator.
    delta : sequence of 2 or 2 * n_labels floats
        Factors in the denominator, in the same order.
    average, zero_division, pos_label
        See :class:`Measure`. Factors for several labels make `average` ``"micro"``.

    Examples
    --------
    F1 at the prevalence 0.3:

    >>> measure = LinearFractional(0.6, [-2, 0], 0.6, [-1, 1])
    >>> measure.costs(0.5)
    array([1.5, 0.5])
    """

    alpha0: float
    gamma: Sequence[float]
    alpha1: float
    delta: Sequence[float]

    def __post_init__(self) -> None:
        for name in ("gamma", "delta"):  # tuples, so that equal measures are equal and hashable
            factors = np.asarray(getattr(self, name), dtype=np.float64).ravel()
            object.__setattr__(self, name, tuple(factors.tolist()))
        size = len(self.gamma)
        if size != len(self.delta) or size == 0 or size % 2:
            raise ValueError(
                f"LinearFractional: gamma and delta need two factors per label, got {size} and "
                f"{len(self.delta)}."
            )
        rows = np.array([[self.alpha0, *self.gamma], [self.alpha1, *self.delta]])
        if not np.isfinite(rows).all():
            raise ValueError("LinearFractional: the coefficients must be finite.")
        if np.linalg.matrix_rank(rows) < 2:
            raise ValueError(
                "LinearFractional: the measure is constant, because (alpha0, gamma) is "
                "proportional to (alpha1, delta)."
            )
        if size > 2 and self.average == "binary":
            object.__setattr__(self, "average", "micro")
        super().__post_init__()

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Return the given coefficients."""
        if len(self.gamma) > 2:
            raise ValueError(
                f"LinearFractional: the factors are for {len(self.gamma) // 2} labels, not for one."
            )
        return Coefficients(self.alpha0, np.array(self.gamma), self.alpha1, np.array(self.delta))

    @property
    def collapses(self) -> bool:
        """Whether one pair of errors decides the value: not with factors for several labels."""
        return super().collapses and len(self.gamma) == 2

    def pair_coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Return the given coefficients; of several labels the mean ones."""
        if len(self.gamma) == 2:
            return super().pair_coefficients(prevalence)
        gamma, delta = (np.reshape(f, (-1, 2)).mean(axis=0) for f in (self.gamma, self.delta))
        return Coefficients(self.alpha0, gamma, self.alpha1, delta)

    def coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Return the given coefficients, one row per label."""
        if len(self.gamma) == 2:
            return super().coefficients(prevalence)
        n_labels = np.size(prevalence)
        if len(self.gamma) != 2 * n_labels:
            raise ValueError(
                f"LinearFractional: the factors are for {len(self.gamma) // 2} labels, "
                f"got {n_labels}."
            )
        gamma, delta = (np.reshape(f, (n_labels, 2)) for f in (self.gamma, self.delta))
        return Coefficients(self.alpha0, gamma, self.alpha1, delta)
