"""cut_columns: thresholds of many labels at once, exact for the measure, shrunk for rare labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear.errors import ErrorProfile
from pseudolinear.extreme._label_curves import LabelCurves
from pseudolinear.loops._label_curves import first_in_parts
from pseudolinear.measures import ROUNDING, Measure, label_mean
from pseudolinear.selection import TRUST, shrink


@dataclass(frozen=True, eq=False)
class LabelCuts:
    """One cut of every label.

    Attributes
    ----------
    positions : ndarray of shape (n_labels,)
        Which cuts of the curves these are.
    thresholds : ndarray of shape (n_labels,)
        Rows with at least this score are predicted.
    profile : ErrorProfile
        The errors of all labels.
    value : float
        What the measure gives for them.
    """

    positions: NDArray[np.int64]
    thresholds: NDArray[np.float64]
    profile: ErrorProfile
    value: float

    __repr__ = brief_repr


def cut_columns(
    scores: Any, truth: Any, measure: Measure, *, trust: float = TRUST
) -> tuple[LabelCuts, LabelCurves]:
    """Cut the scores of many labels, all in compiled passes.

    Parameters
    ----------
    scores : ndarray or sparse matrix of shape (n_samples, n_labels)
        Scores of held-out rows; where they are sparse, labels of a row without a stored score are
        never predicted.
    truth : sparse matrix of shape (n_samples, n_labels)
        0/1.
    measure : Measure
        A macro or weighted average: every label gets its best cut, shrunk if it is rare. A micro
        average: the jointly best cuts.
    trust : float, default=20
        Positive rows at which a label's own evidence weighs as much as that of all labels; 0 gives
        exact best cuts.

    Returns
    -------
    cuts : LabelCuts
        The chosen cuts.
    curves : LabelCurves
        What they were chosen from, which other measures can be chosen from as well.

    Examples
    --------
    >>> from pseudolinear import FBeta
    >>> from pseudolinear.extreme import cut_columns
    >>> Y = sparse.csr_matrix([[1, 0], [0, 1], [1, 1]])
    >>> scores = np.array([[0.9, 0.2], [0.1, 0.6], [0.3, 0.7]])
    >>> cut_columns(scores, Y, FBeta(average="micro"))[0].value
    1.0
    """
    if sparse.issparse(scores):
        curves = LabelCurves.of_sparse_scores(scores, truth)
    else:
        by_label = np.array(np.asarray(scores, dtype=np.float64).T, order="C", copy=True)
        curves = LabelCurves.of_scores(by_label, sparse.csc_matrix(truth))
    return choose_cuts(curves, measure, trust=trust), curves


def choose_cuts(curves: LabelCurves, measure: Measure, *, trust: float = TRUST) -> LabelCuts:
    """Choose one cut of every label; see :func:`cut_columns`."""
    if not measure.decomposes:
        return _joint_cuts(curves, measure)
    values = curves.values(measure.binary())
    positions = first_in_parts(values, curves.starts, ROUNDING)
    if trust > 0 and len(curves) > 1:
        positions = _shrunk(curves, positions, trust)
    weights = measure.label_weights(curves.prevalence)
    return _cuts(curves, positions, float(label_mean(values[positions], weights)))


def _shrunk(curves: LabelCurves, positions: NDArray[np.int64], trust: float) -> NDArray[np.int64]:
    """Move the cuts of rare labels towards the predicted-to-true ratio of all, as `Shrunk` does."""
    ratios, n_positive = curves.log_ratios(), curves.prevalence * curves.n_samples
    best = ratios[positions]
    wanted = shrink(best, np.average(best, weights=n_positive), n_positive, trust)
    return first_in_parts(-np.abs(ratios - curves.spread(wanted)), curves.starts, 0.0)


def _joint_cuts(curves: LabelCurves, measure: Measure) -> LabelCuts:
    """Raise the level to the value of the cheapest cuts until it stops rising (Dinkelbach)."""
    ends = curves.starts[:-1], curves.starts[1:] - 1
    found = max((_evaluated(curves, cuts, measure) for cuts in ends), key=lambda one: one.value)
    while True:
        cuts = cheapest_cuts(curves, measure, found.value)
        better = _evaluated(curves, cuts, measure)
        if better.value <= found.value:
            return found
        found = better


def cheapest_cuts(curves: LabelCurves, measure: Measure, level: float) -> NDArray[np.int64]:
    """Return the cheapest cut of every label at the costs of a level."""
    costs = curves.spread(measure.costs(level, curves.prevalence))
    if (costs < -ROUNDING).any():
        raise ValueError(
            f"{measure!r} has a negative cost at the level {level:g}, so that more errors would "
            "be better; thresholds need costs that are not negative."
        )
    total = curves.fn * costs[:, 0] + curves.fp * costs[:, 1]
    return first_in_parts(-total, curves.starts, 0.0)


def _evaluated(curves: LabelCurves, cuts: NDArray[np.int64], measure: Measure) -> LabelCuts:
    return _cuts(curves, cuts, float(measure.value(curves.profile(cuts))))


def _cuts(curves: LabelCurves, positions: NDArray[np.int64], value: float) -> LabelCuts:
    return LabelCuts(positions, curves.thresholds[positions], curves.profile(positions), value)
