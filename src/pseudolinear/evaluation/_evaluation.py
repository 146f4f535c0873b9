"""Evaluation: a value with its interval, of all labels together and of each."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._digits import in_digits
from pseudolinear._tables import aligned, as_frame, html_table
from pseudolinear.evaluation._group_evaluations import GroupEvaluations
from pseudolinear.evaluation._label_evaluation import Interval, LabelEvaluation, plain_name

if TYPE_CHECKING:
    import pandas as pd

MOST_SHOWN = 20  # labels, in print


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A measure with its interval, of all labels together and of each.

    Attributes
    ----------
    measure : str
        What was evaluated.
    value : float
        On these rows.
    interval : tuple of float
        Lower and upper end: where the value on all rows like these lies.
    confidence : float
        How often such an interval holds it.
    method : str
        How the interval was found.
    assumption : str
        What that rests on, in one sentence.
    n_rows : int
        Number of rows.
    labels : tuple of LabelEvaluation
        Of a binary problem the positive class alone.
    confusion : ndarray of shape (n_classes, n_classes) or None
        Of several classes, the weight of the rows of each true class (rows) that were given each
        class (columns).
    classes : tuple
        The classes in the order of `confusion`; empty where there is none.
    by : GroupEvaluations or None
        The same for groups of rows and the largest gaps between them, if that was asked for.
    note : str
        That a constraint or budget is broken on these rows, and what they say nothing of, as of F1
        where none is positive or predicted; mostly empty.

    Examples
    --------
    >>> y_true, y_pred = [1] * 30 + [0] * 70, [1] * 24 + [0] * 6 + [1] * 4 + [0] * 66
    >>> print(evaluate(y_true, y_pred, "f1"))
    f1 0.828, 95 % interval 0.700 to 0.908 (Wilson, 100 rows)
    label  value  low    high   precision  recall  positives
    1      0.828  0.700  0.908  0.857      0.800   30
    Assuming that the rows were drawn alike and independently, and were not used to decide
    anything before, and are enough for the approximation.
    """

    measure: str
    value: float
    interval: Interval
    confidence: float
    method: str
    assumption: str
    n_rows: int
    labels: tuple[LabelEvaluation, ...]
    confusion: NDArray[np.float64] | None = None
    classes: tuple[Any, ...] = ()
    by: GroupEvaluations | None = None
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers, texts, lists and dicts, as JSON has them."""
        return {
            "measure": self.measure,
            "value": self.value,
            "interval": list(self.interval),
            "confidence": self.confidence,
            "method": self.method,
            "assumption": self.assumption,
            "n_rows": self.n_rows,
            "labels": [label.to_dict() for label in self.labels],
            "confusion": None if self.confusion is None else self.confusion.tolist(),
            "classes": [plain_name(name) for name in self.classes],
            "by": None if self.by is None else self.by.to_dict(),
            "note": self.note,
        }

    def frame(self) -> pd.DataFrame:
        """Return one row per label; needs pandas."""
        return as_frame([label.row() for label in self.labels])

    def __repr__(self) -> str:
        several = f", {len(self.labels)} labels" if len(self.labels) > 1 else ""
        return f"<Evaluation: {self._reached()}, {self.n_rows} rows{several}>"

    def __str__(self) -> str:
        """Say the value, its interval and what that assumes, above a line per label."""
        lines = [self._headline(), *aligned(self._table())]
        if len(self.labels) > MOST_SHOWN:
            lines.append(f"... and {len(self.labels) - MOST_SHOWN} more labels: see labels")
        if self.by is not None:
            lines.append(str(self.by))
        return "\n".join([*lines, *wrap(self._remark, width=90)])

    def _repr_html_(self) -> str:
        """Show the same as a small table."""
        table = html_table(self._headline(), self._table())
        by = "" if self.by is None else self.by._repr_html_()
        return f"{table}{by}<p>{escape(self._remark)}</p>"

    @property
    def _remark(self) -> str:
        return f"{self.note} Assuming that {self.assumption}.".strip()

    def _table(self) -> list[tuple[str, ...]]:
        return [HEAD, *map(_cells, self.labels[:MOST_SHOWN])]

    def _headline(self) -> str:
        return f"{self._reached()} ({self.method}, {self.n_rows} rows)"

    def _reached(self) -> str:
        value, low, high = (in_digits(x, 3) for x in (self.value, *self.interval))
        return f"{self.measure} {value}, {100 * self.confidence:g} % interval {low} to {high}"


HEAD = ("label", "value", "low", "high", "precision", "recall", "positives")


def _cells(label: LabelEvaluation) -> tuple[str, ...]:
    """Return what is shown of a label."""
    numbers = (label.value, *label.interval, label.precision, label.recall)
    return str(label.label), *(in_digits(x, 3) for x in numbers), f"{label.positives:g}"
