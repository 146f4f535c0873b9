"""Any scikit-learn classifier as a learner that knows no costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from pseudolinear.learners import Problem
from pseudolinear.learners._estimator import EstimatorLearner, EstimatorModel
from pseudolinear.learners._metadata import fit_weighted
from pseudolinear.learners._wrapped import last_step, set_seed
from pseudolinear.rivals._probabilities import check_probabilities

Weight = NDArray[np.float64] | None


def fit_plain(
    estimator: Any, X: Any, y: NDArray[Any], sample_weight: Weight, seed: int | None
) -> Any:
    """Fit a clone of a classifier, which takes weights only if there are any."""
    model = clone(estimator)
    set_seed(model, seed)
    if sample_weight is not None:
        check_takes_weights(model)
    return fit_weighted(model, X, y, sample_weight)


def check_takes_weights(estimator: Any) -> None:
    """Raise an error unless a classifier, or the last step of a pipeline, takes weights."""
    _, last = last_step(estimator)
    if not has_fit_parameter(last, "sample_weight"):
        raise TypeError(
            f"{type(last).__name__} takes no sample_weight; leave the weights out or use another "
            "classifier."
        )


class PlainLearner(EstimatorLearner):
    """Train a scikit-learn classifier as it is; it need not take weights.

    Parameters
    ----------
    estimator : classifier or Pipeline
        Has `predict_proba` or `decision_function`.
    random_state : int, default=None
        Given to every `random_state` of the estimator that is None.
    """

    def _fit(
        self,
        X: Any,
        targets: NDArray[Any],
        problem: Problem,
        sample_weight: Weight,
        metadata: Mapping[str, Any] | None,
    ) -> EstimatorModel:
        y = problem.target(targets)
        present = np.unique(y if sample_weight is None else y[sample_weight > 0])
        if present.size < 2:  # a fold without the label: no rule can be learnt from it
            return PlainModel(None, problem, present, converged=True)
        estimator = fit_plain(self.estimator, X, y, sample_weight, self.random_state)
        return PlainModel(estimator, problem, estimator.classes_, converged=True)


@dataclass(frozen=True)
class PlainModel(EstimatorModel):
    """A fitted scikit-learn classifier, whose probabilities are checked."""

    def _class_scores(self, X: Any) -> NDArray[np.float64]:
        if not hasattr(self.estimator, "predict_proba"):
            return super()._class_scores(X)
        name = f"The probability that {type(self.estimator).__name__} gives"
        probabilities = check_probabilities(self.estimator.predict_proba(X), name)
        return np.log(np.maximum(probabilities, np.finfo(np.float64).tiny))
