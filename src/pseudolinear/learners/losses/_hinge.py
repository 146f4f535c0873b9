"""The hinge loss."""

from typing import Any

from pseudolinear.learners.losses._loss import Loss
from pseudolinear.learners.solvers import Fit, solve_hinge


class Hinge(Loss, name="hinge"):
    """``max(0, 1 - m)`` of the margin m."""

    def solve(self, *problems: Any, **options: Any) -> Fit:
        """Minimise by :func:`~pseudolinear.learners.solvers.solve_hinge`."""
        return solve_hinge(*problems, **options)
