"""Goals: labels that share one level, with the measure of them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import Measure

MOST = 1e9  # times the cost of a negative row: far above, rounding stops solvers


@dataclass(frozen=True, eq=False)
class Goal:
    """Labels for which one level is looked for, with the measure of them together.

    A mean over labels gives every label a goal of its own, a micro average has one for all labels.

    Attributes
    ----------
    labels : tuple of int
        Columns of the targets.
    measure : Measure
        Pseudo-linear, but for a mean over classes.
    prevalence : ndarray
        Proportion of positives: a scalar for one label, otherwise one per label or class.
    n_samples : int
        Number of rows.
    weighted : bool
        Whether a mean over the goals weighs this one by its prevalence.
    seen : ndarray or None
        Prevalence of the rows, where the goal is for a population in which it is another one.
    """

    labels: tuple[int, ...]
    measure: Measure
    prevalence: NDArray[np.float64]
    n_samples: int
    weighted: bool = False
    seen: NDArray[np.float64] | None = None

    __repr__ = brief_repr

    @property
    def weight(self) -> float:
        """Weight in a mean over the goals."""
        return float(np.sum(self.prevalence)) if self.weighted else 1.0

    @property
    def n_positive(self) -> float:
        """Number of positive rows that were seen, over all labels."""
        return float(np.sum(self.prevalence if self.seen is None else self.seen)) * self.n_samples

    @property
    def design_effect(self) -> float:
        """How many rows tell as much as one would of the population aimed at (Kish 1965)."""
        if self.seen is None:
            return 1.0
        return float(np.mean(_square_ratio(self.prevalence, self.seen)))

    @property
    def label_measure(self) -> Measure:
        """The measure of one of the labels alone."""
        return self.measure.binary() if len(self.labels) > 1 else self.measure

    @property
    def value_range(self) -> tuple[float, float]:
        """The value if every row is wrong, and if none is."""
        p = self.prevalence
        worst, best = ErrorProfile(p, 1.0 - p, p), ErrorProfile(0.0 * p, 0.0 * p, p)
        return float(self.measure.value(worst)), float(self.measure.value(best))

    @property
    def has_costs(self) -> bool:
        """Whether an error has a cost at every level."""
        return True

    def on(self, prevalence: NDArray[np.float64]) -> Self:
        """Return the same goal on rows of another prevalence, one per label or class."""
        return replace(self, prevalence=prevalence if self.prevalence.ndim else prevalence[0])

    def at_prevalence(self, by_label: Mapping[int, float]) -> Self:
        """Return the goal for a population in which some labels have another prevalence."""
        prevalence = np.atleast_1d(self.prevalence).copy()
        for i, label in enumerate(self.labels):
            prevalence[i] = by_label.get(label, prevalence[i])
        seen = self.prevalence if self.seen is None else self.seen
        return replace(self.on(prevalence), seen=seen)

    def label_costs(self, level: float) -> NDArray[np.float64]:
        """Return the costs of each label at a level: what `ErrorProfile.total_cost` takes."""
        costs = self.measure.costs(level, self.prevalence)
        return costs if len(self.labels) > 1 else costs[None]

    def training_costs(self, level: float) -> NDArray[np.float64]:
        """Return what a learner is given at a level, one row (cost_fn, cost_fp) per label.

        Regularised learners see the scale of costs; as in the literature they are relative to the
        cost of a negative row.
        """
        costs = self.label_costs(level)
        return np.minimum(costs / costs[:, 1:], MOST)


@dataclass(frozen=True, eq=False)
class ClassGoal(Goal):
    """All classes of a multiclass problem, which one model tells apart.

    `labels` is ``(0,)``, the one column of the targets, and `prevalence` has one entry per class.
    """

    __repr__ = brief_repr

    @property
    def label_measure(self) -> Measure:
        """The measure of all classes."""
        return self.measure

    @property
    def value_range(self) -> tuple[float, float]:
        """0 and 1: rows of classes cannot all be wrong in every way at once."""
        return 0.0, 1.0

    @property
    def has_costs(self) -> bool:
        """Whether an error has a cost at every level: not under a mean over classes."""
        return self.measure.collapses

    def training_costs(self, level: float) -> NDArray[np.float64]:
        """Return one row with the cost of an error on a row of each class.

        An error on a row of class i that is given class j costs ``cost_fn[i] + cost_fp[j]``;
        learners take one weight per row, so the second part is averaged over the wrong classes. The
        costs are relative to that of the default class, or to the least one. A class without rows,
        as where they all weigh 0, takes no part.
        """
        some = self.prevalence > 0
        costs = self.measure.costs(level, self.prevalence) * some[:, None]
        if self.measure.decomposes:
            # The gradient of the mean of ratios: each class by its own denominator, at fn = fp.
            c = self.measure.of_pair(self.prevalence, 1.0 - self.prevalence)
            weight = self.measure.label_weights(self.prevalence)
            costs = costs * weight[:, None] / np.where(some, c.alpha1, 1.0)[:, None]
        others = (costs[:, 1].sum() - costs[:, 1]) / (some.sum() - 1)
        total = costs[:, 0] + others
        micro = self.measure.average == "micro" and some[0]
        reference = total[0] if micro else total[some].min()
        return np.minimum(np.where(some, total / reference, 1.0), MOST)[None]


def standard_error(value: float, limits: tuple[float, float], n_positive: float) -> float:
    """Return roughly how much a value varies by chance, in the unit of its measure.

    It is that of a share of the positive rows between the worst value and the best one; near both
    ends few rows decide, so the share is not taken to be nearer to them than a tenth.

    Parameters
    ----------
    value : float
        What was reached.
    limits : tuple of float
        Worst and best value.
    n_positive : float
        Number of positive rows.

    Returns
    -------
    float
        Not negative.

    Examples
    --------
    >>> from pseudolinear.kinds import standard_error
    >>> standard_error(0.5, (0.0, 1.0), 100), standard_error(-500.0, (-1000.0, 0.0), 100)
    (0.05, 50.0)
    """
    worst, width = limits[0], limits[1] - limits[0]
    share = np.clip((value - worst) / width, 0.1, 0.9) if width > 0 else 0.5
    return float(width * np.sqrt(share * (1.0 - share) / max(n_positive, 1.0)))


def _square_ratio(wanted: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return p'^2 / p + (1 - p')^2 / (1 - p): the mean square of weights whose mean is 1."""
    pairs = ((wanted, seen), (1.0 - wanted, 1.0 - seen))
    # A label of one value has no other prevalence, and weighs 1.
    return np.sum([a * np.divide(a, b, out=np.ones_like(b), where=b > 0) for a, b in pairs], axis=0)
