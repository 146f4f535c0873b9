"""GroupCut: thresholds per group with what they give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._digits import in_percent
from pseudolinear._tables import aligned, as_frame
from pseudolinear.errors import ErrorProfile

if TYPE_CHECKING:
    import pandas as pd

RATES = ("recall", "false_positive_rate", "selection_rate")


@dataclass(frozen=True)
class GroupThreshold:
    """How the rows of one group are cut.

    Attributes
    ----------
    group : object
        Its value in the column of groups.
    thresholds : tuple of float
        Rows with at least this score are predicted positive; descending. Mostly one.
    probabilities : tuple of float
        Of several thresholds, how often each is used.
    tp, fn, fp, tn : float
        Shares of all rows, as expected over the draws: true positives, false negatives, false
        positives, true negatives.

    Examples
    --------
    >>> y, score, sex = [0, 1, 1, 0, 1, 1], [0.2, 0.6, 0.9, 0.1, 0.3, 0.4], list("mmmfff")
    >>> women, men = best_group_thresholds(y, score, sex, within=0.0).groups
    >>> women.thresholds, women.recall, round(women.selection_rate, 3)
    ((0.2,), 1.0, 0.667)
    """

    group: Any
    thresholds: tuple[float, ...]
    probabilities: tuple[float, ...]
    tp: float
    fn: float
    fp: float
    tn: float

    @property
    def randomised(self) -> bool:
        """Whether several thresholds take turns."""
        return len(self.thresholds) > 1

    @property
    def share(self) -> float:
        """Share of all rows."""
        return self.tp + self.fn + self.fp + self.tn

    @property
    def recall(self) -> float:
        """Share of the positives that are found; NaN without positives."""
        return _share(self.tp, self.fn)

    @property
    def false_positive_rate(self) -> float:
        """Share of the negatives that are predicted positive; NaN without negatives."""
        return _share(self.fp, self.tn)

    @property
    def selection_rate(self) -> float:
        """Share of the rows that are predicted positive."""
        return _share(self.tp + self.fp, self.fn + self.tn)

    def at(self, draws: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the threshold of each row by a draw between 0 and 1."""
        places = np.searchsorted(np.cumsum(self.probabilities)[:-1], draws, side="right")
        return np.array(self.thresholds)[places]

    def __str__(self) -> str:
        """Say the threshold, or which ones take turns."""
        if not self.randomised:
            return f"{self.thresholds[0]:.4g}"
        pairs = zip(self.thresholds, self.probabilities, strict=True)
        return " or ".join(f"{threshold:.4g} ({in_percent(p, 1)})" for threshold, p in pairs)


@dataclass(frozen=True, eq=False)
class GroupCut:
    """Thresholds per group with what they give.

    Attributes
    ----------
    measure : str
        What was maximised.
    value : float
        What it is over all groups together, as expected over the draws.
    profile : ErrorProfile
        The errors of all groups together.
    groups : tuple of GroupThreshold
        In the order of their names.
    rates : tuple of str
        Whose differences between groups are bounded.
    within : float
        The bound.

    Examples
    --------
    >>> y, score, sex = [0, 1, 1, 0, 1, 1], [0.2, 0.6, 0.9, 0.1, 0.3, 0.4], list("mmmfff")
    >>> print(best_group_thresholds(y, score, sex, within=0.0))
    F1 1.000 with recall within 0 between groups
    group  threshold  recall  false_positive_rate  selection_rate
    f      0.2        1.000   0.000                0.667
    m      0.4        1.000   0.000                0.667
    """

    measure: str
    value: float
    profile: ErrorProfile
    groups: tuple[GroupThreshold, ...]
    rates: tuple[str, ...]
    within: float

    @property
    def randomised(self) -> bool:
        """Whether a group has several thresholds that take turns."""
        return any(group.randomised for group in self.groups)

    def gap(self, rate: str) -> float:
        """Return the largest difference of a rate between two groups that have one."""
        values = [getattr(group, rate) for group in self.groups]
        return float(np.nanmax(values) - np.nanmin(values))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers, texts, lists and dicts, as JSON has them."""
        return {
            "measure": self.measure,
            "value": self.value,
            "rates": list(self.rates),
            "within": self.within,
            "randomised": self.randomised,
            "groups": [
                {name: None if value != value else value for name, value in row.items()}
                for row in map(_row, self.groups)
            ],
        }

    def frame(self) -> pd.DataFrame:
        """Return one row per group; needs pandas."""
        return as_frame([_row(group) for group in self.groups])

    def __repr__(self) -> str:
        return (
            f"<GroupCut: {self.measure} {self.value:.4f}, {len(self.groups)} groups, "
            f"{_listed(self.rates)} within {self.within:g}>"
        )

    def __str__(self) -> str:
        """Say the value and the bound, above a line per group; say where draws decide."""
        bounded = f"{_listed(self.rates)} within {self.within:g} between groups"
        lines = aligned([("group", "threshold", *RATES), *map(_cells, self.groups)])
        if drawn := [str(group.group) for group in self.groups if group.randomised]:
            lines.append(f"Thresholds are drawn row by row in {_listed(drawn)}.")
        return "\n".join([f"{self.measure} {self.value:.3f} with {bounded}", *lines])


def _share(part: float, rest: float) -> float:
    return part / (part + rest) if part + rest > 0 else np.nan


def _listed(names: Any) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _cells(group: GroupThreshold) -> tuple[str, ...]:
    return str(group.group), str(group), *(f"{getattr(group, rate):.3f}" for rate in RATES)


def _row(group: GroupThreshold) -> dict[str, Any]:
    row = {
        "group": group.group,
        "share": group.share,
        "thresholds": list(group.thresholds),
        "probabilities": list(group.probabilities),
    }
    return row | {rate: getattr(group, rate) for rate in RATES}
