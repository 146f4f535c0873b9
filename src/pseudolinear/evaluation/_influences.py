"""Influences: a value, and what each draw adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from pseudolinear.errors import Outcomes
from pseudolinear.evaluation._delta import EXTRA
from pseudolinear.evaluation._label_values import limits_of
from pseudolinear.evaluation._row_costs import CostStatistic
from pseudolinear.evaluation._statistic import Statistic, statistic_of
from pseudolinear.evaluation._units import Units
from pseudolinear.measures import has_row_costs


@dataclass(frozen=True, eq=False)
class Influences:
    """A value, and what each draw adds to it, to first order.

    Of two classifiers on the same draws, the differences of what a draw adds are what the
    difference of their values varies by: what is difficult for both does not count.

    Attributes
    ----------
    value : float
        Of all draws.
    of_draws : ndarray of shape (n_draws,)
        What each row or group adds; together nearly nothing.
    width : float
        By how much two values differ at most; infinite where there are no limits.

    Examples
    --------
    >>> from pseudolinear.errors import Outcomes
    >>> from pseudolinear.evaluation import Influences
    >>> y = np.array([0, 1, 1, 0] * 25)
    >>> right, wrong = Outcomes.of_labels(y, y, [1]), Outcomes.of_labels(y, 1 - y, [1])
    >>> one, other = Influences.of(FBeta(), wrong), Influences.of(FBeta(), right)
    >>> one.value, other.value, one.compare(other)[1] < 0.001
    (0.0, 1.0, True)
    """

    value: float
    of_draws: NDArray[np.float64]
    width: float = np.inf

    @classmethod
    def of(
        cls,
        objective: Any,
        outcomes: Outcomes,
        sample_weight: NDArray[np.float64] | None = None,
        groups: Any = None,
    ) -> Self:
        """Find what each row, or group of rows, adds to the value of an objective.

        As in the delta method, every cell has half a row more: with no true positive at all, F1
        would not depend on any row.
        """
        units = Units.of(outcomes, sample_weight, groups, merge=False)
        if has_row_costs(objective):
            statistic: Statistic = CostStatistic.of(objective, outcomes, sample_weight, groups)
        else:
            statistic = statistic_of(objective, units, merge=False)
        sums = statistic.sums + EXTRA * units.row * statistic.one_of_each
        low, high = (-np.inf, np.inf) if has_row_costs(objective) else limits_of(objective)
        return cls(statistic.value, statistic.totals @ statistic.gradient(sums), high - low)

    @classmethod
    def mean(
        cls, parts: Sequence[Influences], rows: Sequence[NDArray[np.intp]], n_rows: int
    ) -> Self:
        """Average over parts of the rows, such as held-out folds; a row may be in several."""
        of_draws = np.zeros(n_rows)
        for part, numbers in zip(parts, rows, strict=True):
            of_draws[numbers] += part.of_draws / len(parts)
        return cls(float(np.mean([part.value for part in parts])), of_draws, parts[0].width)

    def compare(
        self, other: Influences, confidence: float = 0.95
    ) -> tuple[tuple[float, float], float]:
        """Compare with another classifier on the same draws.

        Parameters
        ----------
        other : Influences
            Of the other classifier.
        confidence : float, default=0.95
            Of the interval.

        Returns
        -------
        interval : tuple of float
            Of the other value less this one, by the delta method, within what is possible; from a
            single draw that is all there is to say.
        p_value : float
            Probability of a difference as large or larger, either way, if there is none.
        """
        n, value = len(self.of_draws), other.value - self.value
        if n == 1:
            return (-self.width, self.width), 1.0
        spread = float(np.linalg.norm(other.of_draws - self.of_draws))
        error = spread * np.sqrt(n / (n - 1))
        student = stats.t(n - 1)
        half = student.ppf((1 + confidence) / 2) * error
        p_value = float(2 * student.sf(abs(value) / error)) if error > 0 else 1.0
        low, high = np.clip([value - half, value + half], -self.width, self.width).tolist()
        return (low, high), p_value
