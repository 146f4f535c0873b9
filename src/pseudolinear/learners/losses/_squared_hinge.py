"""The squared hinge loss."""

from typing import ClassVar

import numpy as np

from pseudolinear.learners.losses._smooth import SmoothLoss
from pseudolinear.loops._constants import TINY
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

    def mixture_bounds(
        self,
        one: np.ndarray,
        other: np.ndarray,
        cost: np.ndarray,
        share: np.ndarray,
        square: np.ndarray,
    ) -> np.ndarray:
        """Return the best values of all mixtures: dual points need only be positive.

        The dual is ``sum(alpha) - sum(alpha^2 / (4 cost)) - |sum(alpha y x)|^2 / 2``.
        """
        half = np.divide(0.5, cost, out=np.zeros_like(cost), where=cost > 0.0)
        (a, b), moments = (np.where(half > 0.0, part, 0.0).sum(axis=1) for part in (one, other)), []
        for left, right in ((one, one), (one, other), (other, other)):
            moments.append(np.einsum("kn,kn,kn->k", left, right, half))
        aa, ab, bb = np.array(moments) + square[:, [0, 0, 1], [0, 1, 1]].T
        alone = np.maximum(a * a / np.maximum(2.0 * aa, TINY), b * b / np.maximum(2.0 * bb, TINY))
        first, second, area = a * bb - b * ab, b * aa - a * ab, aa * bb - ab * ab
        both = (first >= 0.0) & (second >= 0.0) & (area > ROUNDING * aa * bb)
        mixed = (a * first + b * second) / np.where(both, 2.0 * area, 1.0)
        return np.where(both, np.maximum(alone, mixed), alone)
