"""What a fitted classifier says of rows, as scores with 0 as the natural threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._calibration import CERTAIN


def class_scores(estimator: Any, X: Any, limit: float = CERTAIN) -> NDArray[np.float64]:
    """Score the classes of a fitted classifier.

    Parameters
    ----------
    estimator : classifier
        Fitted; has `predict_proba` or `decision_function`.
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        The rows.
    limit : float
        What stands for the log of a probability of zero.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Log-probabilities, where there are probabilities.
    """
    if not hasattr(estimator, "predict_proba"):
        decision = estimator.decision_function(X)
        return decision if decision.ndim > 1 else np.stack([-decision / 2, decision / 2], axis=1)
    with np.errstate(divide="ignore"):
        if hasattr(estimator, "predict_log_proba"):
            log_proba = estimator.predict_log_proba(X)
        else:
            log_proba = np.log(estimator.predict_proba(X))
    return np.maximum(log_proba, -limit)


def label_scores(
    estimator: Any, X: Any, n_labels: int, limit: float = CERTAIN
) -> list[NDArray[np.float64]]:
    """Score the labels of a classifier that was fitted for all of them.

    Parameters
    ----------
    estimator : classifier
        Fitted; gives one array per label (forests), or a matrix with a column per label (networks).
    X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
        The rows.
    n_labels : int
        Number of labels.
    limit : float
        Largest log-odds.

    Returns
    -------
    list of ndarray of shape (n_samples,)
        Log-odds of every label, where there are probabilities.
    """
    if not hasattr(estimator, "predict_proba"):
        return list(np.reshape(estimator.decision_function(X), (-1, n_labels)).T)
    found = estimator.predict_proba(X)
    if not isinstance(found, np.ndarray):
        ones = [_of_one(p, c) for p, c in zip(found, estimator.classes_, strict=True)]
    elif n_labels == 1:
        ones = [_of_one(found, estimator.classes_)]
    else:
        ones = list(found.T)
    with np.errstate(divide="ignore"):
        return [np.clip(np.log(one) - np.log1p(-one), -limit, limit) for one in ones]


def _of_one(p: NDArray[np.float64], classes: NDArray[Any]) -> NDArray[np.float64]:
    """Return the probability of 1; a label of one value has no other class."""
    return p[:, -1] if len(classes) == 2 else np.full(len(p), float(classes[0]))
