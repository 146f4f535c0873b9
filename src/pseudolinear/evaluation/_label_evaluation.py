"""LabelEvaluation: one label with its value and its cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pseudolinear._brief import brief_repr
from pseudolinear.evaluation._label_intervals import CELLS, label_intervals, proportion_intervals
from pseudolinear.evaluation._label_values import label_values, of_one_label
from pseudolinear.evaluation._proportion import Proportion
from pseudolinear.evaluation._ratio import PRECISION, RECALL
from pseudolinear.evaluation._units import Units

Interval = tuple[float, float]


@dataclass(frozen=True)
class LabelEvaluation:
    """One label: its value, precision and recall with their intervals, and its cells.

    Attributes
    ----------
    label : object
        Name of the label or class.
    value : float
        Of the measure, for this label against the rest.
    interval, precision_interval, recall_interval : tuple of float
        Lower and upper end.
    tp, fn, fp, tn : float
        Number of rows, or their weight: true positives, false negatives, false positives, true
        negatives.

    Examples
    --------
    >>> label = evaluate([1, 1, 1, 0], [1, 1, 0, 0]).labels[0]
    >>> label.precision, round(label.recall, 3), label.positives
    (1.0, 0.667, 3.0)
    """

    label: Any
    value: float
    interval: Interval
    precision_interval: Interval
    recall_interval: Interval
    tp: float
    fn: float
    fp: float
    tn: float

    __repr__ = brief_repr

    @property
    def positives(self) -> float:
        """Rows that have the label."""
        return self.tp + self.fn

    @property
    def predicted(self) -> float:
        """Rows that are given the label."""
        return self.tp + self.fp

    @property
    def precision(self) -> float:
        """Share of the rows given the label that have it; 0 where none is given it."""
        return self.tp / self.predicted if self.predicted > 0 else 0.0

    @property
    def recall(self) -> float:
        """Share of the rows with the label that are given it; 0 where none has it."""
        return self.tp / self.positives if self.positives > 0 else 0.0

    def row(self) -> dict[str, Any]:
        """Return what a table shows of the label."""
        row = {"label": self.label, "value": self.value}
        row |= dict(zip(("low", "high"), self.interval, strict=True))
        for name in ("precision", "recall"):
            low, high = getattr(self, f"{name}_interval")
            row |= {name: getattr(self, name), f"{name}_low": low, f"{name}_high": high}
        cells = ("tp", "fn", "fp", "tn")
        return row | {cell: getattr(self, cell) for cell in cells}

    def to_dict(self) -> dict[str, Any]:
        """Return the same as JSON has it."""
        row = {key: None if value != value else value for key, value in self.row().items()}  # NaN
        return row | {"label": plain_name(self.label)}


def plain_name(name: Any) -> Any:
    """Return the name of a label as JSON has it."""
    return name if isinstance(name, str | int | float | bool) or name is None else str(name)


def evaluate_labels(
    names: Sequence[Any], objective: Any, units: Units, error: float, *, exact: bool
) -> tuple[LabelEvaluation, ...]:
    """Evaluate every label alone, all at once."""
    one, cells = of_one_label(objective), units.cells
    intervals = [label_intervals(one, units, error, exact=exact)]
    for ratio in (PRECISION, RECALL):
        share = Proportion.of(ratio, CELLS)
        assert share is not None  # of a hit and a miss
        intervals.append(proportion_intervals(share, units, error, exact=exact))
    columns = [map(tuple, ends.tolist()) for ends in intervals]
    values = label_values(one, cells).tolist()
    return tuple(
        LabelEvaluation(name, value, *ends, *own)
        for name, value, *ends, own in zip(names, values, *columns, cells.tolist(), strict=True)
    )
