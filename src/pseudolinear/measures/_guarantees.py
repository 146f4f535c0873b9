"""Guarantees: the constants of the theory, and levels fine enough for an accuracy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.measures._coefficients import Coefficients


class Guarantees(ABC):
    """What follows from the coefficients of a measure alone."""

    _name: str

    @abstractmethod
    def coefficients(self, prevalence: ArrayLike) -> Coefficients:
        """Give the coefficients for whole profiles."""

    @abstractmethod
    def costs(self, level: ArrayLike, prevalence: ArrayLike | None = None) -> NDArray[np.float64]:
        """Price one false negative and one false positive."""

    @abstractmethod
    def value(self, profile: ErrorProfile) -> Any:
        """Evaluate one profile or a stack of them."""

    def resolution(self, prevalence: ArrayLike) -> float:
        r"""Give the discretisation factor :math:`\Phi = 1 / \min_e (\alpha_1 + \delta e)`.

        The minimum is taken over all error profiles with this prevalence.

        Examples
        --------
        >>> FBeta().resolution(prevalence=0.25)  # 1 / (beta^2 P)
        4.0
        """
        c = self.coefficients(prevalence)
        smallest = c.alpha1 + np.minimum(c.delta * largest_errors(prevalence), 0.0).sum()
        if smallest <= 0:
            raise ValueError(
                f"{self._name}: no guarantee is possible at the prevalence {prevalence!r}; the "
                "denominator can be zero, as it is without a positive row."
            )
        return float(1.0 / smallest)

    def width(self, prevalence: ArrayLike) -> float:
        r"""Give the range :math:`W` of :math:`\langle\delta, e\rangle` over all profiles.

        Examples
        --------
        >>> FBeta().width(prevalence=0.25), Jaccard().width(prevalence=0.25)
        (1.0, 0.75)
        """
        delta = self.coefficients(prevalence).delta
        return float(np.abs(delta * largest_errors(prevalence)).sum())

    def lipschitz(self, prevalence: ArrayLike) -> float:
        r"""Give the Lipschitz constant of the costs in the level, :math:`\|\delta\|_2`.

        Examples
        --------
        >>> round(FBeta().lipschitz(prevalence=0.25), 4)
        1.4142
        """
        return float(np.linalg.norm(self.coefficients(prevalence).delta))

    def level_range(self, prevalence: ArrayLike | None = None) -> tuple[float, float]:
        """Give the range of levels around the measure's values in which no cost is negative.

        Returns
        -------
        low, high : float
            Possibly infinite.

        Examples
        --------
        >>> FBeta(2).level_range(), Jaccard().level_range()
        ((0.0, 5.0), (0.0, inf))
        """
        intercept = self.costs(0.0, prevalence)
        slope = self.costs(1.0, prevalence) - intercept
        with np.errstate(divide="ignore", invalid="ignore"):
            root = -intercept / slope
        low = float(root[slope > 0].max(initial=-np.inf))
        high = float(root[slope < 0].min(initial=np.inf))
        if (intercept[slope == 0] < 0).any() or low >= high:
            raise ValueError(
                f"{self._name}: some cost is negative at every level; a measure must fall "
                "when errors grow."
            )
        return low + 0.0, high  # + 0.0 turns -0.0 into 0.0

    def level_grid(self, accuracy: float, prevalence: ArrayLike) -> NDArray[np.float64]:
        r"""Give evenly spaced levels of which one is good enough.

        With an exact cost-sensitive oracle, the best classifier over these levels is within
        `accuracy` of the optimum: the step is :math:`2\eta / (\Phi W)`.

        Parameters
        ----------
        accuracy : float
            Wanted guarantee, in units of the measure.
        prevalence : float or array-like of shape (n_labels,)
            Proportion of rows that carry each label.

        Returns
        -------
        ndarray
            Levels between the values of all errors and of none, for F-beta (0, 1).

        Examples
        --------
        >>> FBeta().level_grid(0.25, prevalence=0.5)
        array([0.125, 0.375, 0.625, 0.875])
        """
        if not accuracy > 0:
            raise ValueError(f"{self._name}: accuracy must be positive, got {accuracy}.")
        step = 2.0 * accuracy / max(self.resolution(prevalence) * self.width(prevalence), 1e-300)
        p = np.asarray(prevalence, dtype=np.float64)
        worst = self.value(ErrorProfile(p, 1.0 - p, p))
        best = self.value(ErrorProfile(0.0 * p, 0.0 * p, p))
        n_levels = max(int(np.ceil((best - worst) / step)), 1)
        return worst + (best - worst) * (np.arange(n_levels) + 0.5) / n_levels


def largest_errors(prevalence: ArrayLike) -> NDArray[np.float64]:
    """Return the corner of the box of all profiles: shape of prevalence and (fn, fp)."""
    p = np.asarray(prevalence, dtype=np.float64)
    return np.stack([p, 1.0 - p], axis=-1)
