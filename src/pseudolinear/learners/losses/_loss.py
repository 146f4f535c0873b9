"""What every loss states about itself, and the lookup by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from pseudolinear.learners.solvers import Fit

LOSSES: dict[str, type[Loss]] = {}


class Loss(ABC):
    """A loss of the margin: convex, never negative, and falling.

    A child enters ``LOSSES`` under the name in its header,
    ``class Logistic(SmoothLoss, name="logistic")``; without a name it is a base of others.

    Attributes
    ----------
    scores_are_log_odds : bool
        Whether the scores that minimise the loss are log-odds, that is, give probabilities.
    """

    scores_are_log_odds: ClassVar[bool] = False

    def __init_subclass__(cls, name: str | None = None) -> None:
        if name is not None:
            LOSSES[name] = cls

    @property
    @abstractmethod
    def solve(self) -> Callable[..., Fit]:
        """The solver that suits the loss, for many labels, costs and C.

        Called with ``X, Y, labels, cost_fn, cost_fp, C`` and, by name, the other parameters of
        :func:`~pseudolinear.learners.solvers.solve_smooth`.
        """


def get_loss(name: str) -> Loss:
    """Return the loss of that name."""
    if name not in LOSSES:
        raise ValueError(f"loss must be one of {', '.join(LOSSES)}, got {name!r}.")
    return LOSSES[name]()
