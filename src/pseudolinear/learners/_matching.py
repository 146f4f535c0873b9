"""Which learner goes with which problem; a wrong pair fails early."""

from __future__ import annotations

from typing import Any

from sklearn.frozen import FrozenEstimator

from pseudolinear.learners._estimator import EstimatorLearner, check_classifier
from pseudolinear.learners._learner import Learner
from pseudolinear.learners._prefit import PrefitLearner
from pseudolinear.learners._wrapped import WrappedLearner, last_step, resamples


def as_learner(estimator: Any, *, costs: bool = True) -> Learner:
    """Return a learner as it is, and any other classifier as one.

    Parameters
    ----------
    estimator : classifier or learner
        What is to be trained, or a `FrozenEstimator`, which is not.
    costs : bool, default=True
        Whether it has to take costs.

    Returns
    -------
    Learner
        What trains it.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from pseudolinear.learners import as_learner
    >>> as_learner(LogisticRegression())
    EstimatorLearner(estimator=LogisticRegression())
    """
    if isinstance(estimator, Learner):
        return estimator
    if isinstance(estimator, FrozenEstimator):
        check_classifier(estimator.estimator, costs=False)
        return PrefitLearner(estimator)
    prefix, last = last_step(estimator)
    if isinstance(last, FrozenEstimator):
        raise TypeError(
            f"Only the last step of the pipeline, {prefix[:-2]!r}, is frozen; fit the pipeline and "
            "freeze it as a whole, FrozenEstimator(pipeline)."
        )
    check_classifier(estimator, costs=costs)
    return EstimatorLearner(estimator)


def check_match(learner: Learner, *, classes: bool, weighted: bool) -> None:
    """Raise an error that names what a learner lacks for a problem.

    Parameters
    ----------
    learner : Learner
        What would be trained.
    classes : bool
        Whether there are several classes to tell apart.
    weighted : bool
        Whether rows have weights.
    """
    able = learner.abilities
    if classes and not able.classes:
        raise TypeError(
            f"{type(learner).__name__} cannot tell the classes of a multiclass problem apart; use "
            "a learner that can, such as EstimatorLearner."
        )
    if weighted and isinstance(learner, WrappedLearner) and resamples(learner.estimator):
        raise TypeError(
            "The pipeline resamples its rows, and drawn rows have no weights; leave the sampler or "
            "the weights out."
        )
    if weighted and not able.weights:
        raise TypeError(
            f"{learner.name} has a fit without sample_weight, so it cannot take weights of rows; "
            "leave the weights out or use another learner."
        )
