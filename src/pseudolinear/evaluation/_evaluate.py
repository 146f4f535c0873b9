"""evaluate: predictions in, a value with its interval out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pseudolinear._groups import read_clusters, read_groups
from pseudolinear._validation import check_confidence, check_weights
from pseudolinear.errors import Outcomes
from pseudolinear.evaluation._evaluation import Evaluation
from pseudolinear.evaluation._group_evaluations import GroupEvaluation, GroupEvaluations
from pseudolinear.evaluation._part import Part, gaps_between
from pseudolinear.evaluation._reading import cut_scores, read_predictions
from pseudolinear.measures import BalancedAccuracy, Measure, Objective, short_name

METHODS = ("auto", "wilson", "exact", "betting", "delta", "bootstrap")
EXACT = ("exact", "betting")
ALL_CLASSES = ", and that every class occurs among them"


def evaluate(
    y_true: Any,
    y_pred: Any,
    measure: str | Measure | Objective = "f1",
    *,
    threshold: Any = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    method: str = "auto",
    sample_weight: Any = None,
    groups: Any = None,
    by: Any = None,
    random_state: Any = 0,
) -> Evaluation:
    """Evaluate predictions by a measure, with an interval for it.

    Parameters
    ----------
    y_true, y_pred : array-like, sparse matrix, data frame or list of collections
        What is true and what was predicted, both decisions: classes, or the labels of a multilabel
        problem in any form that :meth:`MeasureClassifier.fit` takes; or scores, with `threshold`.
    measure : str, Measure or Objective, default="f1"
        See :func:`get_measure`; also ``"recall"`` and ``"precision"``, alone or with an average. Of
        a constraint, what it is after. :class:`ExpectedCost` takes one
        cost per row as well.
    threshold : float or array-like of shape (n_labels,), default=None
        Where `y_pred` are scores or probabilities in place of decisions: rows with at least this
        one are positive, or carry the label. It must not have been chosen on these rows.
    pos_label : object, default=None
        The positive class of two; None takes 1 of the classes 0 and 1 or -1 and 1, and of other
        classes the rarer one in `y_true`.
    confidence : float, default=0.95
        How often such an interval is to hold the value on all rows like these.
    method : {"auto", "wilson", "exact", "betting", "delta", "bootstrap"}, default="auto"
        How the interval is found (docs/guide/trust.md). ``"auto"`` is Wilson's where the measure
        grows with a proportion, as F1, Jaccard and accuracy do, else the delta method.
        ``"exact"`` holds at every number of rows and is longer.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.
    groups : array-like of shape (n_samples,), default=None
        Rows of one group (a patient, a document) need not be independent of each other.
    by : array-like of shape (n_samples,), default=None
        What rows are compared by (a sex, a region): the same for the rows of each of its values,
        and the largest gap between two of them, in `by` of the result (docs/guide/groups.md).
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
    >>> evaluate([1, 1, 0, 0], [0.9, 0.4, 0.3, 0.1], threshold=0.35).value
    1.0
    """
    if threshold is not None:
        y_pred = cut_scores(y_true, y_pred, threshold, pos_label)
    objective, (outcomes,) = read_predictions(y_true, [y_pred], measure, pos_label, sample_weight)
    return assess(
        outcomes,
        objective,
        name=short_name(measure, len(outcomes.labels)),
        confidence=confidence,
        method=method,
        sample_weight=sample_weight,
        groups=groups,
        by=by,
        by_name=str(getattr(by, "name", None) or "group"),
        random_state=random_state,
    )


def assess(
    outcomes: Outcomes,
    objective: Measure | Objective,
    *,
    name: str,
    classes: Any = None,
    confidence: float = 0.95,
    method: str = "auto",
    sample_weight: Any = None,
    groups: Any = None,
    by: Any = None,
    by_name: str = "group",
    random_state: Any = 0,
) -> Evaluation:
    """Evaluate outcomes: see :func:`evaluate`; `classes` are all there are, if they are known."""
    check_method(method)
    confidence = check_confidence(confidence)
    n_rows = outcomes.n_rows
    weight = check_weights(sample_weight, n_rows)
    clusters = None if groups is None else read_clusters(groups, n_rows, "groups")
    told = () if classes is None else np.asarray(classes).tolist()
    n_classes = max(len({*outcomes.labels, *told}), 2)  # with one there is nothing to decide
    whole = Part(None, objective, outcomes, weight, clusters, n_classes)
    found = assess_part(
        whole, name=name, confidence=confidence, method=method, random_state=random_state
    )
    if classes is None and (whole.averages_classes or isinstance(objective, BalancedAccuracy)):
        found = replace(found, assumption=found.assumption + ALL_CLASSES)
    if by is None:
        return found
    names, codes = read_groups(by, outcomes.n_rows, "by")
    parts = [whole.take(group, codes == k) for k, group in enumerate(names)]
    return replace(found, by=_by_groups(parts, found, by_name, method, random_state))


def _by_groups(
    parts: list[Part], whole: Evaluation, by_name: str, method: str, random_state: Any
) -> GroupEvaluations:
    """Evaluate the groups so that all intervals hold together."""
    error, exact = 1 - whole.confidence, method in EXACT
    each = error / len(parts)
    groups = [
        GroupEvaluation(
            part.group,
            assess_part(
                part, name=whole.measure, confidence=1 - each, method=method,
                random_state=random_state,
            ),
            part.rates(each, exact=exact),
        )
        for part in parts
    ]  # fmt: skip
    gaps = gaps_between(
        parts, whole.measure, method=method, exact=exact, error=error, random_state=random_state
    )
    return GroupEvaluations(by_name, whole.measure, whole.confidence, tuple(groups), tuple(gaps))


def assess_part(
    part: Part, *, name: str, confidence: float, method: str, random_state: Any
) -> Evaluation:
    """Evaluate all rows, or those of a group."""
    error = 1 - confidence
    ends, used = getattr(part.case(error, random_state), method)()
    value = part.reached
    interval = min(float(ends[0]), value), max(float(ends[1]), value)
    exact = method in EXACT
    labels = part.labels(error, exact=exact)
    if len(labels) == 1 and not part.classes:  # one label is all there is
        labels = (replace(labels[0], interval=interval),)
    return Evaluation(
        measure=name,
        value=value,
        interval=interval,
        confidence=confidence,
        method=used,
        assumption=part.assumption(exact=exact),
        n_rows=part.n_rows,
        labels=labels,
        confusion=part.confusion,
        classes=part.classes,
        note=part.note(exact=exact),
    )


def check_method(method: str) -> None:
    """Refuse what is no method."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}.")
