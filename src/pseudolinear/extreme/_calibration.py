"""Calibration of many labels at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pseudolinear._calibration import CERTAIN, SATURATED, Calibration
from pseudolinear._platt import lines_of
from pseudolinear.extreme._label_curves import LabelCurves
from pseudolinear.kinds import ManyLabels


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
    slope = np.full(kind.n_models, 2 * CERTAIN)
    intercept = np.where(kind.always, CERTAIN, -CERTAIN)
    slope[labels], intercept[labels] = lines_of(curves)
    return Calibration(slope, intercept, SATURATED)
