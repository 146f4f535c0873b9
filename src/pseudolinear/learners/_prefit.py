"""PrefitLearner: a classifier that is fitted already, of which only thresholds are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from pseudolinear._problem import Problem
from pseudolinear._validation import take_rows
from pseudolinear.learners._learner import Abilities, Learner
from pseudolinear.learners._scoring import class_scores, label_scores

SMALLEST = 745.0  # -log of the smallest positive double: no two probabilities get one score


@dataclass(frozen=True)
class PrefitModel:
    """One problem of a classifier that was fitted before.

    Attributes
    ----------
    problem : Problem
        What it decides.
    n_labels : int
        Number of labels that the classifier was fitted for.
    """

    problem: Problem
    n_labels: int
    optimality: float = np.nan
    converged: bool = True


class PrefitLearner(Learner, BaseEstimator):
    """Score rows by a classifier that is fitted already; nothing is trained.

    This is what a `FrozenEstimator` becomes as the estimator of a :class:`MeasureClassifier`.

    Parameters
    ----------
    estimator : FrozenEstimator
        Around a fitted classifier that has `predict_proba` or `decision_function`; of several
        labels, one that was fitted on their 0/1 matrix.
    classes : array-like, default=None
        The classes that the numbers 0, 1, ... in the targets stand for; None: the numbers
        themselves.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.frozen import FrozenEstimator
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from pseudolinear.learners import PrefitLearner
    >>> X, y = make_classification(600, weights=[0.9], random_state=0)
    >>> fitted = KNeighborsClassifier().fit(X[:300], y[:300])
    >>> clf = MeasureClassifier(FrozenEstimator(fitted)).fit(X[300:], y[300:])
    >>> clf.learner_
    PrefitLearner(classes=array([0, 1]),
                  estimator=FrozenEstimator(estimator=KNeighborsClassifier()))
    """

    def __init__(self, estimator: FrozenEstimator, classes: ArrayLike | None = None) -> None:
        self.estimator = estimator
        self.classes = classes

    @property
    def abilities(self) -> Abilities:
        """Say that it needs no training rows, and knows itself what rows it takes."""
        return Abilities(
            costs=False,
            prefit=True,
            batches=True,
            all_labels=True,
            sparse=True,
            missing=True,
            any_rows=True,
            probabilities=hasattr(self.estimator, "predict_proba"),
        )

    @property
    def name(self) -> str:
        """The name of the classifier."""
        return f"frozen {type(self.estimator.estimator).__name__}"

    def parameters(self) -> list[str]:
        """Name nothing: what is fitted has its parameters."""
        return []

    def for_classes(self, classes: NDArray[Any]) -> Self:
        """Return the same learner, told what the numbers in the targets stand for."""
        return type(self)(self.estimator, classes)

    def batch_size(self, X: Any) -> int:
        """Take all problems at once."""
        return np.iinfo(np.intp).max

    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Sequence[PrefitModel]:
        """Check that the classifier fits the rows, and train nothing; see :class:`Learner`."""
        self._check_fitted()
        n_labels = targets.shape[1]
        self._check_labels(X, n_labels)
        if n_labels == 1:
            self._columns(problems[0])
        return [PrefitModel(problem, n_labels) for problem in problems]

    def scores(self, models: Sequence[PrefitModel], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models; the classifier predicts once."""
        n_labels = models[0].n_labels
        if n_labels > 1:
            by_label = label_scores(self.estimator, X, n_labels, SMALLEST)
            return [by_label[model.problem.label] for model in models]
        by_class = class_scores(self.estimator, X, SMALLEST)
        return [m.problem.join(by_class[:, self._columns(m.problem)]) for m in models]

    def _check_fitted(self) -> None:
        try:
            check_is_fitted(self.estimator)
        except NotFittedError as error:
            raise NotFittedError(
                f"{type(self.estimator.estimator).__name__} is not fitted, but a FrozenEstimator "
                "and cv='prefit' train nothing; fit it first (clone forgets a fit, unless it is "
                "inside a FrozenEstimator)."
            ) from error

    def _check_labels(self, X: Any, n_labels: int) -> None:
        shape = np.shape(self.estimator.predict(take_rows(X, np.arange(1))))
        known = shape[1] if len(shape) > 1 else 1
        if known != n_labels:
            raise ValueError(
                f"The fitted classifier predicts {known} label(s), but y has {n_labels}; give y "
                "the columns that the classifier was fitted on."
            )

    def _columns(self, problem: Problem) -> list[int]:
        """Say in which column of its scores the classifier has each class of the targets."""
        known = np.asarray(self.estimator.classes_).tolist()
        wanted = range(len(problem.costs)) if self.classes is None else self.classes
        wanted = np.asarray(wanted).tolist()
        if set(wanted) != set(known):
            raise ValueError(
                f"The fitted classifier knows the classes {known}, but y has {sorted(wanted)}; "
                "give rows of exactly the classes that the classifier was fitted on."
            )
        return [known.index(one) for one in wanted]


def freeze(estimator: Any) -> Any:
    """Return a fitted classifier, or a list of them, as what is not trained again.

    Parameters
    ----------
    estimator : classifier or list of classifier
        Given with ``cv="prefit"``.

    Returns
    -------
    FrozenEstimator or list of FrozenEstimator
        Around it.
    """
    if isinstance(estimator, list):
        return [freeze(one) for one in estimator]
    if not hasattr(estimator, "predict"):
        raise TypeError(f"cv='prefit' needs a fitted classifier as estimator, got {estimator!r}.")
    return estimator if isinstance(estimator, FrozenEstimator) else FrozenEstimator(estimator)
