"""Aim: what a promise is about, read from its sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pseudolinear.evaluation._label_values import limits_of
from pseudolinear.evaluation._ratio import PRECISION, RECALL
from pseudolinear.measures import Measure, get_measure

SENTENCE = re.compile(r"\s*(\w+(?:\.\d+)?)\s*(?:>=|≥)\s*([-+]?[\d.]+(?:e-?\d+)?)\s*", re.IGNORECASE)
KNOWN = "recall, precision, f1, f2, jaccard, accuracy, balanced_accuracy, cohen_kappa, mcc, g_mean"
SHARES = {"recall": RECALL, "precision": PRECISION}


@dataclass(frozen=True, eq=False)
class Aim:
    """A measure of one label, and the value that it is to have at least.

    Attributes
    ----------
    measure : str
        Its name.
    least : float
        In (0, 1].
    objective : Measure, Objective or Ratio
        What the name stands for.

    Examples
    --------
    >>> from pseudolinear.evaluation import Aim
    >>> aim = Aim.read("F2>=0.60")
    >>> aim.sentence, aim.objective
    ('f2 >= 0.6', FBeta(beta=2.0))
    """

    measure: str
    least: float
    objective: Any

    @classmethod
    def read(cls, sentence: str) -> Self:
        """Read a sentence such as ``"recall >= 0.9"``."""
        if not isinstance(sentence, str):
            raise TypeError(
                f"A promise is a text such as 'recall >= 0.9', got {type(sentence).__name__}."
            )
        match = SENTENCE.fullmatch(sentence)
        if not match:
            raise ValueError(
                "A promise reads 'measure >= value', as 'recall >= 0.9', 'precision >= 0.8' or "
                f"'f1 >= 0.6', got {sentence!r}."
            )
        measure, least = match[1].lower(), _read_share(match[2], sentence)
        return cls(measure, least, _objective(measure))

    @property
    def trades(self) -> bool:
        """Whether it is one of precision and recall, which cost each other."""
        return self.measure in SHARES

    @property
    def sentence(self) -> str:
        """What is promised."""
        return f"{self.measure} >= {self.least:g}"


def _read_share(text: str, sentence: str) -> float:
    try:
        value = float(text)
    except ValueError:  # as 0.9.1
        value = np.nan
    if not 0 < value <= 1:
        raise ValueError(
            f"The value of a promise must be in (0, 1], as in 'recall >= 0.9', got {sentence!r}."
        )
    return value


def _objective(name: str) -> Any:
    """Return what a name stands for, if its value has a bound that holds at every sample size."""
    if name in SHARES:
        return SHARES[name]
    try:
        objective = get_measure(name)
    except ValueError:
        raise ValueError(
            f"Unknown measure {name!r} of a promise; known are {KNOWN} and whatever else is a "
            "measure of one label."
        ) from None
    if isinstance(objective, Measure) and objective.average != "binary":
        raise ValueError(
            f"{name!r} is an average, which cannot be promised; promise each label, as in 'f1 >= "
            "0.6': with several labels it holds for all of them together."
        )
    if not np.isfinite(limits_of(objective)).all():
        raise ValueError(
            f"{name!r} has no bound that holds at every number of rows, so it cannot be promised; "
            f"known are {KNOWN}."
        )
    return objective
