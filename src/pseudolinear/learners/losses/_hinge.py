"""The hinge loss."""

from collections.abc import Callable
from typing import ClassVar

from pseudolinear.learners.losses._loss import Loss
from pseudolinear.learners.solvers import Fit, solve_hinge


class Hinge(Loss):
    """``max(0, 1 - m)`` of the margin m."""

    name: ClassVar[str] = "hinge"
    largest: ClassVar[float] = 1e12  # margins are rounded to 1e-16, losses to C times as much

    @property
    def solve(self) -> Callable[..., Fit]:
        """The methods of support vector machines."""
        return solve_hinge
