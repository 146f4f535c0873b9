"""Classifiers that are cut at a threshold of ours."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.model_selection import FixedThresholdClassifier

from pseudolinear.learners._wrapped import last_step
from pseudolinear.persistence.plain._refusal import refuse


def cut(estimator: Any, positive: Any, threshold: float, limit: float) -> FixedThresholdClassifier:
    """Cut the log-odds of a classifier, or its decision function where it has no probabilities.

    Parameters
    ----------
    estimator : classifier
        Fitted on two classes.
    positive : object
        The positive class.
    threshold : float
        Scores above are positive; scikit-learn says so of scores that are equal as well.
    limit : float
        Largest log-odds.

    Returns
    -------
    FixedThresholdClassifier
        Fitted.
    """
    method = "decision_function"
    if hasattr(estimator, "predict_proba"):
        method, threshold = "predict_proba", _probability(threshold, limit)
    return fixed(estimator, positive, np.nextafter(threshold, np.inf), method)


def fixed(estimator: Any, positive: Any, threshold: Any, method: str) -> FixedThresholdClassifier:
    """Return a fitted classifier with a threshold, without fitting it again."""
    positive = positive.item() if isinstance(positive, np.generic) else positive
    found = FixedThresholdClassifier(
        estimator, threshold=float(threshold), pos_label=positive, response_method=method
    )
    found.estimator_ = estimator
    return found


def rename(estimator: Any, classes: NDArray[Any]) -> Any:
    """Return a copy of a classifier that calls the classes 0, 1, ... by their names."""
    renamed = deepcopy(estimator)
    _, last = last_step(renamed)
    try:
        last.classes_ = classes
    except AttributeError:
        raise refuse(
            type(last).__name__, "it was trained on numbers of the classes and keeps them"
        ) from None
    return renamed


def _probability(log_odds: float, limit: float) -> float:
    """Return the probability below which log-odds are at most these, clipped ones as well."""
    if log_odds < -limit:
        return -np.inf
    if log_odds >= limit:
        return 1.0
    return min(float(expit(log_odds)), np.nextafter(1.0, 0.0))
