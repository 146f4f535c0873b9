"""The squared hinge loss."""

from typing import ClassVar

import numpy as np

from pseudolinear.learners.losses._smooth import SmoothLoss
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._mixtures import squared_hinge_moments
from pseudolinear.loops._smooth import dual_point

ROUNDING = 1e-12  # of the determinant of two dual points that are nearly one


class SquaredHinge(SmoothLoss):
    """``max(0, 1 - m)**2`` of the margin m."""

    name: ClassVar[str] = "squared_hinge"
    certain = 1.0
    curvature_jumps = True
    mixes = True
    dual_point = staticmethod(dual_point)

    @staticmethod
    def pointwise(margin: float, cost: float) -> tuple[float, float, float]:
        """Return loss, fall and curvature."""
        h = 1.0 - margin if margin < 1.0 else 0.0
        return cost * h * h, 2.0 * cost * h, 2.0 * cost if h > 0.0 else 0.0

    @staticmethod
    def curvature(fall: float, cost: float) -> float:
        """Return the constant of the falling branch."""
        return 2.0 * cost

    def mixture_bound(
        self,
        one: np.ndarray,
        other: np.ndarray,
        cost: np.ndarray,
        share: np.ndarray,
        square: np.ndarray,
    ) -> float:
        """Return the best value of all mixtures: dual points need only be positive.

        The dual is ``sum(alpha) - sum(alpha^2 / (4 cost)) - |sum(alpha y x)|^2 / 2``.
        """
        moments = np.empty(5)
        squared_hinge_moments(one, other, cost, moments)
        a, b, aa, ab, bb = moments.tolist()
        aa, ab, bb = aa + square[0, 0], ab + square[0, 1], bb + square[1, 1]
        alone = max(a * a / max(2.0 * aa, TINY), b * b / max(2.0 * bb, TINY))
        first, second, area = a * bb - b * ab, b * aa - a * ab, aa * bb - ab * ab
        if first < 0.0 or second < 0.0 or area <= ROUNDING * aa * bb:
            return alone
        return max(alone, (a * first + b * second) / (2.0 * area))
