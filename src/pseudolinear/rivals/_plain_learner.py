"""Any scikit-learn classifier as a learner that knows no costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from pseudolinear.learners._base import Problem
from pseudolinear.learners._estimator import EstimatorLearner, EstimatorModel, last_step, set_seed


def check_probabilities(probabilities: ArrayLike) -> NDArray[np.float64]:
    """Return numbers between 0 and 1 as float64."""
    p = np.asarray(probabilities, dtype=np.float64)
    if p.ndim not in (1, 2) or p.size == 0:
        raise ValueError(
            f"Probabilities have the shape {p.shape}; give one per row, or one per row and label."
        )
    if not ((p >= 0) & (p <= 1)).all():  # False for NaN
        raise ValueError(
            f"Probabilities must lie in [0, 1], got values from {p.min():g} to {p.max():g}; "
            "calibrate scores first, as with CalibratedClassifierCV."
        )
    return p


@dataclass(frozen=True)
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
        sample_weight: NDArray[np.float64] | None,
    ) -> EstimatorModel:
        y = problem.target(targets)
        present = np.unique(y if sample_weight is None else y[sample_weight > 0])
        if present.size < 2:  # a fold without the label: no rule can be learnt from it
            return PlainModel(None, problem, present, converged=True)
        estimator = clone(self.estimator)
        set_seed(estimator, self.random_state)
        fit_params = {}
        if sample_weight is not None:
            prefix, last = last_step(estimator)
            if not has_fit_parameter(last, "sample_weight"):
                raise TypeError(
                    f"{type(last).__name__} takes no sample_weight; leave the weights out or use "
                    "another classifier."
                )
            fit_params[prefix + "sample_weight"] = sample_weight
        estimator.fit(X, y, **fit_params)
        return PlainModel(estimator, problem, estimator.classes_, converged=True)


@dataclass(frozen=True)
class PlainModel(EstimatorModel):
    """A fitted scikit-learn classifier, whose probabilities are checked."""

    def _class_scores(self, X: Any) -> NDArray[np.float64]:
        if not hasattr(self.estimator, "predict_proba"):
            return super()._class_scores(X)
        probabilities = check_probabilities(self.estimator.predict_proba(X))
        return np.log(np.maximum(probabilities, np.finfo(np.float64).tiny))
