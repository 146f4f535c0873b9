"""From y and predictions as people have them to outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import check_scores, check_weights
from pseudolinear.errors import Outcomes
from pseudolinear.evaluation._share import read_measure
from pseudolinear.kinds import CONVENTIONS, measure_for, name_positive
from pseudolinear.labels import check_classes, read_labels
from pseudolinear.measures import FBeta, Measure, Objective
from pseudolinear.thresholds import Budget


def read_predictions(
    y_true: Any, predictions: Sequence[Any], measure: Any, pos_label: Any, sample_weight: Any
) -> tuple[Measure | Objective, list[Outcomes]]:
    """Return what is evaluated, as the classes want it, and the outcomes of each prediction."""
    objective = read_measure(measure)
    true = check_classes(read_labels(y_true)[0], "y_true")
    read = [_decisions(pred) for pred in predictions]
    if true.ndim == 1:
        for predicted in read:
            _check_words(true, predicted, objective)
        n_classes = np.unique(np.concatenate([true, *read])).size
        _check_number(objective, n_classes, measure)
        if isinstance(objective, Measure):
            objective = objective.for_classes(n_classes)
    elif isinstance(objective, Budget) and objective.limits_labels(true.shape[1]):
        objective = objective.training_measure("macro")  # what it is after, as of a classifier
    weight = check_weights(sample_weight, len(true))
    reader = name_positive(measure_for(objective, true), true, pos_label, weight)
    return objective, [reader.outcomes(y_true, pred) for pred in predictions]


def cut_scores(y_true: Any, y_score: Any, threshold: Any, pos_label: Any) -> Any:
    """Return the decisions that scores become at a threshold, in the words of `y_true`.

    Parameters
    ----------
    y_true : array-like, sparse matrix, data frame or list of collections
        Two classes, or labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Finite scores.
    threshold : float or array-like of shape (n_labels,)
        Rows with at least this score are positive, or carry the label.
    pos_label : object
        The positive class of two; None takes what :func:`evaluate` takes.

    Returns
    -------
    ndarray or list of list
        Classes, the 0/1 matrix, or the labels of each row where they have names.

    Examples
    --------
    >>> from pseudolinear.evaluation import cut_scores
    >>> cut_scores(["ham", "spam", "ham"], [0.1, 0.8, 0.3], 0.5, "spam").tolist()
    ['ham', 'spam', 'ham']
    """
    true, form = read_labels(y_true)
    check_classes(true, "y_true")
    score = check_scores(y_score, true.shape)
    cut = _read_threshold(threshold)
    if cut.ndim > 1 or (cut.ndim and cut.shape != true.shape[1:]):
        raise ValueError(
            f"threshold has the shape {cut.shape}; give one number, or one for each label."
        )
    positive = score >= cut
    if true.ndim == 2:
        if form.names is None:
            return positive.astype(np.intp)
        return [[form.names[i] for i in np.flatnonzero(row)] for row in positive]
    classes = np.unique(true)
    if classes.size > 2:
        raise ValueError(
            f"y_true has {classes.size} classes, and one threshold tells two apart; give the "
            "predicted classes."
        )
    named = name_positive(FBeta(), true, pos_label).positive_class(classes)
    others = classes[classes != named]
    other = others[0] if others.size else (0 if named == 1 else None)
    if other is None:
        raise ValueError(
            f"y_true has only the class {classes[0]!r}, so what is below the threshold has no "
            "name; give the predicted classes."
        )
    return np.where(positive, named, other)


def _read_threshold(threshold: Any) -> NDArray[np.float64]:
    try:
        cut = np.asarray(threshold, dtype=np.float64)
    except (TypeError, ValueError):
        cut = np.array(np.nan)
    if np.isnan(cut).any():
        raise ValueError(
            f"threshold must be a number, or one for each label, got {threshold!r}; rows with at "
            "least this score are positive."
        )
    return cut


def _decisions(y_pred: Any) -> Any:
    """Read predictions; refuse scores."""
    predicted, _ = read_labels(y_pred)
    if predicted.dtype.kind == "f" and (wrong := predicted[predicted % 1 > 0]).size:
        raise ValueError(
            f"The predictions hold {wrong.flat[0]:g}, as scores or probabilities do; decisions are "
            "wanted, so say where to cut them, as in threshold=0.5."
        )
    return check_classes(predicted, "y_pred")


def _check_words(true: NDArray[Any], predicted: NDArray[Any], objective: Any) -> None:
    """Refuse predictions that name the classes otherwise than y_true does."""
    here, there = (set(y.ravel().tolist()) for y in (true, predicted))
    texts = [any(isinstance(one, str) for one in found) for found in (here, there)]
    signs = [set(one) for one in CONVENTIONS]
    mixed = here | there == {-1, 0, 1} and here in signs and there in signs
    two = not isinstance(objective, Measure) or objective.for_classes(3).average == "binary"
    foreign = two and len(here) <= 2 < len(here | there)
    if here and there and (texts[0] != texts[1] or mixed or foreign):
        strange = sorted(there - here, key=str)[0]
        raise ValueError(
            f"The predictions hold {strange!r}, which is none of the classes "
            f"{sorted(here, key=str)[:5]} of y_true; give both in the same words."
        )


def _check_number(objective: Any, n_classes: int, measure: Any) -> None:
    """Refuse several classes where an objective is for two."""
    if n_classes > 2 and not isinstance(objective, Measure):
        raise ValueError(
            f"{measure!r} is for two classes, got {n_classes}; use cohen_kappa, balanced_accuracy "
            "or f1_macro, which are for any number of them."
        )
