"""From scores of fresh rows to the thresholds that keep a promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve, Outcomes
from pseudolinear.evaluation._aim import Aim
from pseudolinear.evaluation._fixed_sequence import Tested, find_cut
from pseudolinear.evaluation._label_evaluation import evaluate_labels
from pseudolinear.evaluation._label_promise import LabelPromise
from pseudolinear.evaluation._promise import Promise
from pseudolinear.evaluation._units import Units

SEEN = 0.05  # error of the intervals of what was seen


def make_promise(
    aim: Aim,
    curves: Mapping[int, ErrorCurve],
    true: NDArray[np.bool_],
    scores: NDArray[np.float64],
    names: NDArray[Any],
    error: float,
) -> tuple[Promise, dict[int, int]]:
    """Find a cut of every label so that the promise holds for all of them together.

    Each label has an equal share of the error (Bonferroni).

    Parameters
    ----------
    aim : Aim
        What is to hold for each label.
    curves : mapping from int to ErrorCurve
        Cuts to try of each label; one that all rows of a curve agree on is left out.
    true : ndarray of bool, shape (n_samples, n_labels)
        Which rows carry each label.
    scores : ndarray of shape (n_samples, n_labels)
        What thresholds cut.
    names : ndarray of shape (n_labels,)
        Names of the labels.
    error : float
        Probability that the promise does not hold for some label, at most.

    Returns
    -------
    promise : Promise
        What was found.
    cuts : dict from int to int
        Position of each label's threshold on its curve.
    """
    if true.shape[1] != len(names):
        raise ValueError(
            f"y has {true.shape[1]} labels and the classifier {len(names)}; give y as in fit."
        )
    labels = [label for label in sorted(curves) if 0 < curves[label].prevalence[0] < 1]
    without = [label for label in labels if not true[:, label].any()]
    if without:
        of = _of(names, without) if len(labels) > 1 else ""
        raise ValueError(f"No row is positive{of}; give rows that are drawn as those to come.")
    share = error / len(labels)
    found = {
        label: find_cut(aim, curves[label], true[:, label], scores[:, label], share)
        for label in labels
    }
    cuts = {label: one.cut for label, one in found.items() if one.cut is not None}
    if len(cuts) < len(found):
        raise ValueError(_refusal(aim, found, names, error, len(true)))
    thresholds = np.array([curves[label].thresholds[cuts[label]] for label in labels])
    outcomes = Outcomes(true[:, labels], scores[:, labels] > thresholds, tuple(names[labels]))
    seen = evaluate_labels(outcomes.labels, aim.objective, Units.of(outcomes), SEEN, exact=False)
    promised = tuple(
        LabelPromise(**vars(one), threshold=threshold, bound=found[label].bound)
        for one, label, threshold in zip(seen, labels, thresholds.tolist(), strict=True)
    )
    left_out = tuple(name for i, name in enumerate(names.tolist()) if i not in cuts)
    return Promise(aim.measure, aim.least, error, len(true), promised, left_out), cuts


def _refusal(
    aim: Aim, found: Mapping[int, Tested], names: NDArray[Any], error: float, n_rows: int
) -> str:
    """Say that there is no threshold, and what the same rows would have allowed.

    The first cut of each label is the same for every value promised, so its bound alone says which
    one would have been accepted.
    """
    failed = {label: one.bound for label, one in found.items() if one.cut is None}
    possible = np.floor(100 * min(failed.values())) / 100
    advice = "give more rows"
    if possible > 0:
        advice = f"{aim.measure} >= {possible:g} could be promised, or give more rows"
    of = _of(names, list(failed)) if len(found) > 1 else ""
    return (
        f"No threshold can promise {aim.sentence}{of} at error {error:g} on these {n_rows} rows; "
        f"{advice}."
    )


def _of(names: NDArray[Any], labels: list[int]) -> str:
    """Name the first of some labels, and count the others."""
    others = f" and {len(labels) - 1} more" if len(labels) > 1 else ""
    return f" for label {names.tolist()[labels[0]]!r}{others}"
