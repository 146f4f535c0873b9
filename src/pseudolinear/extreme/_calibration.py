"""Calibration of many labels at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pseudolinear._calibration import (
    CERTAIN,
    DOUBT,
    LEAST_SLOPE,
    SATURATED,
    Calibration,
)
from pseudolinear.extreme._label_curves import LabelCurves
from pseudolinear.kinds import ManyLabels
from pseudolinear.loops._platt import fit_lines


def calibrate(curves: LabelCurves, labels: NDArray[np.intp], kind: ManyLabels) -> Calibration:
    """Make log-odds of scores by what held-out rows have shown, as of a few labels.

    Parameters
    ----------
    curves : LabelCurves
        The errors of some labels.
    labels : ndarray of int
        Which labels these are.
    kind : ManyLabels
        Says of the others what all their rows are; their score is 0.

    Returns
    -------
    Calibration
        One line per label.
    """
    lines = np.empty((len(labels), 2))
    fit_lines(
        curves.starts,
        curves.thresholds,
        curves.fn,
        curves.fp,
        curves.prevalence,
        SATURATED,
        DOUBT,
        LEAST_SLOPE,
        lines,
    )
    slope = np.full(kind.n_models, 2 * CERTAIN)
    intercept = np.where(kind.always, CERTAIN, -CERTAIN)
    slope[labels], intercept[labels] = lines.T
    return Calibration(slope, intercept, SATURATED)
