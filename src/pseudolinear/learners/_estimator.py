"""Any scikit-learn classifier that takes weights, as a learner."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from pseudolinear.learners._base import Problem

CERTAIN = 37.0  # log-odds of a probability that rounds to 1 in double precision


@dataclass(frozen=True)
class EstimatorLearner:
    """Train a scikit-learn classifier with costs, one problem after the other.

    The costs go into `sample_weight`, or into `class_weight` where `fit` takes no weights;
    of a pipeline, into those of its last step.

    Parameters
    ----------
    estimator : classifier or Pipeline
        Has `predict_proba` or `decision_function`.
    random_state : int, default=None
        Given to every `random_state` of the estimator that is None.
    """

    estimator: Any
    random_state: int | None = None

    def batch_size(self, X: Any) -> int:
        """Take one problem at a time."""
        return 1

    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Sequence[EstimatorModel]:
        """Fit all problems on the same rows; see :class:`Learner`."""
        return [self._fit(X, targets, problem, sample_weight) for problem in problems]

    def scores(self, models: Sequence[EstimatorModel], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models; see :class:`Learner`."""
        return [model.scores(X) for model in models]

    def _fit(
        self,
        X: Any,
        targets: NDArray[Any],
        problem: Problem,
        sample_weight: NDArray[np.float64] | None,
    ) -> EstimatorModel:
        y = problem.target(targets)
        present = np.unique(y if sample_weight is None else y[sample_weight > 0])
        if present.size < 2:  # a fold without the label: no rule can be learnt from it
            return EstimatorModel(None, problem, present, converged=True)
        estimator = clone(self.estimator).set_params(**problem.params)
        set_seed(estimator, self.random_state)
        prefix, last = last_step(estimator)
        costs = np.asarray(problem.costs)
        fit_params = {}
        if has_fit_parameter(last, "sample_weight"):
            # Weights of one are left out: some classifiers are far slower with weights.
            if sample_weight is not None or (costs != 1.0).any():
                weight = costs[y] if sample_weight is None else costs[y] * sample_weight
                fit_params[prefix + "sample_weight"] = weight
        else:
            estimator.set_params(**{prefix + "class_weight": dict(enumerate(problem.costs))})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            estimator.fit(X, y, **fit_params)
        others = [w for w in caught if not issubclass(w.category, ConvergenceWarning)]
        for warning in others:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
        return EstimatorModel(estimator, problem, present, converged=len(others) == len(caught))


@dataclass(frozen=True)
class EstimatorModel:
    """A fitted scikit-learn classifier as a model.

    Scores are log-odds or log-probabilities where the classifier has probabilities, so that
    the natural threshold is 0 for every learner.
    """

    estimator: Any
    problem: Problem
    present: NDArray[np.intp]
    converged: bool
    optimality: float = np.nan

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows; see :class:`Model`."""
        n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
        scores = np.full((n_samples, len(self.problem.costs)), -CERTAIN)
        if self.estimator is None:
            scores[:, self.present] = 0.0
        else:
            scores[:, self.present] = self._class_scores(X)
        return scores if self.problem.label is None else scores[:, 1] - scores[:, 0]

    def _class_scores(self, X: Any) -> NDArray[np.float64]:
        if not hasattr(self.estimator, "predict_proba"):
            decision = self.estimator.decision_function(X)
            if decision.ndim == 1:
                return np.stack([-decision / 2, decision / 2], axis=1)
            return decision
        with np.errstate(divide="ignore"):
            if hasattr(self.estimator, "predict_log_proba"):
                log_proba = self.estimator.predict_log_proba(X)
            else:
                log_proba = np.log(self.estimator.predict_proba(X))
        return np.maximum(log_proba, -CERTAIN)


def check_estimator_takes_costs(estimator: Any, weighted: bool) -> None:
    """Raise an error unless the classifier can be trained with costs.

    Parameters
    ----------
    estimator : object
        What the user gave.
    weighted : bool
        Whether there are sample weights besides the costs.
    """
    name = type(estimator).__name__
    if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
        raise TypeError(f"estimator must be a scikit-learn classifier, got {estimator!r}.")
    prefix, last = last_step(estimator)
    if not isinstance(last, ClassifierMixin) and not hasattr(last, "predict"):
        raise TypeError(f"estimator must be a classifier, got {name}.")
    if not (hasattr(estimator, "predict_proba") or hasattr(estimator, "decision_function")):
        raise TypeError(
            f"{name} gives no scores; use a classifier with predict_proba or decision_function."
        )
    if has_fit_parameter(last, "sample_weight"):
        return
    if prefix + "class_weight" not in estimator.get_params():
        raise TypeError(
            f"{type(last).__name__} cannot be swept: its fit takes no sample_weight and it has no "
            "class_weight. Use a learner that takes one of them, such as LogisticRegression."
        )
    if weighted:
        raise TypeError(
            f"{type(last).__name__} takes costs through class_weight only, so it cannot take "
            "sample_weight as well; leave the weights out or use another learner."
        )


def last_step(estimator: Any) -> tuple[str, Any]:
    """Return the prefix of the parameters of the final step, and that step."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return f"{name}__", last
    return "", estimator


def set_seed(estimator: Any, seed: int | None) -> None:
    """Give a seed to every `random_state` of an estimator that is None."""
    unset = [
        key
        for key, value in estimator.get_params().items()
        if (key == "random_state" or key.endswith("__random_state")) and value is None
    ]
    if seed is not None and unset:
        estimator.set_params(**dict.fromkeys(unset, seed))
