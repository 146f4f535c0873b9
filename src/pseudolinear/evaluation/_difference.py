"""Difference: two classifiers on the same rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from pseudolinear._digits import in_digits
from pseudolinear._groups import read_clusters
from pseudolinear._tables import as_frame, html_table
from pseudolinear._validation import check_confidence, check_weights
from pseudolinear.evaluation._influences import Influences
from pseudolinear.evaluation._part import Part
from pseudolinear.evaluation._reading import read_predictions
from pseudolinear.measures import Measure, Objective, short_name

if TYPE_CHECKING:
    import pandas as pd

HEAD = ("first", "second", "difference", "low", "high", "p")


@dataclass(frozen=True)
class Difference:
    """How much better the second of two classifiers is on the same rows.

    Attributes
    ----------
    measure : str
        What was evaluated.
    values : tuple of float
        Of both classifiers.
    value : float
        The second less the first.
    interval : tuple of float
        Lower and upper end.
    p_value : float
        Probability of a difference as large or larger, either way, if there is none.
    confidence : float
        How often such an interval holds the difference.
    n_rows : int
        Number of rows.
    method : str
        How interval and p-value were found.
    assumption : str
        What that rests on, in one sentence.
    note : str
        What the rows say nothing of; mostly empty.

    Examples
    --------
    >>> y = [1, 1, 1, 0, 0, 0] * 20
    >>> one, other = [1, 0, 0, 0, 0, 1] * 20, [1, 1, 0, 0, 0, 1] * 20
    >>> difference = evaluate_difference(y, one, other, "f1")
    >>> round(difference.value, 3), difference.p_value < 0.01
    (0.267, True)
    """

    measure: str
    values: tuple[float, float]
    value: float
    interval: tuple[float, float]
    p_value: float
    confidence: float
    n_rows: int
    method: str
    assumption: str
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}

    def frame(self) -> pd.DataFrame:
        """Return the numbers as one row; needs pandas."""
        names = ("first", "second", "difference", "low", "high", "p_value")
        numbers = (*self.values, self.value, *self.interval, self.p_value)
        return as_frame([{"measure": self.measure, **dict(zip(names, numbers, strict=True))}])

    def __repr__(self) -> str:
        return f"<Difference: {self._compared()}, {self.n_rows} rows>"

    def __str__(self) -> str:
        """Say both values, the difference and what that assumes."""
        line = f"{self._compared()} ({self.method}, {self.n_rows} rows)"
        return "\n".join([line, *wrap(self._remark, width=90)])

    def _repr_html_(self) -> str:
        """Show the same as a small table."""
        caption = (
            f"{self.measure}, {100 * self.confidence:g} % interval ({self.method}, "
            f"{self.n_rows} rows)"
        )
        return f"{html_table(caption, [HEAD, self._cells()])}<p>{escape(self._remark)}</p>"

    @property
    def _remark(self) -> str:
        return f"{self.note} Assuming that {self.assumption}.".strip()

    def _compared(self) -> str:
        one, other, value, low, high, p_value = self._cells()
        return (
            f"{self.measure} {one} and {other}: difference {value}, "
            f"{100 * self.confidence:g} % interval {low} to {high}, p = {p_value}"
        )

    def _cells(self) -> tuple[str, ...]:
        signed = (in_digits(x, 3, sign=True) for x in (self.value, *self.interval))
        return *(in_digits(value, 3) for value in self.values), *signed, f"{self.p_value:.2g}"


def evaluate_difference(
    y_true: Any,
    pred_a: Any,
    pred_b: Any,
    measure: str | Measure | Objective = "f1",
    *,
    pos_label: Any = None,
    confidence: float = 0.95,
    sample_weight: Any = None,
    groups: Any = None,
) -> Difference:
    """Compare two classifiers on the same rows, and say how much better the second one is.

    Rows are drawn for both together, so that what is difficult for both does not count. The rows
    must not have been used to train or choose either of them.

    Parameters
    ----------
    y_true, pred_a, pred_b : array-like, sparse matrix, data frame or list of collections
        What is true, and the decisions of both.
    measure, pos_label, confidence, sample_weight, groups
        As for :func:`evaluate`.

    Returns
    -------
    Difference
        With an interval and a p-value, both by the delta method.

    Examples
    --------
    >>> print(evaluate_difference([1, 1, 0, 0] * 2, [1, 0, 0, 0] * 2, [1, 0, 0, 1] * 2))
    f1 0.667 and 0.500: difference -0.167, 95 % interval -0.373 to +0.040, p = 0.098 (delta, 8 rows)
    Assuming that the rows were drawn alike and independently, and were not used to decide
    anything before, and are enough for the approximation.
    """
    confidence = check_confidence(confidence)
    objective, both = read_predictions(y_true, [pred_a, pred_b], measure, pos_label, sample_weight)
    n_rows = both[0].n_rows
    weight = check_weights(sample_weight, n_rows)
    clusters = None if groups is None else read_clusters(groups, n_rows, "groups")
    parts = [Part(None, objective, own, weight, clusters, len(own.labels)) for own in both]
    one, other = (Influences.of(objective, own, weight, clusters) for own in both)
    interval, p_value = one.compare(other, confidence)
    if not all(part.known.any() for part in parts):
        interval, p_value = (-one.width, one.width), 1.0
    return Difference(
        measure=short_name(measure, len(both[0].labels)),
        values=(one.value, other.value),
        value=other.value - one.value,
        interval=interval,
        p_value=p_value,
        confidence=confidence,
        n_rows=n_rows,
        method="delta",
        assumption=parts[0].assumption(exact=False),
        note=_note(parts),
    )


def _note(parts: list[Part]) -> str:
    """Say what the rows say nothing of, in one sentence; empty if there is no such thing."""
    one, other = parts
    for part in parts:
        if part.units.single or not part.known.any():
            return part.note(exact=False)
    if np.array_equal(one.outcomes.predicted, other.outcomes.predicted):
        return "Both decide these rows alike, so that the interval has no length; others may not."
    if one.outcomes.exclusive or not (unknown := int((~(one.known | other.known)).sum())):
        return ""
    return (
        f"{unknown} of {len(one.known)} labels {'has' if unknown == 1 else 'have'} no positive row "
        "and no positive prediction, so that both count as equally good there."
    )
