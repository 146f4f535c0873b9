"""What every loss states about itself, and the lookup by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

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

    @abstractmethod
    def solve(
        self,
        X: Any,
        Y: np.ndarray,
        labels: np.ndarray,
        cost_fn: np.ndarray,
        cost_fp: np.ndarray,
        C: np.ndarray,
        sample_weight: np.ndarray | None = None,
        **options: Any,
    ) -> Fit:
        """Minimise the loss, by the solver that suits it, for many labels, costs and C.

        Parameters and results are those of :func:`~pseudolinear.learners.solvers.solve_smooth`.
        """


def get_loss(name: str) -> Loss:
    """Return the loss of that name."""
    if name not in LOSSES:
        raise ValueError(f"loss must be one of {', '.join(LOSSES)}, got {name!r}.")
    return LOSSES[name]()
