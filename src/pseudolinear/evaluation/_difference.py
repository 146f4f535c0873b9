"""Difference: two classifiers on the same rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pseudolinear._digits import in_digits
from pseudolinear._validation import check_weights
from pseudolinear.evaluation._influences import Influences
from pseudolinear.evaluation._reading import read_predictions
from pseudolinear.measures import Measure, Objective


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
        Lower and upper end, by the delta method.
    p_value : float
        Probability of a difference as large or larger, either way, if there is none.
    confidence : float
        How often such an interval holds the difference.
    n_rows : int
        Number of rows.

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

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}

    def __str__(self) -> str:
        """Say both values and the difference."""
        one, other = (in_digits(value, 3) for value in self.values)
        value, low, high = (in_digits(x, 3, sign=True) for x in (self.value, *self.interval))
        return (
            f"{self.measure} {one} and {other}: difference {value}, "
            f"{100 * self.confidence:g} % interval {low} to {high}, "
            f"p = {self.p_value:.2g} ({self.n_rows} rows)"
        )


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
    >>> print(evaluate_difference([1, 1, 0, 0] * 50, [1, 0, 0, 0] * 50, [1, 0, 0, 1] * 50))
    f1 0.667 and 0.500: difference -0.167, 95 % interval -0.211 to -0.122, p = 3.1e-12 (200 rows)
    """
    objective, both = read_predictions(y_true, [pred_a, pred_b], measure, pos_label, sample_weight)
    weight = check_weights(sample_weight, both[0].n_rows)
    one, other = (Influences.of(objective, outcomes, weight, groups) for outcomes in both)
    interval, p_value = one.compare(other, confidence)
    return Difference(
        measure=measure if isinstance(measure, str) else repr(measure),
        values=(one.value, other.value),
        value=other.value - one.value,
        interval=interval,
        p_value=p_value,
        confidence=confidence,
        n_rows=both[0].n_rows,
    )
