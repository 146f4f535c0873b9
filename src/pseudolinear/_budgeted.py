"""What a budget becomes: an objective for candidates, and a policy for predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _num_samples

from pseudolinear._decision import Decision
from pseudolinear._label_budget import LabelBudget, LabelRule
from pseudolinear._policy import Policy
from pseudolinear._row_budget import RowBudget
from pseudolinear.measures import Measure, Objective
from pseudolinear.selection import Constrained
from pseudolinear.sweep import SweepResult
from pseudolinear.thresholds import Budget, best_labels


def resolve_on_rows(goal: Measure | Objective, y: NDArray[Any], X: Any) -> Measure | Objective:
    """Return what candidates are chosen for on rows of a fit; what is no budget as it is."""
    if not isinstance(goal, Budget):
        return goal
    if type_of_target(y) == "multiclass":
        raise ValueError(
            f"{goal!r} is for two classes or for labels, and y has {np.unique(y).size} classes; "
            "compare y with the class that is looked for, as in y == 'fraud'."
        )
    return goal.resolve(len(y), 1 if y.ndim == 1 else y.shape[1], X)


def resolve_on_sweep(
    goal: Measure | Objective, sweep: SweepResult, X: Any, *, same: bool
) -> Measure | Objective:
    """Return what candidates of a sweep are chosen for; X, if given, are rows of a batch.

    The same goal as before, without rows, keeps the share of the rows that it had.
    """
    if not isinstance(goal, Budget):
        return goal
    if not sweep.kind.separable:
        raise ValueError(f"{goal!r} is for labels; this sweep has several classes.")
    if same and X is None and isinstance(sweep.rule, Constrained):
        return sweep.rule.objective
    n_samples = sweep.goals[0].n_samples if X is None else _num_samples(X)
    return goal.resolve(n_samples, sweep.kind.n_models, X)


def policy_of(goal: Measure | Objective, decision: Decision, X: Any) -> Policy | None:
    """Return how a budget is kept; None where thresholds do it, and without a budget.

    Parameters
    ----------
    goal : Measure or Objective
        What the user asked for.
    decision : Decision
        What predicts without the budget.
    X : object
        Checked rows to learn a rule for streams from, or None.

    Returns
    -------
    Policy or None
        Part of the decision.
    """
    if not isinstance(goal, Budget):
        return None
    if goal.limits_labels(decision.kind.n_models):
        return _of_labels(goal, decision, X)
    if not goal.batch:
        return None
    return RowBudget(goal.k, goal.share, goal.by)


def _of_labels(goal: Budget, decision: Decision, X: Any) -> LabelBudget:
    measure = goal.training_measure("macro")
    assert goal.k is not None
    budget = goal.k, measure, decision.threshold, decision.calibration
    if goal.batch:
        return LabelBudget(*budget)
    if X is None:
        raise ValueError(
            f"{goal!r} learns a rule for the rows of a stream from some of them: give them as X, "
            "without y."
        )
    plan = best_labels(decision.predict_proba(X, agreeing=False), goal.k, measure)
    return LabelRule(*budget, plan.weights, plan.offsets)
