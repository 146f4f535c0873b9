"""Comparison: what methods have reached on the same splits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pseudolinear._digits import in_digits
from pseudolinear._tables import aligned, as_frame, html_table

if TYPE_CHECKING:
    import pandas as pd

HEAD = ("below the best", "seconds", "trained", "note")
INTERVALS = "Intervals: 95 %, for all comparisons with the best together (Bonferroni)."


class Comparison(list[dict[str, Any]]):
    """What methods have reached on the same splits: a list of one dict per method, the best first.

    Parameters
    ----------
    rows : iterable of dict
        As :func:`compare` returns them.
    measure : str
        What was compared.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(300, weights=[0.9], random_state=0)
    >>> found = compare(X, y, methods=["linear", "plain"], random_state=0)
    >>> found
    <Comparison of 2 methods by f1: best linear 0.6210>
    >>> found[0]["method"], found.frame()["level"].tolist()
    ('linear', [True, True])
    """

    def __init__(self, rows: Iterable[dict[str, Any]], measure: str) -> None:
        super().__init__(rows)
        self.measure = measure

    def frame(self) -> pd.DataFrame:
        """Return one row per method; needs pandas."""
        return as_frame(list(self), instead="the list itself")

    def table(self) -> list[tuple[str, ...]]:
        """Return what is shown of the methods, below a head."""
        return [("method", self.measure, *HEAD), *map(_cells, self)]

    def __repr__(self) -> str:
        methods = f"{len(self)} method{'s' * (len(self) != 1)}"
        worked = (f"{row['method']} {in_digits(row['value'])}" for row in self if not row["note"])
        return f"<Comparison of {methods} by {self.measure}: best {next(worked, 'none')}>"

    def __str__(self) -> str:
        """Write a line per method, and what intervals are for."""
        return "\n".join([*aligned(self.table()), INTERVALS])

    def _repr_html_(self) -> str:
        """Show the same as a small table."""
        title = f"{self.measure} of methods on the same splits. {INTERVALS}"
        return html_table(title, self.table())


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    """Return what is shown of a method."""
    if row["note"]:
        return row["method"], "failed", "", "", "", row["note"]
    solves = "" if row["solves"] is None else str(row["solves"])
    value, seconds = in_digits(row["value"]), f"{row['seconds']:.2f}"
    return row["method"], value, against_best(row), seconds, solves, ""


def against_best(row: dict[str, Any]) -> str:
    """Say by how much a method is below the best one, or that this may be chance.

    Examples
    --------
    >>> from pseudolinear.rivals._comparison import against_best
    >>> against_best({"below": 0.1, "low": 0.05, "high": 0.15, "level": False})
    '0.100 (0.050 to 0.150)'
    """
    if row["below"] == 0:
        return "best" if row["low"] == row["high"] == 0 else "no clear difference"
    words = f"{row['below']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
    return f"no clear difference: {words}" if row["level"] else words
