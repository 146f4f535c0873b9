"""The squared hinge loss."""

from typing import ClassVar

from pseudolinear.learners.losses._smooth import SmoothLoss
from pseudolinear.loops._smooth import dual_point


class SquaredHinge(SmoothLoss):
    """``max(0, 1 - m)**2`` of the margin m."""

    name: ClassVar[str] = "squared_hinge"
    certain = 1.0
    curvature_jumps = True
    dual_point = staticmethod(dual_point)

    @staticmethod
    def pointwise(margin: float, cost: float) -> tuple[float, float, float]:
        """Return loss, fall and curvature."""
        h = max(1.0 - margin, 0.0)
        return cost * h * h, 2.0 * cost * h, 2.0 * cost if h > 0.0 else 0.0

    @staticmethod
    def curvature(fall: float, cost: float) -> float:
        """Return the constant of the falling branch."""
        return 2.0 * cost
