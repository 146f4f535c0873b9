"""What a fitted scikit-learn classifier says of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC


def linear_form(estimator: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return coefficients and intercepts of the scores of classes; see :func:`class_scores`.

    Parameters
    ----------
    estimator : classifier
        Fitted.

    Returns
    -------
    coef : ndarray of shape (n_features, n_classes)
        Of two classes, one is minus the other.
    intercept : ndarray of shape (n_classes,)
        What is added.
    """
    _refuse_pipeline(estimator, "coef_")
    if not hasattr(estimator, "coef_") or not _has_linear_scores(estimator):
        raise AttributeError(
            f"This classifier has no coef_: the scores of {type(estimator).__name__} are not "
            "linear; sklearn.inspection.permutation_importance takes any classifier."
        )
    coef = estimator.coef_.toarray() if sparse.issparse(estimator.coef_) else estimator.coef_
    coef = np.atleast_2d(coef).T
    intercept = np.broadcast_to(estimator.intercept_, coef.shape[1])
    if coef.shape[1] > 1:
        return coef, intercept
    return coef * [-0.5, 0.5], intercept * [-0.5, 0.5]


def importances(estimator: Any) -> NDArray[np.float64]:
    """Return the importances of a fitted classifier, or say that it has none."""
    _refuse_pipeline(estimator, "feature_importances_")
    if not hasattr(estimator, "feature_importances_"):
        raise AttributeError(
            f"{type(estimator).__name__} has no feature_importances_; "
            "sklearn.inspection.permutation_importance takes any classifier."
        )
    return estimator.feature_importances_


def _has_linear_scores(estimator: Any) -> bool:
    """Tell whether log-odds, or decision values where there are no probabilities, are linear.

    Logarithms of the probabilities of more than two classes are not.
    """
    two = len(estimator.classes_) == 2
    if hasattr(estimator, "predict_proba"):
        logistic = isinstance(estimator, LogisticRegression | LinearDiscriminantAnalysis)
        return two and (logistic or getattr(estimator, "loss", None) == "log_loss")
    return two or not isinstance(estimator, SVC)  # whose coefficients are of pairs of classes


def _refuse_pipeline(estimator: Any, name: str) -> None:
    if isinstance(estimator, Pipeline):
        raise AttributeError(
            f"The {name} of a pipeline belongs to what its last step sees: "
            f"clf.models_[0].estimator[-1].{name}."
        )
