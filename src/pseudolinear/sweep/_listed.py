"""A sweep as tables: a row per candidate and fold, or one per label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pseudolinear.errors import ErrorCurve
from pseudolinear.kinds import Goal
from pseudolinear.selection import Candidate

if TYPE_CHECKING:
    from pseudolinear.sweep._result import SweepResult


def candidate_rows(sweep: SweepResult) -> list[dict[str, Any]]:
    """List every candidate; see :meth:`SweepResult.rows`."""
    table = []
    for goal, candidates in zip(sweep.goals, sweep.by_goal, strict=True):
        for candidate in candidates:
            curves = {-1: candidate.curve, **dict(enumerate(candidate.fold_curves))}
            for fold, curve in curves.items():
                cut, value = sweep.rule.cut_curve(goal, candidate, curve)
                table.append(_row(sweep, candidate, fold, curve, cut, value))
    return table


def label_rows(sweep: SweepResult) -> list[dict[str, Any]]:
    """List what was chosen for each label; see :meth:`SweepResult.labels`."""
    seen = sweep.chosen_as_seen
    return [
        _label_row(sweep, goal, candidate, cut, seen[candidate.label].curve)
        for goal, choice in zip(sweep.goals, sweep.choices, strict=True)
        for candidate, cut in zip(choice.candidates, choice.cuts, strict=True)
    ]


def _row(
    sweep: SweepResult, candidate: Candidate, fold: int, curve: ErrorCurve, cut: int, value: float
) -> dict[str, Any]:
    return {
        "label": sweep.kind.label_name(candidate.label),
        "level": candidate.level,
        **sweep.kind.cost_columns(candidate.costs),
        **candidate.params,
        "fold": fold,
        "threshold": np.asarray(curve.thresholds[cut]).tolist(),
        "fn": float(curve.fn[cut].sum()),
        "fp": float(curve.fp[cut].sum()),
        "value": value,
        "optimality": candidate.optimality,
    }


def _label_row(
    sweep: SweepResult, goal: Goal, candidate: Candidate, cut: int, seen: ErrorCurve
) -> dict[str, Any]:
    folds = sweep.fold_cuts(goal, candidate)
    positive = float(seen.prevalence.sum()) * goal.n_samples
    return {
        "label": sweep.kind.label_name(candidate.label),
        "level": candidate.level,
        **candidate.params,
        "n_positive": round(positive),
        "threshold": np.asarray(candidate.curve.thresholds[cut]).tolist(),
        "threshold_spread": float(np.std([t for t, _ in folds], axis=0).max()) if folds else np.nan,
        "value": sweep.rule.label_value(goal, candidate, cut),
        "value_spread": float(np.std([v for _, v in folds])) if folds else np.nan,
    }
