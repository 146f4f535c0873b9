"""ExpectedCost: costs and benefits in the user's unit, fixed or by row."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any, Self, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._validation import check_weights, column_of
from pseudolinear.errors import Outcomes
from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._measure import Measure
from pseudolinear.measures._row_costs import RowCosts

CELLS = ("fn", "fp", "tp", "tn")


@dataclass(frozen=True, repr=False, eq=False)
class ExpectedCost(Measure):
    r"""Minus what a row costs on average, in your unit: euros, minutes, beds.

    .. math:: -(c_{tp} \, tp + c_{fn} \, fn + c_{fp} \, fp + c_{tn} \, tn)

    Larger is better, as for every measure, so costs count as negative: -3.2 says that a row costs
    3.2 on average. A benefit is a negative cost. Only differences decide: the same amount added to
    `tp` and `fn`, or to `tn` and `fp`, changes the value and no decision.

    Parameters
    ----------
    fn, fp : float, str or array-like of shape (n_samples,)
        Cost of a false negative and of a false positive: a number for all rows; the name of a
        column of `X` with one for each row, such as the amount of a payment; or, for functions that
        see no `X`, these numbers themselves.
    tp, tn : float, str or array-like of shape (n_samples,), default=0.0
        Cost of a true positive and of a true negative. As numbers, they must be less than `fn`
        and `fp`. In a row they may be more, as where a payment is less than it costs to check it:
        such rows are decided by their costs.
    average, zero_division, pos_label
        See :class:`Measure`. Of several labels, micro and macro averages are both the mean over
        rows and labels: times the number of labels, what a row costs. Costs by row are for two
        classes and for macro averages over labels.

    Examples
    --------
    A missed fraud costs 500, a false alarm 20; four rows with one of each cost 130 each:

    >>> ExpectedCost(fn=500, fp=20).score([1, 1, 0, 0], [1, 0, 1, 0])
    -130.0

    Costs by row:

    >>> measure = ExpectedCost(fn=[500, 80, 30, 10], fp=20)
    >>> measure.score([1, 1, 0, 0], [1, 0, 1, 0])
    -25.0
    """

    fn: Any
    fp: Any
    tp: Any = 0.0
    tn: Any = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for cell in CELLS:
            object.__setattr__(self, cell, _read(cell, getattr(self, cell)))
        if not self.by_row:
            for wrong, right in (("fn", "tp"), ("fp", "tn")):
                if not getattr(self, wrong) > getattr(self, right):
                    raise ValueError(
                        f"ExpectedCost: an error must cost more than the right answer, got "
                        f"{wrong}={getattr(self, wrong):g} and {right}={getattr(self, right):g}."
                    )
        elif self.average in ("micro", "weighted"):
            raise ValueError(
                f"ExpectedCost: costs by row have no {self.average} average over labels; use "
                "average='macro', the mean over rows and labels."
            )

    def __repr__(self) -> str:
        """Show what differs from the defaults, arrays by their length."""
        shown = {cell: getattr(self, cell) for cell in CELLS}
        for cell in ("tp", "tn"):
            if isinstance(shown[cell], float) and not shown[cell]:
                del shown[cell]
        shown |= {
            field.name: getattr(self, field.name)
            for field in fields(Measure)
            if getattr(self, field.name) != field.default
        }
        return f"ExpectedCost({', '.join(f'{name}={_brief(v)}' for name, v in shown.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExpectedCost) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        values = (getattr(self, field.name) for field in fields(self))
        return tuple(v.tobytes() if isinstance(v, np.ndarray) else v for v in values)

    @property
    def by_row(self) -> bool:
        """Whether costs differ from row to row."""
        return not all(isinstance(getattr(self, cell), float) for cell in CELLS)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of X that hold costs."""
        costs = (getattr(self, cell) for cell in CELLS)
        return tuple(dict.fromkeys(cost for cost in costs if isinstance(cost, str)))

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        if self.by_row:
            raise ValueError(
                f"{self!r} has costs by row, which numbers of errors do not tell; it is for "
                "MeasureClassifier, best_threshold, evaluate and its own score."
            )
        return Coefficients(
            0.0 - (positives * self.tp + negatives * self.tn),  # and not minus 0
            -np.array([self.fn - self.tp, self.fp - self.tn]),
            positives + negatives,
            np.zeros(2),
        )

    def on(self, X: Any) -> Self:
        """Return the same costs with columns read from rows.

        Parameters
        ----------
        X : data frame of shape (n_samples, n_features)
            The rows as they were given.

        Returns
        -------
        ExpectedCost
            With arrays in the place of names; itself, if there are none.
        """
        read = {name: _column(X, name) for name in self.columns}
        named: dict[str, Any] = {
            cell: read[cost] for cell in CELLS if isinstance(cost := getattr(self, cell), str)
        }
        return replace(self, **named)

    def rows(self, n_samples: int) -> RowCosts:
        """Return the costs of every one of so many rows."""
        if self.columns:
            raise ValueError(
                f"ExpectedCost: {self.columns[0]!r} names a column of X, which is not known here; "
                f"give the costs themselves, as in X[{self.columns[0]!r}]."
            )
        costs = {cell: getattr(self, cell) for cell in CELLS}
        for cell, cost in costs.items():
            if not isinstance(cost, float) and len(cost) != n_samples:
                raise ValueError(
                    f"ExpectedCost: {cell} has {len(cost)} costs, but there are {n_samples} rows; "
                    "give one for each."
                )
        return RowCosts(**{c: np.broadcast_to(v, n_samples) for c, v in costs.items()})

    def take(self, rows: NDArray[np.bool_]) -> Self:
        """Return the costs of some of the rows."""
        costs = {cell: getattr(self, cell) for cell in CELLS}
        own: dict[str, Any] = {c: v if isinstance(v, float) else v[rows] for c, v in costs.items()}
        return replace(self, **own)

    def settled(
        self,
        rows: RowCosts,
        true: NDArray[np.bool_],
        sample_weight: ArrayLike | None = None,
        *,
        moved: bool = False,
    ) -> tuple[ExpectedCost, NDArray[np.bool_], NDArray[np.float64]]:
        """Turn costs by row into fixed ones of weighted rows, of the same value at every threshold.

        Parameters
        ----------
        rows : RowCosts
            The costs of the rows.
        true : ndarray of bool, shape (n_samples,)
            Which rows are positive.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        moved : bool, default=False
            See :meth:`RowCosts.stakes`.

        Returns
        -------
        measure : ExpectedCost
            Of fixed costs, both errors alike.
        wanted : ndarray of bool, shape (n_samples,)
            Which rows had better be predicted positive: see :class:`Stakes`.
        weight : ndarray of shape (n_samples,)
            Weight of each row times what is at stake there.

        Examples
        --------
        >>> costs = ExpectedCost(fn=[50, 30, 0, 0], fp=20)
        >>> true = np.array([True, True, False, False])
        >>> measure, wanted, weight = costs.settled(costs.rows(4), true)
        >>> measure, weight
        (ExpectedCost(fn=30.0, fp=30.0), array([50., 30., 20., 20.]))
        """
        weight = check_weights(sample_weight, len(true))
        weight = np.ones(len(true)) if weight is None else weight
        wanted, at_stake, least = rows.stakes(true, moved=moved)
        stake = float(np.average(at_stake, weights=weight))
        if stake == 0:
            raise ValueError(
                "ExpectedCost: no row costs more by one decision than by the other, so there is "
                "nothing to decide; check the costs."
            )
        base = float(np.average(least, weights=weight))
        fixed = replace(self, fn=base + stake, fp=base + stake, tp=base, tn=base)
        return fixed, wanted, weight * at_stake

    def of_outcomes(self, outcomes: Outcomes, sample_weight: ArrayLike | None = None) -> float:
        """Evaluate outcomes: minus the mean over rows and labels of what they cost."""
        if not self.by_row:
            return super().of_outcomes(outcomes, sample_weight)
        weight = check_weights(sample_weight, len(outcomes.true))
        costs = self.rows(len(outcomes.true)).of_outcomes(outcomes.true, outcomes.predicted)
        return 0.0 - float(np.average(costs.mean(axis=1), weights=weight))


def has_row_costs(objective: Any) -> TypeGuard[ExpectedCost]:
    """Tell whether what an error costs differs from row to row.

    Examples
    --------
    >>> from pseudolinear.measures import has_row_costs
    >>> has_row_costs(ExpectedCost(fn="amount", fp=20)), has_row_costs(ExpectedCost(500, 20))
    (True, False)
    """
    return isinstance(objective, ExpectedCost) and objective.by_row


def _read(cell: str, cost: Any) -> Any:
    """Return a cost as a number, a name, or an array that nobody can change."""
    if isinstance(cost, str):
        return cost
    try:
        costs = np.array(cost, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"ExpectedCost: {cell} must be a number, the name of a column, or one number per row, "
            f"got {type(cost).__name__}."
        ) from None
    if costs.ndim > 1 or (costs.ndim == 1 and not costs.size):
        raise ValueError(
            f"ExpectedCost: {cell} must be a number or one number per row, got the shape "
            f"{costs.shape}."
        )
    _check_finite(costs, cell)
    if isinstance(cost, Real) or costs.ndim == 0:
        return float(costs)
    costs.setflags(write=False)
    return costs


def _column(X: Any, name: str) -> NDArray[np.float64]:
    values = column_of(X, name, "ExpectedCost")
    try:
        costs = values.astype(np.float64)
    except (TypeError, ValueError):
        wrong = next(value for value in values.tolist() if not _is_number(value))
        raise ValueError(
            f"ExpectedCost: the column {name!r} must hold numbers, got {wrong!r}."
        ) from None
    _check_finite(costs, f"the column {name!r}")
    return costs


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _check_finite(costs: NDArray[np.float64], what: str) -> None:
    if missing := np.size(costs) - np.isfinite(costs).sum():
        of = f" in {missing} of {costs.size} rows" if costs.ndim else ""
        raise ValueError(
            f"ExpectedCost: {what} is NaN or infinite{of}; every row needs a finite cost."
        )


def _brief(value: Any) -> str:
    return f"<{len(value)} costs>" if isinstance(value, np.ndarray) else repr(value)
