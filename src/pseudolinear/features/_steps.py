"""Lifted numbers: whether they exceed each of some quantiles."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear.blocks import Blocks, Steps
from pseudolinear.features._table import Table
from pseudolinear.features._view import View, Views

STEPS = 16  # of a number


class StepsView(View):
    """Every number as steps at quantiles, so that a linear model takes any shape, and the rest."""

    name = "steps"

    def fit(
        self, table: Table, views: Views, weight: NDArray[np.float64] | None, seed: int
    ) -> Self:
        """Learn the quantiles; see :class:`View`."""
        shares = np.arange(1, STEPS + 1) / (STEPS + 1)
        X = views("numbers")
        columns = [] if sparse.issparse(X) else X.T
        found = [_between(column, weight, shares) for column in columns]
        self.lifted = np.flatnonzero([len(own) > 0 for own in found])
        self.thresholds = [found[number] for number in self.lifted]
        views.fitted("coded")
        return self

    def origins_of_steps(self) -> NDArray[np.intp]:
        """Say of which number each step is made."""
        return np.repeat(self.lifted, [len(own) for own in self.thresholds])

    def transform(self, table: Table, views: Views) -> Any:
        """Return steps and blocks; see :class:`View`."""
        rest = views("coded")
        if not len(self.lifted):
            return rest
        steps = Steps.of(views("numbers")[:, self.lifted], self.thresholds)
        return Blocks([*(rest.blocks if isinstance(rest, Blocks) else [rest]), steps])


def _between(
    column: NDArray[np.float64], weight: NDArray[np.float64] | None, shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return quantiles, half-way to the next value, where rounding does not matter.

    Of two values there are none, as the number does as well.
    """
    values, which = np.unique(column, return_inverse=True)
    if len(values) <= 2:
        return values[:0]
    mass = np.cumsum(np.bincount(which.ravel(), weight))
    places = np.searchsorted(mass, shares * mass[-1])
    places = np.unique(np.minimum(places, len(values) - 2))
    return (values[places] + values[places + 1]) / 2
