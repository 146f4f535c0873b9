"""What every loss states about itself, and the lookup by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from pseudolinear._discovery import Named
from pseudolinear.learners.solvers import Fit


class Loss(Named, ABC):
    """A loss: convex and never negative; one of the margin is falling.

    A child with a `name` can be given to :class:`LinearLearner` by that name.

    Attributes
    ----------
    scores_are_log_odds : bool
        Whether the scores that minimise the loss are log-odds, that is, give probabilities.
    takes_class_costs : bool
        Whether `solve` takes problems at once that weigh the classes of the rows differently.
    takes_start : bool
        Whether `solve` takes solutions to start from.
    takes_single : bool
        Whether `solve` takes rows of float32 as they are; others are made float64 before.
    largest : float
        Of C times the square of a number in the rows: beyond, rounding keeps `solve` from an end.
    """

    known: ClassVar[dict[str, type[Any]]] = {}
    scores_are_log_odds: ClassVar[bool] = False
    takes_class_costs: ClassVar[bool] = False
    takes_start: ClassVar[bool] = False
    takes_single: ClassVar[bool] = False
    largest: ClassVar[float] = 1e25

    @property
    @abstractmethod
    def solve(self) -> Callable[..., Fit]:
        """The solver that suits the loss, for many labels, costs and C.

        Called with ``X, Y, labels, cost_fn, cost_fp, C`` and, by name, the other parameters of
        :func:`~pseudolinear.learners.solvers.solve_smooth`.
        """


def get_loss(name: str) -> Loss:
    """Return the loss of that name."""
    if name not in Loss.known:
        raise ValueError(f"loss must be one of {', '.join(sorted(Loss.known))}, got {name!r}.")
    return Loss.known[name]()
