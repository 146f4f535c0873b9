"""Recall and precision by name, which can be evaluated but not trained for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pseudolinear.measures import Coefficients, Measure, Objective, get_measure

AVERAGES = ("micro", "macro", "weighted")


@dataclass(frozen=True, repr=False)
class Share(Measure):
    """The share of true positives among the positive rows, or among those that are predicted.

    Alone it is largest for a trivial answer, so :func:`get_measure` does not know it.

    Examples
    --------
    >>> from pseudolinear.evaluation._share import Share
    >>> Share("recall").score([1, 1, 0], [1, 0, 0]), Share("precision").score([1, 1, 0], [1, 0, 0])
    (0.5, 1.0)
    """

    of: str

    def of_pair(self, positives: Any, negatives: Any) -> Coefficients:
        """Give the coefficients for one pair (fn, fp)."""
        errors = np.array([0.0, 0.0] if self.of == "recall" else [-1.0, 1.0])
        return Coefficients(positives, np.array([-1.0, 0.0]), positives, errors)


def read_measure(measure: str | Measure | Objective) -> Measure | Objective:
    """Turn a name into what is evaluated: also ``"recall"`` and ``"precision"``.

    Parameters
    ----------
    measure : str, Measure or Objective
        As for :func:`get_measure`; both may have an average as well.

    Returns
    -------
    Measure or Objective
        What it stands for.

    Examples
    --------
    >>> from pseudolinear.evaluation._share import read_measure
    >>> read_measure("recall_macro")
    Share(of='recall', average='macro')
    """
    if isinstance(measure, str):
        stem, _, average = measure.rpartition("_")
        stem, average = (stem, average) if average in AVERAGES else (measure, "binary")
        if stem in ("recall", "precision"):
            return Share(stem, average=average)
    return get_measure(measure)
