"""JointLearner: a classifier that learns all labels at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from pseudolinear.learners._base import Problem
from pseudolinear.learners._estimator import CERTAIN, last_step, set_seed


@dataclass(frozen=True)
class JointModel:
    """The scores of one label of a classifier of all labels.

    Attributes
    ----------
    estimator : classifier
        Fitted for all labels; None where every label has one value only.
    column : int
        Which of its outputs.
    """

    estimator: Any
    column: int
    optimality: float = np.nan
    converged: bool = True

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows by the log-odds of the label."""
        return joint_scores(self.estimator, X)[self.column]


@dataclass(frozen=True)
class JointLearner:
    """Train one classifier for all labels together, as forests and neural networks can.

    A single fit serves every label, so it is as cheap as one label; but the labels share
    their rows' weights, so errors have equal costs and the measure acts through thresholds alone.

    Parameters
    ----------
    estimator : classifier or Pipeline
        Takes a 0/1 matrix as y; its `predict_proba` gives one array per label.
    random_state : int, default=None
        Given to every `random_state` of the estimator that is None.
    """

    estimator: Any
    random_state: int | None = None

    def batch_size(self, X: Any) -> int:
        """Take all problems at once."""
        return np.iinfo(np.intp).max

    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Sequence[JointModel]:
        """Fit one classifier per setting of the parameters; see :class:`Learner`."""
        fitted: dict[str, Any] = {}
        models = []
        for problem in problems:
            if len(set(problem.costs)) > 1 or problem.label is None:
                raise ValueError("JointLearner: labels that are learnt together have equal costs.")
            key = repr(sorted(problem.params.items()))
            if key not in fitted:
                fitted[key] = self._fit(X, targets, problem, sample_weight)
            models.append(JointModel(fitted[key], problem.label))
        return models

    def _fit(
        self,
        X: Any,
        targets: NDArray[Any],
        problem: Problem,
        sample_weight: NDArray[np.float64] | None,
    ) -> Any:
        estimator = clone(self.estimator).set_params(**problem.params)
        set_seed(estimator, self.random_state)
        prefix, last = last_step(estimator)
        weights = {}
        if sample_weight is not None and has_fit_parameter(last, "sample_weight"):
            weights[prefix + "sample_weight"] = sample_weight
        return estimator.fit(X, targets if targets.shape[1] > 1 else targets[:, 0], **weights)

    def scores(self, models: Sequence[JointModel], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models; every classifier predicts once."""
        known = {id(m.estimator): joint_scores(m.estimator, X) for m in _distinct(models)}
        return [known[id(model.estimator)][model.column] for model in models]


def _distinct(models: Sequence[JointModel]) -> list[JointModel]:
    return list({id(model.estimator): model for model in models}.values())


def joint_scores(estimator: Any, X: Any) -> list[NDArray[np.float64]]:
    """Return the log-odds of every label."""
    probabilities = estimator.predict_proba(X)
    if isinstance(probabilities, np.ndarray):
        probabilities, classes = [probabilities], [estimator.classes_]
    else:
        classes = estimator.classes_
    scores = []
    for p, c in zip(probabilities, classes, strict=True):
        one = p[:, -1] if len(c) == 2 else np.full(len(p), float(c[0]))
        with np.errstate(divide="ignore"):
            scores.append(np.clip(np.log(one) - np.log1p(-one), -CERTAIN, CERTAIN))
    return scores
