"""What a fitted classifier says of rows, for one label."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.labels import match_labels
from pseudolinear.measures import Measure, get_measure


class Response(NamedTuple):
    """Rows of one label as a classifier sees them.

    Attributes
    ----------
    true, predicted : ndarray of bool
        Which rows are positive, and which are said to be.
    score : ndarray
        Larger for the positive class.
    threshold : float
        Above which a score is predicted positive.
    """

    true: NDArray[np.bool_]
    predicted: NDArray[np.bool_]
    score: NDArray[np.float64]
    threshold: float


def own_measure(estimator: Any, measure: str | Measure | None = None) -> Measure:
    """Return a measure, by default that of the estimator; of a constraint the one it trains with.

    Lines and curves are those of a ratio.
    """
    own = get_measure(getattr(estimator, "measure", "f1") if measure is None else measure)
    return own if isinstance(own, Measure) else own.training_measure("binary")


def respond(estimator: Any, X: Any, y: Any, measure: Measure, label: Any = None) -> Response:
    """Score rows by a fitted classifier.

    Parameters
    ----------
    estimator : classifier
        Fitted, binary; or a :class:`MeasureClassifier` of several labels.
    X, y : array-like
        Rows and their classes or labels.
    measure : Measure
        What says which class is positive, where the classifier does not.
    label : object, default=None
        Which one of several labels.

    Returns
    -------
    Response
        Scores of a MeasureClassifier are those that its `threshold_` cuts.
    """
    if label is not None:
        return _of_label(estimator, X, y, label)
    positive = getattr(estimator, "pos_label_", None)
    if positive is None:
        _check_binary(estimator)
        positive = measure.positive_class(estimator.classes_)
    column = int(np.argmax(estimator.classes_ == positive))
    true, predicted = np.asarray(y) == positive, estimator.predict(X) == positive
    if not hasattr(estimator, "decision_function"):
        return Response(true, predicted, estimator.predict_proba(X)[:, column], 0.5)
    threshold = float(getattr(estimator, "threshold_", 0.0))
    margin = estimator.decision_function(X) * (1.0 if column == 1 else -1.0)
    return Response(true, predicted, margin + threshold, threshold)


def _check_binary(estimator: Any) -> None:
    """Raise an error for a classifier whose scores no single threshold cuts."""
    kind = estimator.decision_.kind.name if hasattr(estimator, "decision_") else None
    if kind == "multilabel":
        raise ValueError(
            f"The classifier has {len(estimator.classes_)} labels, each with its own threshold; "
            "say by label which one of its classes_ to show."
        )
    if kind is not None or len(estimator.classes_) > 2:
        raise ValueError(
            f"The classifier has {len(estimator.classes_)} classes with a threshold each, so there "
            "is no positive one to show; LabelsDisplay shows all of them."
        )


def _of_label(estimator: Any, X: Any, y: Any, label: Any) -> Response:
    kind, found = estimator.decision_.kind, np.flatnonzero(estimator.classes_ == label)
    if kind.name != "multilabel" or not found.size:
        raise ValueError(
            f"There is no label {label!r}; the classifier has {len(estimator.classes_)} "
            f"{'labels' if kind.name == 'multilabel' else 'classes'}, see its classes_."
        )
    column = int(found[0])
    margin = estimator.decision_function(X)[:, column]
    true = match_labels(y, kind.form, kind.n_models)[0][:, column].astype(bool)
    threshold = float(estimator.threshold_[column])
    return Response(true, margin > 0, margin + threshold, threshold)
