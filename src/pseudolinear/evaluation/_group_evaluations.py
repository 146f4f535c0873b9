"""GroupEvaluations: a measure and rates of every group, and the largest gaps."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from pseudolinear._brief import brief_repr
from pseudolinear._tables import aligned, as_frame, html_table
from pseudolinear.evaluation._gap import Gap
from pseudolinear.evaluation._label_evaluation import Interval, plain_name

if TYPE_CHECKING:
    import pandas as pd

    from pseudolinear.evaluation._evaluation import Evaluation


@dataclass(frozen=True)
class Rate:
    """A share of some rows; NaN where there is none of them."""

    value: float
    interval: Interval

    __repr__ = brief_repr


@dataclass(frozen=True, eq=False)
class GroupEvaluation:
    """One group: its evaluation, and the rates that groups are compared by.

    Attributes
    ----------
    group : object
        Its value in the column of groups.
    evaluation : Evaluation
        Of its rows alone, at the confidence at which those of all groups hold together.
    rates : dict
        Of one label, the :class:`Rate` of ``"recall"``, ``"false_positive_rate"`` and
        ``"selection_rate"``; of several labels none.

    Examples
    --------
    >>> found = evaluate([1, 0, 1, 0] * 9, [1, 0, 0, 0] * 9, by=["a", "a", "b", "b"] * 9)
    >>> one, other = found.by.groups
    >>> one.rates["recall"].value, other.rates["recall"].value
    (1.0, 0.0)
    """

    group: Any
    evaluation: Evaluation
    rates: dict[str, Rate]

    __repr__ = brief_repr

    def row(self) -> dict[str, Any]:
        """Return what a table shows of the group."""
        found = self.evaluation
        row = {"group": self.group, "n_rows": found.n_rows, "value": found.value}
        row |= dict(zip(("low", "high"), found.interval, strict=True))
        for name, rate in self.rates.items():
            low, high = rate.interval
            row |= {name: rate.value, f"{name}_low": low, f"{name}_high": high}
        return row

    def to_dict(self) -> dict[str, Any]:
        """Return the same as JSON has it."""
        row = {key: None if value != value else value for key, value in self.row().items()}  # NaN
        return row | {"group": plain_name(self.group)}


@dataclass(frozen=True, eq=False)
class GroupEvaluations:
    """A measure and rates of every group, and the largest gaps between two of them.

    Intervals of the groups hold together at the confidence: each alone holds more often. So does
    that of every gap, whichever two groups it is between.

    Attributes
    ----------
    by : str
        What tells the groups apart.
    measure : str
        What was evaluated.
    confidence : float
        How often all intervals of a column hold, and how often that of a gap does.
    groups : tuple of GroupEvaluation
        In the order of their names.
    gaps : tuple of Gap
        Of the measure and, of one label, of each rate that two groups have.

    Examples
    --------
    >>> y_true, y_pred = [1, 1, 0, 0] * 40, [1, 0, 0, 1] * 40
    >>> sex = ["f", "m", "f", "m"] * 40
    >>> print(evaluate(y_true, y_pred, "accuracy", by=sex).by)
    by group (intervals of all groups hold together)
    group  rows  value  low    high   recall  false_positive_rate  selection_rate
    f      80    1.000  0.941  1.000  1.000   0.000                0.500
    m      80    0.000  0.000  0.059  0.000   1.000                0.500
    accuracy: largest gap 1.000, 0.935 to 1.000, f above m
    recall: largest gap 1.000, 0.876 to 1.000, f above m
    false_positive_rate: largest gap 1.000, 0.876 to 1.000, m above f
    selection_rate: largest gap 0.000, 0.000 to 0.151, f above m
    """

    by: str
    measure: str
    confidence: float
    groups: tuple[GroupEvaluation, ...]
    gaps: tuple[Gap, ...]

    @property
    def gap(self) -> Gap | None:
        """The largest gap of the measure; None unless two groups have a value."""
        return next((gap for gap in self.gaps if gap.of == self.measure), None)

    def __getitem__(self, group: Any) -> Evaluation:
        """Return the evaluation of a group."""
        return {one.group: one.evaluation for one in self.groups}[group]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers, texts, lists and dicts, as JSON has them."""
        return {
            "by": self.by,
            "groups": [group.to_dict() for group in self.groups],
            "gaps": [gap.to_dict() for gap in self.gaps],
        }

    def frame(self) -> pd.DataFrame:
        """Return one row per group; needs pandas."""
        return as_frame([group.row() for group in self.groups])

    def table(self) -> list[tuple[str, ...]]:
        """Return what is shown of the groups, below a head."""
        rates = tuple(self.groups[0].rates)
        return [("group", "rows", "value", "low", "high", *rates), *map(_cells, self.groups)]

    def __repr__(self) -> str:
        return f"<GroupEvaluations: {self.measure} of {len(self.groups)} groups by {self.by}>"

    def __str__(self) -> str:
        """Write a line per group and a line per gap."""
        return "\n".join([self._headline(), *aligned(self.table()), *map(str, self.gaps)])

    def _repr_html_(self) -> str:
        """Show the same as a small table."""
        gaps = "<br>".join(escape(str(gap)) for gap in self.gaps)
        return f"{html_table(self._headline(), self.table())}<p>{gaps}</p>"

    def _headline(self) -> str:
        return f"by {self.by} (intervals of all groups hold together)"


def _cells(group: GroupEvaluation) -> tuple[str, ...]:
    found = group.evaluation
    numbers = (found.value, *found.interval, *(rate.value for rate in group.rates.values()))
    return str(group.group), str(found.n_rows), *(f"{x:.3f}" for x in numbers)
