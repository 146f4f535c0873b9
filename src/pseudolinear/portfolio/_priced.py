"""Costs by row: which fits can have them, and what their goals are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.kinds import Goal, Kind
from pseudolinear.learners import Learner
from pseudolinear.measures import ExpectedCost, RowCosts, has_row_costs
from pseudolinear.sweep import Split


def read_row_costs(
    objective: Any, X: Any, n_samples: int, kind: Kind, learners: Sequence[Learner]
) -> RowCosts | None:
    """Read costs by row from columns of X; None where an objective has none.

    Parameters
    ----------
    objective : Measure or Objective
        What the user asked for.
    X : data frame of shape (n_samples, n_features)
        The rows as they were given.
    n_samples : int
        Number of rows.
    kind : Kind
        The kind of problem: labels, each of which is decided on its own.
    learners : sequence of Learner
        Given ones: their scores must be log-odds, to which what is at stake can be added.

    Returns
    -------
    RowCosts or None
        One per row.
    """
    if not has_row_costs(objective):
        return None
    if any(isinstance(getattr(objective, cell), np.ndarray) for cell in ("fn", "fp", "tp", "tn")):
        raise ValueError(
            "ExpectedCost: a classifier needs the costs of new rows as well, so give the name of a "
            "column of X, not the costs themselves."
        )
    if not kind.separable:
        raise ValueError(
            "ExpectedCost: costs by row are for two classes or for labels; y has "
            f"{len(kind.classes)} classes, so give numbers."
        )
    for learner in learners:
        if not learner.abilities.probabilities:
            raise ValueError(
                f"ExpectedCost: costs by row need probabilities, which {learner.name} does not "
                "give; use 'auto', 'linear', or scikit-learn's CalibratedClassifierCV around it."
            )
    return objective.on(X).rows(n_samples)


def price_goals(
    goals: Sequence[Goal],
    costs: RowCosts,
    codes: NDArray[Any],
    sample_weight: NDArray[np.float64] | None,
    splits: Sequence[Split],
) -> list[Goal]:
    """Give every label the fixed costs that have the same value on the validation rows.

    Their number is the effective one (Kish 1965): rows of which little is at stake tell little.
    """
    rows = np.concatenate([test for _, test in splits])
    weight, own = None if sample_weight is None else sample_weight[rows], costs.take(rows)
    priced = []
    for goal in goals:
        assert isinstance(goal.measure, ExpectedCost)
        true = codes[rows, goal.labels[0]] == 1
        fixed, wanted, stakes = goal.measure.settled(own, true, weight, moved=True)
        share = np.asarray(np.average(wanted, weights=stakes))
        n_effective = round(stakes.sum() ** 2 / (stakes @ stakes))
        priced.append(replace(goal, measure=fixed, prevalence=share, n_samples=n_effective))
    return priced
