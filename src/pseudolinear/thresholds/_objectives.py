"""Constraints: what a threshold can be chosen for, besides measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.measures import ROUNDING, Measure, Objective, WeightedAccuracy, first_best
from pseudolinear.thresholds._limit import Limit


def _check_share(objective: Objective, field: str) -> None:
    """Refuse what is no share at once, and not after the training."""
    share = getattr(objective, field)
    if not (isinstance(share, Real) and 0 < float(share) <= 1):
        raise ValueError(f"{type(objective).__name__}: {field} must be in (0, 1], got {share!r}.")


@dataclass(frozen=True)
class MinimalCost(Objective):
    """Least total cost, ``cost_fn * fn + cost_fp * fp``.

    :class:`ExpectedCost` is a measure of the same costs, so that it has a certificate and an honest
    value as well; it also knows what right answers cost, and costs by row.

    Parameters
    ----------
    cost_fn, cost_fp : float
        Cost of a false negative and of a false positive.

    Examples
    --------
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], MinimalCost(2.0, 1.0)).threshold
    1.5
    """

    cost_fn: float
    cost_fp: float

    def training_measure(self, average: str) -> Measure:
        """Return the accuracy of these costs: they are the right ones to train with."""
        if min(self.cost_fn, self.cost_fp) <= 0:  # learners need both
            return super().training_measure(average)
        return WeightedAccuracy(self.cost_fn, self.cost_fp, average=average)

    def in_words(self, n_labels: int = 1) -> str:
        """Say what its value is, in a few words."""
        return "mean cost (negative)"

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the cheapest cut and its cost."""
        cost = curve.total_cost([self.cost_fn, self.cost_fp])
        best = first_best(-cost)
        return best, float(cost[best])

    def value(self, profile: ErrorProfile) -> float:
        """Return minus the cost."""
        return -float(np.mean(self.cost_fn * profile.fn + self.cost_fp * profile.fp))


@dataclass(frozen=True)
class RecallAtPrecision(Objective):
    """Largest recall among the cuts with at least a given precision on the rows at hand.

    That is a rule without a promise: on new rows about half of such thresholds have less precision
    (docs/guide/promises.md); see :meth:`MeasureClassifier.guarantee` for one that keeps it.

    Parameters
    ----------
    min_precision : float
        In (0, 1]. A cut that predicts nothing has no precision and is not allowed.

    Examples
    --------
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], RecallAtPrecision(0.9)).value
    0.5
    """

    min_precision: float

    def __post_init__(self) -> None:
        _check_share(self, "min_precision")

    def in_words(self, n_labels: int = 1) -> str:
        """Say what its value is, in a few words."""
        return f"recall with a precision of at least {self.min_precision:g}"

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the cut of largest recall, of equal ones the most precise, and its recall."""
        precision, recall = curve.precision[:, 0], curve.recall[:, 0]
        allowed = precision >= self.min_precision - ROUNDING  # False for NaN
        if not allowed.any():
            raise ValueError(
                f"No threshold reaches a precision of {self.min_precision:g}; the largest is "
                f"{np.nan_to_num(precision).max():.4g}."
            )
        best = first_best(np.where(allowed, recall, -np.inf))  # the first: fewest fp
        return best, float(recall[best])

    def value(self, profile: ErrorProfile) -> float:
        """Return the recall, 0 without positive rows."""
        return float(np.mean(np.nan_to_num(profile.recall)))

    def broken(self, profile: ErrorProfile, names: Sequence[Any] = ()) -> str:
        """Say that the precision is too small."""
        return Limit("precision", self.min_precision).broken(profile.precision, names)


@dataclass(frozen=True)
class PrecisionAtRecall(Objective):
    """Largest precision among the cuts with at least a given recall on the rows at hand.

    That is a rule without a promise: on new rows about half of such thresholds have less recall
    (docs/guide/promises.md); see :meth:`MeasureClassifier.guarantee` for one that keeps it.

    Parameters
    ----------
    min_recall : float
        In (0, 1].

    Examples
    --------
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], PrecisionAtRecall(1.0)).threshold
    1.5
    """

    min_recall: float

    def __post_init__(self) -> None:
        _check_share(self, "min_recall")

    def in_words(self, n_labels: int = 1) -> str:
        """Say what its value is, in a few words."""
        return f"precision with a recall of at least {self.min_recall:g}"

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the most precise cut, of equal ones that of largest recall, and its precision."""
        precision, recall = np.nan_to_num(curve.precision[:, 0]), curve.recall[:, 0]
        allowed = recall >= self.min_recall - ROUNDING  # False for NaN
        if not allowed.any():
            raise ValueError(
                f"No threshold reaches a recall of {self.min_recall:g}; the largest is "
                f"{np.nan_to_num(recall).max():.4g}."
            )
        values = np.where(allowed, precision, -np.inf)
        best = int(np.flatnonzero(values >= values.max() - ROUNDING)[-1])  # of largest recall
        return best, float(precision[best])

    def value(self, profile: ErrorProfile) -> float:
        """Return the precision, 0 without predictions."""
        return float(np.mean(np.nan_to_num(profile.precision)))

    def broken(self, profile: ErrorProfile, names: Sequence[Any] = ()) -> str:
        """Say that the recall is too small."""
        return Limit("recall", self.min_recall).broken(profile.recall, names)


@dataclass(frozen=True)
class FalseNegativesAtFalsePositives(Objective):
    """Fewest false negatives among the cuts with at most a given share of false positives.

    Parameters
    ----------
    max_fp : float
        Allowed false positives, as a proportion of all rows.

    Examples
    --------
    >>> objective = FalseNegativesAtFalsePositives(0.25)
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], objective).threshold
    1.5
    """

    max_fp: float

    def __post_init__(self) -> None:
        if not (isinstance(self.max_fp, Real) and self.max_fp >= 0):
            raise ValueError(
                f"{type(self).__name__}: max_fp must not be negative, got {self.max_fp!r}."
            )

    def in_words(self, n_labels: int = 1) -> str:
        """Say what its value is, in a few words."""
        return f"false negatives (negative) with at most {self.max_fp:g} false positives"

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the cut of fewest false negatives, of equal ones the first, and their share."""
        fn, fp = curve.fn[:, 0], curve.fp[:, 0]
        allowed = fp <= self.max_fp + ROUNDING
        if not allowed.any():
            raise ValueError(
                f"No threshold keeps the false positives at {self.max_fp:g} of all rows; the "
                f"fewest are {fp.min():.4g}."
            )
        best = first_best(np.where(allowed, -fn, -np.inf))
        return best, float(fn[best])

    def value(self, profile: ErrorProfile) -> float:
        """Return minus the share of false negatives."""
        return -float(np.mean(profile.fn))

    def broken(self, profile: ErrorProfile, names: Sequence[Any] = ()) -> str:
        """Say that the false positives are too many."""
        limit = Limit("share of false positives", self.max_fp, floor=False)
        return limit.broken(profile.fp, names)


@dataclass(frozen=True)
class RecallAtBudget(Objective):
    """Largest recall among the cuts that predict at most a given share of all rows.

    Parameters
    ----------
    max_share : float
        Rows that can be looked into, as a proportion of all rows; in (0, 1].

    Examples
    --------
    >>> best_threshold([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], RecallAtBudget(0.5)).threshold
    3.5
    """

    max_share: float

    def __post_init__(self) -> None:
        _check_share(self, "max_share")

    def in_words(self, n_labels: int = 1) -> str:
        """Say what its value is, in a few words."""
        return f"recall with at most {100 * self.max_share:.4g} % of the rows flagged"

    def choose(self, curve: ErrorCurve) -> tuple[int, float]:
        """Return the cut of largest recall, of equal ones the most precise, and its recall."""
        share = curve.prevalence[0] - curve.fn[:, 0] + curve.fp[:, 0]
        allowed = share <= self.max_share + ROUNDING
        if not allowed.any():  # of a threshold that is not tuned: the first cut predicts nothing
            raise ValueError(
                f"No threshold predicts at most {self.max_share:g} of all rows; the fewest are "
                f"{share.min():.4g}."
            )
        recall = curve.recall[:, 0]
        best = first_best(np.where(allowed, recall, -np.inf))
        return best, float(recall[best])

    def value(self, profile: ErrorProfile) -> float:
        """Return the recall, 0 without positive rows."""
        return float(np.mean(np.nan_to_num(profile.recall)))

    def broken(self, profile: ErrorProfile, names: Sequence[Any] = ()) -> str:
        """Say that the too many rows are flagged."""
        share = profile.prevalence - profile.fn + profile.fp
        return Limit("share of flagged rows", self.max_share, floor=False).broken(share, names)
