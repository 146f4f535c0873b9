"""The floor: on the rows of a fit, no decision is worse than a constant answer."""

from __future__ import annotations

import warnings
from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.portfolio._common import Common, Fitted
from pseudolinear.selection import Constrained

CLEAR = 0.1  # how much more than a constant answer, on average over goals, is worth a warning


def lift_to_floor(common: Common, fitted: Fitted, train: NDArray[np.intp]) -> Fitted:
    """Choose thresholds anew that make the final models worse than a constant answer.

    A threshold is chosen on validation rows and belongs to other models than the final ones. Where
    these give other scores, as after training that has not converged, under weights that leave a
    few rows, or where all scores are nearly equal, it can miss every row.

    Parameters
    ----------
    common : Common
        The rows of the fit.
    fitted : Fitted
        Final models, with the thresholds of validation.
    train : ndarray
        Numbers of the rows that they were trained on.

    Returns
    -------
    Fitted
        With the thresholds that serve these rows best, for the labels where a constant answer
        would have been better.
    """
    found, decision, cutter = fitted.sweep, fitted.decision, common.cutter
    aims_elsewhere = isinstance(found.rule, Constrained) or found.population is not None
    if aims_elsewhere or not cutter.tune_threshold or cutter.costs is not None:
        return fitted
    scores = decision.scores_of(common.rows.encoded(decision.features, train))
    thresholds = found.thresholds
    lifted: dict[int, Any] = {}
    promised = []
    rows = cutter.codes, scores, thresholds, common.rows.sample_weight
    below = found.kind.below_floor(found.goals, *rows)
    for goal, choice in compress(zip(found.goals, found.choices, strict=True), below):
        floor, own = found.kind.lift(goal, *rows)
        lifted.update(own)
        if own and choice.value > floor:
            promised.append((choice.value, floor))
    if not lifted:
        return fitted
    n_positives = int(np.count_nonzero(found.kind.indicators(cutter.codes)))
    _warn(promised, len(found.goals), n_positives)
    threshold = found.kind.thresholds(thresholds | lifted)
    return fitted._replace(decision=replace(decision, threshold=threshold))


def _warn(promised: list[tuple[float, float]], n_goals: int, n_positives: int) -> None:
    """Say where validation has promised what the final models do not keep.

    Less is chance: one rare label of many, or a few rows, for the standard error of a share of n
    rows is at most 1 / (2 sqrt(n)), and two of them are nothing to speak of.
    """
    chance = 1 / np.sqrt(n_positives)
    if sum(value - floor for value, floor in promised) <= (CLEAR + chance) * n_goals:
        return
    value, floor = max(promised, key=lambda pair: pair[0] - pair[1])
    of = f" for {len(promised)} of {n_goals} labels" if n_goals > 1 else ""
    warnings.warn(
        f"Validation gave {value:.3g}{of}, but with its threshold the final model is worse on the "
        f"rows of the fit than a constant answer, which gives {floor:.3g}; the threshold was "
        "chosen anew on these rows. Do not rely on best_score_: more rows, weights that are less "
        "far apart, or scaled features help.",
        stacklevel=6,
    )
