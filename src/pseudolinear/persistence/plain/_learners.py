"""Models as plain classifiers; a new learner is one more function here."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model._base import LinearClassifierMixin
from sklearn.svm import LinearSVC

from pseudolinear.learners import EstimatorLearner, JointLearner, LinearLearner, PrefitLearner
from pseudolinear.learners._prefit import SMALLEST
from pseudolinear.learners._scoring import CERTAIN
from pseudolinear.learners._wrapped import last_step
from pseudolinear.learners.losses import get_loss
from pseudolinear.persistence.plain._cuts import cut, fixed, rename
from pseudolinear.persistence.plain._refusal import refuse

SEVERAL = "it has no threshold for each of several classes"


@singledispatch
def tell_label(learner: Any, model: Any, classes: NDArray[Any], threshold: float) -> Any:
    """Return the classifier of a label.

    Parameters
    ----------
    learner : Learner
        What made the model.
    model : Model
        The model.
    classes : ndarray of shape (2,)
        The negative and the positive class.
    threshold : float
        Scores above are positive.

    Returns
    -------
    classifier
        Fitted.
    """
    raise refuse(type(learner).__name__, "its models are none of scikit-learn's")


@tell_label.register
def _linear(learner: LinearLearner, model: Any, classes: NDArray[Any], threshold: float) -> Any:
    sign = 1.0 if classes[0] < classes[1] else -1.0  # scikit-learn sorts classes
    plain = linear(
        learner, sign * model.coef[None, :], sign * np.array([model.intercept]), np.sort(classes)
    )
    return fixed(plain, classes[1], np.nextafter(threshold, np.inf), "decision_function")


@tell_label.register
def _estimator(
    learner: EstimatorLearner, model: Any, classes: NDArray[Any], threshold: float
) -> Any:
    if len(model.present) < 2:
        raise refuse("A model of rows of one class", "it has nothing to cut")
    return cut(rename(model.estimator, classes), classes[1], threshold, CERTAIN)


@tell_label.register
def _prefit(learner: PrefitLearner, model: Any, classes: NDArray[Any], threshold: float) -> Any:
    _check_single(model)
    return cut(learner.estimator, classes[1], threshold, SMALLEST)


@tell_label.register
def _joint(learner: JointLearner, model: Any, classes: NDArray[Any], threshold: float) -> Any:
    _check_single(model)
    return cut(rename(model.estimator, classes), classes[1], threshold, CERTAIN)


def _check_single(model: Any) -> None:
    if model.n_labels > 1:
        raise refuse("A classifier of all labels together", "it has one threshold for them")


@singledispatch
def tell_classes(
    learner: Any, model: Any, order: NDArray[Any], thresholds: NDArray[np.float64]
) -> Any:
    """Return the classifier of several classes.

    Parameters
    ----------
    learner : Learner
        What made the model.
    model : Model
        The model.
    order : ndarray of shape (n_classes,)
        The classes in the order of the scores.
    thresholds : ndarray of shape (n_classes,)
        What is subtracted from the scores before the largest one wins.

    Returns
    -------
    classifier
        Fitted.
    """
    raise refuse(type(learner).__name__, "its models are none of scikit-learn's")


@tell_classes.register
def _linear_classes(
    learner: LinearLearner, model: Any, order: NDArray[Any], thresholds: NDArray[np.float64]
) -> Any:
    coef = np.stack([one.coef for one in model.models])
    intercept = np.array([one.intercept for one in model.models]) - thresholds
    if len(order) == 2:
        coef, intercept = np.diff(coef, axis=0), np.diff(intercept)
    return linear(learner, coef, intercept, order)


@tell_classes.register
def _estimator_classes(
    learner: EstimatorLearner, model: Any, order: NDArray[Any], thresholds: NDArray[np.float64]
) -> Any:
    if len(model.present) < len(order):
        raise refuse("A model without rows of some class", "it cannot name that class")
    if len(order) == 2:
        return tell_label(learner, model, order, float(thresholds[1] - thresholds[0]))
    plain = rename(model.estimator, order)
    if np.ptp(thresholds) == 0.0:
        return plain
    _, last = last_step(plain)
    if not isinstance(last, LinearClassifierMixin) or not _subtracts(last):
        raise refuse(type(last).__name__, SEVERAL)
    last.intercept_ = last.intercept_ - thresholds
    return plain


@tell_classes.register
def _prefit_classes(
    learner: PrefitLearner, model: Any, order: NDArray[Any], thresholds: NDArray[np.float64]
) -> Any:
    if len(order) == 2:
        return tell_label(learner, model, order, float(thresholds[1] - thresholds[0]))
    if np.ptp(thresholds) == 0.0:
        return learner.estimator
    raise refuse(learner.name, SEVERAL)


def _subtracts(last: Any) -> bool:
    """Tell whether log-probabilities differ as decisions do."""
    if not hasattr(last, "predict_proba"):
        return True
    return isinstance(last, LogisticRegression) and last.solver != "liblinear"


def linear(
    learner: LinearLearner, coef: NDArray[Any], intercept: NDArray[Any], classes: NDArray[Any]
) -> Any:
    """Return a linear classifier of scikit-learn with these weights."""
    log_odds = get_loss(learner.loss).scores_are_log_odds
    plain = LogisticRegression() if log_odds else LinearSVC(loss=learner.loss)
    plain.coef_, plain.intercept_, plain.classes_ = coef, intercept, classes
    plain.n_features_in_ = coef.shape[1]
    return plain
