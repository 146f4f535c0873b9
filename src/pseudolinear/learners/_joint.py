"""JointLearner: a classifier that learns all labels at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from pseudolinear._brief import brief_repr
from pseudolinear._problem import Problem
from pseudolinear.learners._inside import importances
from pseudolinear.learners._learner import Abilities
from pseudolinear.learners._metadata import fit_weighted
from pseudolinear.learners._scoring import label_scores
from pseudolinear.learners._wrapped import WrappedLearner, last_step


@dataclass(frozen=True)
class JointModel:
    """One label of a classifier of all labels.

    Attributes
    ----------
    estimator : classifier
        Fitted for all labels.
    column : int
        Which of its outputs.
    n_labels : int
        Number of its outputs.
    """

    estimator: Any
    column: int
    n_labels: int
    optimality: float = np.nan
    converged: bool = True

    __repr__ = brief_repr

    @property
    def importances(self) -> NDArray[np.float64]:
        """Importances of the columns for all labels together, of trees."""
        return importances(self.estimator)


class JointLearner(WrappedLearner):
    """Train one classifier for all labels together, as forests and neural networks can.

    A single fit serves every label, so it is as cheap as one label; but the labels share
    their rows' weights, so errors have equal costs and the measure acts through thresholds alone.

    Parameters
    ----------
    estimator : classifier or Pipeline
        Takes a 0/1 matrix as y; its `predict_proba` gives one array, or one column, per label.
    random_state : int, default=None
        Given to every `random_state` of the estimator that is None.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from sklearn.ensemble import ExtraTreesClassifier
    >>> from pseudolinear.learners import JointLearner
    >>> X, Y = make_multilabel_classification(200, random_state=0)
    >>> forest = JointLearner(ExtraTreesClassifier(20, min_samples_leaf=5))
    >>> MeasureClassifier(forest, measure="f1_macro", random_state=0).fit(X, Y).best_score_ > 0.6
    True
    """

    @property
    def abilities(self) -> Abilities:
        """Say that all labels are learnt at once, and with equal costs."""
        _, last = last_step(self.estimator)
        tags = get_tags(self.estimator).input_tags
        return Abilities(
            costs=False,
            classes=False,
            batches=True,
            all_labels=True,
            weights=has_fit_parameter(last, "sample_weight"),
            sparse=tags.sparse,
            missing=tags.allow_nan,
            any_rows=isinstance(self.estimator, Pipeline),
            probabilities=True,
        )

    def batch_size(self, X: Any) -> int:
        """Take all problems at once."""
        return np.iinfo(np.intp).max

    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Sequence[JointModel]:
        """Fit one classifier per setting of the parameters; see :class:`WrappedLearner`."""
        Y = targets if targets.shape[1] > 1 else targets[:, 0]
        fitted: dict[str, Any] = {}
        models = []
        for problem in problems:
            if len(set(problem.costs)) > 1:
                raise ValueError("JointLearner: labels that are learnt together have equal costs.")
            key = repr(sorted(problem.params.items()))
            if key not in fitted:
                estimator = self._prepared(problem)
                fitted[key] = fit_weighted(estimator, X, Y, sample_weight, metadata)
            models.append(JointModel(fitted[key], problem.label, targets.shape[1]))
        return models

    def scores(self, models: Sequence[JointModel], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models; every classifier predicts once."""
        distinct = {id(model.estimator): model.estimator for model in models}
        n_labels = models[0].n_labels
        known = {key: label_scores(one, X, n_labels) for key, one in distinct.items()}
        return [known[id(model.estimator)][model.column] for model in models]
