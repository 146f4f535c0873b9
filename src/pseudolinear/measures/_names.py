"""The names that stand for measures."""

from __future__ import annotations

import re

from pseudolinear.measures._f_beta import FBeta
from pseudolinear.measures._measure import Measure
from pseudolinear.measures._objective import Objective
from pseudolinear.measures._suggestions import suggestion

AVERAGES = ("micro", "macro", "weighted")  # what a name can end with


def get_measure(measure: str | Measure | Objective) -> Measure | Objective:
    """Turn a name into what it stands for.

    Parameters
    ----------
    measure : str, Measure or Objective
        ``"f1"``, ``"f2"``, ``"f0.5"`` or any other beta, ``"jaccard"``, ``"tversky"``,
        ``"cohen_kappa"``, ``"balanced_accuracy"``, ``"gower_legendre"`` or ``"accuracy"``, each
        alone or followed by ``"_micro"``, ``"_macro"`` or ``"_weighted"``; alone, accuracy,
        balanced accuracy and Cohen's kappa are for any number of classes. ``"mcc"`` and
        ``"g_mean"`` are no ratios: see :class:`MatthewsCorrelation` and :class:`GeometricMean` for
        what is exact about them. A measure or an objective is returned as it is.

    Returns
    -------
    Measure or Objective
        All have `score` but the constraints.

    Examples
    --------
    >>> get_measure("f0.5_micro"), get_measure("mcc")
    (FBeta(beta=0.5, average='micro'), MatthewsCorrelation())
    """
    if isinstance(measure, Measure | Objective):
        return measure
    if not isinstance(measure, str):
        raise TypeError(
            f"measure must be a name or a Measure such as FBeta(2), got {type(measure).__name__}."
        )
    if measure in Objective.known:
        return Objective.known[measure]()
    stem, _, average = measure.rpartition("_")
    if average not in AVERAGES:
        stem, average = measure, "binary"
    if match := re.fullmatch(r"f(\d+(?:\.\d+)?)", stem):
        return FBeta(float(match[1]), average=average)
    if stem in Measure.known:
        return Measure.known[stem](average=average)
    stems = ["f1", "f2", "f0.5", *Measure.known]
    averaged = [f"{stem}_{average}" for stem in stems for average in AVERAGES]
    advice = suggestion(measure, [*stems, *Objective.known], averaged)
    raise ValueError(f"Unknown measure {measure!r}; {advice}")


def get_ratio(measure: str | Measure) -> Measure:
    """Turn a name into a measure that is a ratio, where nothing else will do.

    Parameters
    ----------
    measure : str or Measure
        See :func:`get_measure`.

    Returns
    -------
    Measure
        With costs and levels.
    """
    found = get_measure(measure)
    if isinstance(found, Measure):
        return found
    raise ValueError(
        f"{measure!r} is not a ratio of affine functions of the errors, which is needed here; use "
        f"{found.training_measure('binary')!r}, or MeasureClassifier(measure={measure!r})."
    )
