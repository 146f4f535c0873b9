"""Any scikit-learn classifier that takes weights, as a learner."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from pseudolinear._brief import brief_repr
from pseudolinear._problem import Problem
from pseudolinear.learners._inside import importances, linear_form
from pseudolinear.learners._learner import Abilities
from pseudolinear.learners._metadata import fit_weighted
from pseudolinear.learners._scoring import CERTAIN, class_scores
from pseudolinear.learners._wrapped import WrappedLearner, last_step, resamples


class EstimatorLearner(WrappedLearner):
    """Train a scikit-learn classifier with costs, one problem after the other.

    The costs go into `sample_weight`, or into `class_weight` where `fit` takes no weights;
    of a pipeline, into those of its last step. A pipeline that resamples (imbalanced-learn) draws
    rows of its own, which weights cannot follow, so there the costs go into `class_weight`.

    Parameters
    ----------
    estimator : classifier or Pipeline
        Has `predict_proba` or `decision_function`.
    random_state : int, default=None
        Given to every `random_state` of the estimator that is None.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from pseudolinear.learners import EstimatorLearner, LabelProblem
    >>> X, y = make_classification(random_state=0)
    >>> learner = EstimatorLearner(LogisticRegression())
    >>> problems = [LabelProblem(0, (cost, 1.0)) for cost in (0.1, 1.0, 10.0)]
    >>> models = learner.fit_batch(X, y[:, None], problems)
    >>> [int((scores > 0).sum()) for scores in learner.scores(models, X)]  # predicted positive
    [32, 50, 60]
    """

    @property
    def abilities(self) -> Abilities:
        """Say what the classifier itself can do."""
        tags = get_tags(self.estimator).input_tags
        return Abilities(
            costs=takes_costs(self.estimator),
            weights=takes_weights(self.estimator),
            sparse=tags.sparse,
            missing=tags.allow_nan,
            frames=tags.allow_nan,
            pairwise=tags.pairwise,
            any_rows=isinstance(self.estimator, Pipeline),
            probabilities=hasattr(self.estimator, "predict_proba"),
        )

    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Sequence[EstimatorModel]:
        """Fit all problems on the same rows; see :class:`Learner` and :class:`WrappedLearner`."""
        return [self._fit(X, targets, problem, sample_weight, metadata) for problem in problems]

    def scores(self, models: Sequence[EstimatorModel], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models; see :class:`Scorer`."""
        return [model.scores(X) for model in models]

    def _fit(
        self,
        X: Any,
        targets: NDArray[Any],
        problem: Problem,
        sample_weight: NDArray[np.float64] | None,
        metadata: Mapping[str, Any] | None,
    ) -> EstimatorModel:
        # Boosters want numbers without gaps, also where a fold lacks a class.
        classes, y = np.unique(problem.target(targets), return_inverse=True)
        present = classes[np.bincount(y, sample_weight) > 0]
        if present.size < 2:  # a fold without the label: no rule can be learnt from it
            return EstimatorModel(None, problem, present, converged=True)
        estimator = self._prepared(problem)
        weight = self._weigh(estimator, y, problem.class_costs[classes], sample_weight)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            self._train(estimator, X, y, weight, metadata)
        others = [w for w in caught if not issubclass(w.category, ConvergenceWarning)]
        for warning in others:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
        # Even where all rows of a class have weight 0, the classifier knows the class.
        known = classes[np.asarray(estimator.classes_, dtype=np.intp)]
        return EstimatorModel(estimator, problem, known, converged=len(others) == len(caught))

    def _train(
        self,
        estimator: Any,
        X: Any,
        y: NDArray[np.intp],
        weight: NDArray[np.float64] | None,
        metadata: Mapping[str, Any] | None,
    ) -> None:
        """Fit the classifier on the rows."""
        fit_weighted(estimator, X, y, weight, metadata)

    def _weigh(
        self,
        estimator: Any,
        y: NDArray[np.intp],
        costs: NDArray[np.float64],
        sample_weight: NDArray[np.float64] | None,
    ) -> NDArray[np.float64] | None:
        """Return the costs as weights of the rows, or give them to the classifier otherwise."""
        if not takes_weights(estimator):
            if takes_costs(estimator):
                name = last_step(estimator)[0] + "class_weight"
                estimator.set_params(**{name: dict(enumerate(costs.tolist()))})
            return None
        if sample_weight is None and (costs == 1.0).all():
            return None  # some classifiers are far slower with weights, even of one
        return costs[y] if sample_weight is None else costs[y] * sample_weight


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

    __repr__ = brief_repr

    @property
    def coef(self) -> NDArray[np.float64]:
        """Coefficients of the score, if it is linear."""
        return self.problem.join(linear_form(self.estimator)[0])

    @property
    def intercept(self) -> Any:
        """Intercept of the score, if it is linear."""
        return self.problem.join(linear_form(self.estimator)[1][None])[0]

    @property
    def importances(self) -> NDArray[np.float64]:
        """Importances of the columns, of trees."""
        return importances(self.estimator)

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows; see :class:`Scorer`."""
        n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
        scores = np.full((n_samples, len(self.problem.costs)), -CERTAIN)
        if self.estimator is None:
            scores[:, self.present] = 0.0
        else:
            scores[:, self.present] = self._class_scores(X)
        return self.problem.join(scores)

    def _class_scores(self, X: Any) -> NDArray[np.float64]:
        return class_scores(self.estimator, X)


def takes_weights(estimator: Any) -> bool:
    """Tell whether a classifier takes weights of rows; drawn rows would not have them."""
    _, last = last_step(estimator)
    return has_fit_parameter(last, "sample_weight") and not resamples(estimator)


def takes_costs(estimator: Any) -> bool:
    """Tell whether a classifier takes costs in any way."""
    prefix, _ = last_step(estimator)
    return takes_weights(estimator) or prefix + "class_weight" in estimator.get_params()


def check_classifier(estimator: Any, *, costs: bool) -> None:
    """Raise an error unless this is a classifier with scores that takes costs, if it must."""
    name = type(estimator).__name__
    if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
        raise TypeError(f"estimator must be a scikit-learn classifier, got {estimator!r}.")
    _, last = last_step(estimator)
    if not isinstance(last, ClassifierMixin) and not hasattr(last, "predict"):
        raise TypeError(f"estimator must be a classifier, got {name}.")
    if not (hasattr(estimator, "predict_proba") or hasattr(estimator, "decision_function")):
        raise TypeError(
            f"{name} gives no scores; use a classifier with predict_proba or decision_function."
        )
    if costs and not takes_costs(estimator) and resamples(estimator):
        raise TypeError(
            f"{type(last).__name__} cannot be swept behind a sampler: drawn rows have no weights, "
            "and it has no class_weight for the costs. Use cost_sensitive=False, which chooses "
            "thresholds alone, or leave the sampler out: costs weigh the classes as well."
        )
    if costs and not takes_costs(estimator):
        raise TypeError(
            f"{type(last).__name__} cannot be swept: its fit takes no sample_weight and it has no "
            "class_weight. Use a learner that takes one of them, such as LogisticRegression, or "
            "cost_sensitive=False, which chooses thresholds alone."
        )
