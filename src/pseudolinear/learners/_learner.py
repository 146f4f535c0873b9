"""The base of learners: what they can do, fit a batch of problems on one X, give scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear._problem import Problem


@dataclass(frozen=True)
class Abilities:
    """What a learner declares that it can do.

    Attributes
    ----------
    costs : bool, default=True
        Errors may have different costs; otherwise a measure acts through the threshold alone.
    classes : bool, default=True
        It can tell the classes of a multiclass problem apart.
    prefit : bool, default=False
        It is trained already, so that every row can validate.
    batches : bool, default=False
        Many problems at once cost little more than one.
    all_labels : bool, default=False
        One model serves all labels.
    weights : bool, default=True
        Rows may have weights.
    sparse : bool, default=False
        Rows may be sparse.
    missing : bool, default=False
        Rows may have missing values.
    pairwise : bool, default=False
        Rows are a Gram matrix of all training rows.
    frames : bool, default=False
        Rows may be data frames of numbers and categories.
    any_rows : bool, default=False
        Rows may be anything (text, categories): its own first step knows what it takes.
    probabilities : bool, default=False
        Scores are log-odds, or log-probabilities of classes.
    gaps : bool, default=False
        Every model states how far its objective is from the optimum.
    threads : bool, default=False
        Training leaves Python's lock for most of its time, so that threads serve as well as
        processes, which have to start and get the rows first.

    Examples
    --------
    >>> from pseudolinear.learners import Abilities
    >>> LinearLearner("hinge").abilities == Abilities(
    ...     batches=True, sparse=True, gaps=True, threads=True
    ... )
    True
    """

    costs: bool = True
    classes: bool = True
    prefit: bool = False
    batches: bool = False
    all_labels: bool = False
    weights: bool = True
    sparse: bool = False
    missing: bool = False
    pairwise: bool = False
    frames: bool = False
    any_rows: bool = False
    probabilities: bool = False
    gaps: bool = False
    threads: bool = False


class Model(Protocol):
    """A fitted problem."""

    @property
    def optimality(self) -> float:
        """Relative distance of the objective from its optimum, or NaN where none is known."""

    @property
    def converged(self) -> bool:
        """Whether training reached its own tolerance."""


class Scorer(Protocol):
    """What scores rows with fitted models."""

    def scores(self, models: Sequence[Any], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models.

        Returns
        -------
        sequence of ndarray
            Of each model (n_samples,) with 0 as the natural threshold, or (n_samples, n_classes).
        """


class Learner(ABC):
    """What can be trained with costs.

    A learner of your own is a child with these methods and parameters that scikit-learn's `clone`
    can copy (inherit from `BaseEstimator`).

    Examples
    --------
    A learner that scores rows by one of their features, whatever errors cost:

    >>> from types import SimpleNamespace
    >>> from sklearn.base import BaseEstimator
    >>> from sklearn.datasets import make_classification
    >>> from pseudolinear.learners import Abilities, Learner
    >>> class Feature(Learner, BaseEstimator):
    ...     abilities = Abilities(costs=False, classes=False)
    ...
    ...     def parameters(self):
    ...         return ["column"]
    ...
    ...     def fit_batch(self, X, targets, problems, sample_weight=None):
    ...         model = {"optimality": np.nan, "converged": True}
    ...         return [SimpleNamespace(**model, column=p.params["column"]) for p in problems]
    ...
    ...     def scores(self, models, X):
    ...         return [X[:, model.column] for model in models]
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> grid = {"column": list(range(20))}
    >>> MeasureClassifier(Feature(), param_grid=grid, random_state=0).fit(X, y).best_params_
    {'column': 16}
    """

    @property
    def abilities(self) -> Abilities:
        """What this learner can do."""
        return Abilities()

    @property
    def name(self) -> str:
        """How messages and tables call it."""
        return type(self).__name__

    @abstractmethod
    def parameters(self) -> Collection[str]:
        """Name the hyper-parameters that a problem may set."""

    def seeded(self, seed: int) -> Self:
        """Return the same learner with a seed wherever it draws at random and has none."""
        return self

    def for_classes(self, classes: NDArray[Any]) -> Self:
        """Return the same learner, told which classes the numbers in the targets stand for.

        What is trained on the numbers need not know.
        """
        return self

    def started(self, problems: Sequence[Problem], models: Sequence[Any]) -> Self:
        """Return the same learner, which starts from these models where it trains their problems.

        What always starts anew need not know; results are the same within its tolerance.
        """
        return self

    def batch_size(self, X: Any) -> int:
        """Say how many problems `fit_batch` likes to get at once on these rows."""
        return 1

    @abstractmethod
    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Sequence[Any]:
        """Fit all problems on the same rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.
        targets : ndarray of shape (n_samples, n_labels)
            0/1 labels, or the class codes of a multiclass problem in one column.
        problems : sequence of Problem
            What to fit.
        sample_weight : ndarray of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        sequence of Model
            One per problem, in their order.
        """

    @abstractmethod
    def scores(self, models: Sequence[Any], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models of this learner; see :class:`Scorer`."""
