"""evaluate: predictions in, a value with its interval out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import check_weights
from pseudolinear.errors import Outcomes
from pseudolinear.evaluation._case import Case
from pseudolinear.evaluation._evaluation import Evaluation
from pseudolinear.evaluation._label_evaluation import evaluate_labels
from pseudolinear.evaluation._reading import read_predictions
from pseudolinear.evaluation._units import Units
from pseudolinear.measures import Measure, Objective

METHODS = ("auto", "wilson", "exact", "betting", "delta", "bootstrap")
EXACT = ("exact", "betting")
DRAWN = "the {} were drawn alike and independently, and were not used to decide anything before"
NEARLY = ", and are enough for the approximation"


def evaluate(
    y_true: Any,
    y_pred: Any,
    measure: str | Measure | Objective = "f1",
    *,
    pos_label: Any = None,
    confidence: float = 0.95,
    method: str = "auto",
    sample_weight: Any = None,
    groups: Any = None,
    random_state: Any = 0,
) -> Evaluation:
    """Evaluate predictions by a measure, with an interval for it.

    Parameters
    ----------
    y_true, y_pred : array-like, sparse matrix, data frame or list of collections
        What is true and what was predicted, both decisions: classes, or the labels of a multilabel
        problem in any form that :meth:`MeasureClassifier.fit` takes.
    measure : str, Measure or Objective, default="f1"
        See :func:`get_measure`. Of a constraint, what it is after.
    pos_label : object, default=None
        The positive class of two; None takes 1 of the classes 0 and 1 or -1 and 1, and of other
        classes the rarer one in `y_true`.
    confidence : float, default=0.95
        How often such an interval is to hold the value on all rows like these.
    method : {"auto", "wilson", "exact", "betting", "delta", "bootstrap"}, default="auto"
        How the interval is found (docs/trust.md). ``"auto"`` is Wilson's where the measure grows
        with a proportion, as F1, Jaccard and accuracy do, and the delta method for all others.
        ``"exact"`` holds at every number of rows and is longer.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.
    groups : array-like of shape (n_samples,), default=None
        Rows of one group (a patient, a document) need not be independent of each other.
    random_state : int, RandomState instance or None, default=0
        Seed of the bootstrap.

    Returns
    -------
    Evaluation
        With the value, its interval, and the same for each label.

    Examples
    --------
    >>> result = evaluate([1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0], "f1")
    >>> round(result.value, 3), tuple(round(end, 3) for end in result.interval)
    (0.667, (0.261, 0.919))
    """
    objective, (outcomes,) = read_predictions(y_true, [y_pred], measure, pos_label, sample_weight)
    return assess(
        outcomes,
        objective,
        name=measure if isinstance(measure, str) else repr(measure),
        confidence=confidence,
        method=method,
        sample_weight=sample_weight,
        groups=groups,
        random_state=random_state,
    )


def assess(
    outcomes: Outcomes,
    objective: Measure | Objective,
    *,
    name: str,
    confidence: float = 0.95,
    method: str = "auto",
    sample_weight: Any = None,
    groups: Any = None,
    random_state: Any = 0,
) -> Evaluation:
    """Evaluate outcomes: see :func:`evaluate`."""
    _check_method(method, confidence)
    weight = check_weights(sample_weight, len(outcomes.true))
    units = Units.of(outcomes, weight, groups)
    case = Case(objective, units, outcomes.exclusive, 1 - confidence, random_state)
    ends, used = getattr(case, method)()
    value = float(objective.value(outcomes.profile(weight)))
    interval = min(float(ends[0]), value), max(float(ends[1]), value)
    labels = evaluate_labels(
        outcomes.labels, objective, units, 1 - confidence, exact=method in EXACT
    )
    if len(labels) == 1:  # one label is all there is
        labels = (replace(labels[0], interval=interval),)
    return Evaluation(
        measure=name,
        value=value,
        interval=interval,
        confidence=confidence,
        method=used,
        assumption=_assumption(groups, exact=method in EXACT),
        n_rows=len(outcomes.true),
        labels=labels,
        confusion=_confusion(outcomes, weight) if outcomes.exclusive else None,
        classes=outcomes.labels if outcomes.exclusive else (),
    )


def _assumption(groups: Any, *, exact: bool) -> str:
    drawn = DRAWN.format("rows" if groups is None else "groups")
    return drawn if exact else drawn + NEARLY


def _confusion(outcomes: Outcomes, weight: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return the weight of the rows of each true class that were given each class."""
    n_classes = len(outcomes.labels)
    codes = outcomes.true.argmax(axis=1) * n_classes + outcomes.predicted.argmax(axis=1)
    return np.bincount(codes, weight, n_classes**2).reshape(n_classes, n_classes).astype(float)


def _check_method(method: str, confidence: float) -> None:
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}.")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, as 0.95, got {confidence!r}.")
