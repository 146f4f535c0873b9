"""What other measures would get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.measures import Measure, get_ratio
from pseudolinear.sweep import Frontier

STEMS = ("f1", "f2", "f0.5", "jaccard", "balanced_accuracy", "cohen_kappa", "accuracy")
OF_CLASSES = ("balanced_accuracy", "cohen_kappa", "accuracy")  # defined for any number of classes


class OtherMeasure(NamedTuple):
    """A measure, what the predictions have now, and what could be had; None if unknown.

    Attributes
    ----------
    name : str
        As `get_measure` knows it.
    now : float
        Of the predictions.
    by_threshold : float or None
        With the best thresholds on the same rows: optimistic, since these rows choose them.
    by_sweep : float or None
        With the best candidates of the sweep, on its validation rows.
    """

    name: str
    now: float
    by_threshold: float | None = None
    by_sweep: float | None = None


def other_label_measures(
    profile: ErrorProfile,
    curves: Sequence[ErrorCurve],
    average: str,
    frontier: Frontier | None,
) -> list[OtherMeasure]:
    """Evaluate the labels of a binary or multilabel problem by every measure.

    Examples
    --------
    >>> from pseudolinear.report import other_label_measures
    >>> curve = ErrorCurve.from_scores([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0])
    >>> f1, *_ = other_label_measures(curve.profile(1), [curve], "binary", None)
    >>> f1
    OtherMeasure(name='f1', now=0.667, by_threshold=0.8, by_sweep=None)
    """
    here = Frontier(tuple(range(len(curves))), tuple(curves), ())
    names = [stem if average == "binary" else f"{stem}_{average}" for stem in STEMS]
    return [
        OtherMeasure(
            name,
            float(get_ratio(name).value(profile)),
            here.value(name),
            None if frontier is None else frontier.value(name),
        )
        for name in names
    ]


def other_class_measures(profile: ErrorProfile) -> list[OtherMeasure]:
    """Evaluate the classes of a multiclass problem, whose other thresholds are not searched."""
    names = [stem if stem in OF_CLASSES else f"{stem}_macro" for stem in STEMS]
    measures = {name: get_ratio(name).for_classes(max(profile.n_labels, 3)) for name in names}
    return [OtherMeasure(name, float(m.value(profile))) for name, m in measures.items()]


def average_of(objective: Any, n_labels: int) -> str:
    """Return the average in which other measures are to be compared with an objective."""
    if n_labels == 1:
        return "binary"
    known = isinstance(objective, Measure) and objective.average in ("micro", "weighted")
    return str(objective.average) if known else "macro"
