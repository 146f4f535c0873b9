"""Gap: the largest difference between two groups, with an interval for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.evaluation._label_evaluation import Interval, plain_name


@dataclass(frozen=True)
class Gap:
    """The largest difference between two groups.

    Attributes
    ----------
    of : str
        What differs: the measure, or a rate.
    value : float
        The largest difference on these rows. That of many small groups is mostly chance, and more
        than on all rows like these; the interval accounts for it.
    interval : tuple of float
        Where the largest difference on all rows like these lies.
    largest, smallest : object
        The two groups.
    left_out : tuple
        Groups of which the rows say nothing, as of recall where there are no positives.

    Examples
    --------
    >>> y_true, sex = [1, 1, 0, 0] * 40, ["f", "m"] * 80
    >>> y_pred = [1, 0, 0, 0] * 40
    >>> print(evaluate(y_true, y_pred, "f1", by=sex).by.gap)
    f1: largest gap 1.000, 0.832 to 1.000, f above m
    """

    of: str
    value: float
    interval: Interval
    largest: Any
    smallest: Any
    left_out: tuple[Any, ...] = ()

    __repr__ = brief_repr

    def row(self) -> dict[str, Any]:
        """Return what a table shows of it."""
        row = {"of": self.of, "value": self.value}
        row |= dict(zip(("low", "high"), self.interval, strict=True))
        return row | {"largest": self.largest, "smallest": self.smallest}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        names = {name: plain_name(getattr(self, name)) for name in ("largest", "smallest")}
        return self.row() | names | {"left_out": [plain_name(one) for one in self.left_out]}

    def __str__(self) -> str:
        """Say how large it is, and between whom."""
        low, high = self.interval
        text = (
            f"{self.of}: largest gap {self.value:.3f}, {low:.3f} to {high:.3f}, "
            f"{self.largest} above {self.smallest}"
        )
        left_out = ", ".join(map(str, self.left_out))
        return f"{text} (nothing is known of {left_out})" if left_out else text


def pairs_of(n_groups: int) -> int:
    """Return the number of pairs of groups."""
    return max(n_groups * (n_groups - 1) // 2, 1)


def largest_gap(
    of: str,
    names: Sequence[Any],
    values: NDArray[np.float64],
    ends: NDArray[np.float64],
    *,
    independent: bool,
) -> Gap | None:
    """Find the largest difference between two groups and its interval; None of one group.

    Which two differ most is seen on the same rows. So the interval is made of those of all
    differences together: if each holds its difference, the largest lies between the largest of
    their lower and of their upper ends.

    Parameters
    ----------
    of : str
        What differs.
    names : sequence
        Of the groups.
    values : ndarray of shape (n_groups,)
        NaN where the rows say nothing.
    ends : ndarray of shape (n_groups, 2)
        Interval of each value: if `independent`, at the error of one pair, else of one group.
    independent : bool
        Whether rows of different groups are independent. Then the distances of two values from
        their ends add up as squares do (Zou and Donner 2008), otherwise as they are.

    Returns
    -------
    Gap or None
        With its interval.
    """
    known = np.flatnonzero(~np.isnan(values))
    if len(known) < 2:
        return None
    value, below, above = values[known], *(values[known] - ends[known].T)
    add = np.hypot if independent else np.add
    differences = value[:, None] - value
    other = ~np.eye(len(known), dtype=bool)
    low = (differences - add(below[:, None], -above))[other].max()
    high = (differences + add(-above[:, None], below))[other].max()
    falling = known[np.argsort(-value, kind="stable")].tolist()
    return Gap(
        of,
        float(np.ptp(value)),
        (max(float(low), 0.0), float(high)),
        names[falling[0]],
        names[falling[-1]],
        tuple(names[k] for k in np.flatnonzero(np.isnan(values)).tolist()),
    )
