"""GroupThresholds: the policy of thresholds per group."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._draws import row_draws
from pseudolinear._groups import list_values
from pseudolinear._policy import Policy
from pseudolinear._validation import column_of
from pseudolinear.thresholds import GroupCut


@dataclass(frozen=True, eq=False)
class GroupThresholds(Policy):
    """Cuts each row at the threshold of its group.

    Where thresholds of a group take turns, a hash of the row draws among them, so that a row is
    decided alike in every batch. A group that was not among those that the thresholds were chosen
    on is cut where all rows were before, and a warning says so.

    Attributes
    ----------
    column : str or int
        Which column of the rows tells the group: its name, or of an array its position.
    cut : GroupCut
        Thresholds of the groups, of the score less the threshold of the decision.
    seed : int
        Of the draws.
    """

    column: str | int
    cut: GroupCut
    seed: int = 0

    def apply(self, margins: NDArray[np.float64], X: Any) -> NDArray[np.float64]:
        """Subtract the threshold of each row's group."""
        values = list_values(column_of(X, self.column, type(self).__name__))
        place = {group.group: k for k, group in enumerate(self.cut.groups)}
        codes = np.array([place.get(value, -1) for value in values])
        self._warn([value for value, code in zip(values, codes, strict=True) if code < 0])
        draws = row_draws(X, self.seed) if self.cut.randomised else np.zeros(len(codes))
        thresholds = np.zeros(len(codes))
        for k, group in enumerate(self.cut.groups):
            thresholds[codes == k] = group.at(draws[codes == k])
        return margins - thresholds[:, None]

    def _warn(self, unknown: list[Any]) -> None:
        if unknown:
            warnings.warn(
                f"No threshold was chosen for the group of {len(unknown)} rows, such as "
                f"{unknown[0]!r} in {self.column!r}; they are cut where all rows were before.",
                stacklevel=2,
            )

    def __str__(self) -> str:
        """Say what is bounded, and what that reached."""
        cut = self.cut
        drawn = ", some drawn row by row" if cut.randomised else ""
        return (
            f"one threshold per group of {self.column!r}{drawn}: {' and '.join(cut.rates)} within "
            f"{cut.within:g}, {cut.value:.4f} where they were chosen"
        )
