"""CostPolicy: decisions that depend on what the row at hand costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._policy import Policy
from pseudolinear.measures._expected_cost import ExpectedCost


@dataclass(frozen=True)
class CostPolicy(Policy):
    """Adds what is at stake in a row to its margin, which are log-odds (Elkan 2001).

    Attributes
    ----------
    measure : ExpectedCost
        With the names of the columns that hold costs.
    """

    measure: ExpectedCost

    def __str__(self) -> str:
        return "adds what is at stake in each row to its log-odds"

    def apply(self, margins: NDArray[np.float64], X: Any) -> NDArray[np.float64]:
        """Move margins: see :meth:`RowCosts.move`."""
        return self.measure.on(X).rows(len(margins)).move(margins)
