"""The names that stand for measures."""

from __future__ import annotations

import difflib
import re

from pseudolinear.measures._f_beta import FBeta
from pseudolinear.measures._measure import Measure


def get_measure(measure: str | Measure) -> Measure:
    """Turn a name into a measure.

    Parameters
    ----------
    measure : str or Measure
        ``"f1"``, ``"f2"``, ``"f0.5"`` or any other beta, ``"jaccard"``, ``"tversky"``,
        ``"cohen_kappa"``, ``"balanced_accuracy"``, ``"gower_legendre"`` or ``"accuracy"``, each
        alone or followed by ``"_micro"`` or ``"_macro"``; a measure is returned as it is.

    Returns
    -------
    Measure
        The measure.

    Examples
    --------
    >>> get_measure("f0.5_micro")
    FBeta(beta=0.5, average='micro')
    """
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise TypeError(
            f"measure must be a name or a Measure such as FBeta(2), got {type(measure).__name__}."
        )
    stem, _, average = measure.rpartition("_")
    if average not in ("micro", "macro"):
        stem, average = measure, "binary"
    if match := re.fullmatch(r"f(\d+(?:\.\d+)?)", stem):
        return FBeta(float(match[1]), average=average)
    if stem in Measure.known:
        return Measure.known[stem](average=average)
    if measure.endswith(("_samples", "_weighted")):
        other = ", or pseudolinear.rivals.GFMClassifier" if measure.endswith("_samples") else ""
        raise ValueError(
            f"{measure!r} is not a pseudo-linear measure of the error profile; "
            f"use its _micro or _macro average{other}."
        )
    stems = ["f1", "f2", "f0.5", *Measure.known]
    names = [stem + suffix for stem in stems for suffix in ("", "_micro", "_macro")]
    same_words = [name for name in names if _words(name) == _words(measure)]  # as in "macro_f1"
    close = same_words or difflib.get_close_matches(measure.lower(), names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(stems)}."
    raise ValueError(f"Unknown measure {measure!r}; {hint}")


def _words(name: str) -> list[str]:
    return sorted(re.split(r"[_\W]+", name.lower()))
