"""Truncation: which weights are left out, and what that costs on held-out rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import SparseOutcomes
from pseudolinear.extreme._problems import Fold, Problems, score, solve
from pseudolinear.extreme._weight_blocks import leave_out
from pseudolinear.measures import Measure

SHARES = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
ALLOWED = 0.001  # of the measure: a tenth of a point


class Truncation(NamedTuple):
    """What is left out of the weights.

    Attributes
    ----------
    share : float
        Weights below this share of the largest of their label are left out; 0: none.
    loss : float
        By how much that lowered the measure on held-out rows, at some of the labels.
    kept : float
        Share of the weights of these labels that is kept.
    """

    share: float
    loss: float
    kept: float


def measure_truncation(
    problems: Problems,
    thresholds: NDArray[np.float64],
    fold: Fold,
    Y: Any,
    weight: NDArray[np.float64] | None,
    measure: Measure,
    tol: float,
) -> Truncation:
    """Leave out as many weights as cost less than a tenth of a point on held-out rows.

    Parameters
    ----------
    problems : Problems
        What was chosen for some of the labels, one problem each.
    thresholds : ndarray of shape (n_problems,)
        Where their scores are cut.
    fold : Fold
        Rows to train on and rows to measure on.
    Y : csc_matrix of shape (n_samples, n_labels)
        0/1.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    measure : Measure
        What is maximised.
    tol : float
        Relative duality gap.

    Returns
    -------
    Truncation
        The largest share that is allowed.
    """
    own, held_out = (None if weight is None else weight[rows] for rows in (fold.train, fold.test))
    coef, intercept = solve(problems, fold.X_train, Y[fold.train], own, tol)
    truth = Y[:, problems.labels][fold.test]

    def value(coef: NDArray[np.float64]) -> float:
        flagged = score(fold.X_test, coef, intercept) > thresholds
        outcomes = SparseOutcomes.of_matrices(truth, flagged, range(len(thresholds)))
        return measure.of_outcomes(outcomes, held_out)

    whole, used = value(coef), max(int((coef != 0).sum()), 1)
    for share in SHARES:
        kept = leave_out(coef, share).astype(np.float32).astype(np.float64)
        loss = whole - value(kept)
        if loss <= ALLOWED:
            return Truncation(share, loss, float((kept != 0).sum() / used))
    return Truncation(0.0, 0.0, 1.0)
