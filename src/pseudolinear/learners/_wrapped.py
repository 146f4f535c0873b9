"""What the learners around a scikit-learn classifier share."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline

from pseudolinear._problem import Problem
from pseudolinear.learners._learner import Learner


class WrappedLearner(Learner, BaseEstimator):
    """Base of learners that train copies of a classifier.

    Their `fit_batch` also takes `metadata`: what the user has routed into the classifier.
    """

    def __init__(self, estimator: Any, random_state: int | None = None) -> None:
        self.estimator = estimator
        self.random_state = random_state

    @property
    def name(self) -> str:
        """The name of the classifier."""
        return type(self.estimator).__name__

    def parameters(self) -> list[str]:
        """Name the parameters of the classifier."""
        return sorted(self.estimator.get_params())

    def seeded(self, seed: int) -> Self:
        """Return the same learner with a seed, unless it has one."""
        if self.random_state is not None:
            return self
        return copy(self).set_params(random_state=seed)

    def _prepared(self, problem: Problem) -> Any:
        """Return a copy of the classifier with the problem's parameters and the seed."""
        estimator = clone(self.estimator).set_params(**problem.params)
        set_seed(estimator, self.random_state)
        return estimator


def last_step(estimator: Any) -> tuple[str, Any]:
    """Return the prefix of the parameters of the final step, and that step."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return f"{name}__", last
    return "", estimator


def resamples(estimator: Any) -> bool:
    """Tell whether a pipeline changes its training rows, as those of imbalanced-learn can."""
    return isinstance(estimator, Pipeline) and any(
        hasattr(step, "fit_resample") for _, step in estimator.steps[:-1]
    )


def set_seed(estimator: Any, seed: int | None) -> None:
    """Give a seed to every `random_state` of an estimator that is None."""
    unset = [
        key
        for key, value in estimator.get_params().items()
        if (key == "random_state" or key.endswith("__random_state")) and value is None
    ]
    if seed is not None and unset:
        estimator.set_params(**dict.fromkeys(unset, seed))
