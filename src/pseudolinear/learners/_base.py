"""The protocol of learners: fit a batch of problems on one X, give scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Problem:
    """One cost-sensitive training task.

    Learners know nothing of measures: they see what an error costs.

    Parameters
    ----------
    label : int or None
        Column of the targets to tell from the rest; None for a multiclass problem.
    costs : tuple of float
        Cost of an error on a row of class 0, 1, ...: for a label (cost_fp, cost_fn), for a
        multiclass problem one cost per class.
    params : mapping, default={}
        Hyper-parameters of the learner.
    """

    label: int | None
    costs: tuple[float, ...]
    params: Mapping[str, Any] = field(default_factory=dict)

    def target(self, targets: NDArray[Any]) -> NDArray[np.intp]:
        """Return the class codes of this problem."""
        return (targets if self.label is None else targets[:, self.label]).astype(np.intp)


class Model(Protocol):
    """A fitted problem."""

    @property
    def optimality(self) -> float:
        """Relative distance of the objective from its optimum, or NaN where none is known."""

    @property
    def converged(self) -> bool:
        """Whether training reached its own tolerance."""

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Score rows: (n_samples,) with 0 as the natural threshold, or (n_samples, n_classes)."""


class Learner(Protocol):
    """What can be trained with costs."""

    def batch_size(self, X: Any) -> int:
        """Say how many problems `fit_batch` likes to get at once on these rows."""

    def fit_batch(
        self,
        X: Any,
        targets: NDArray[Any],
        problems: Sequence[Problem],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Sequence[Model]:
        """Fit all problems on the same rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.
        targets : ndarray of shape (n_samples, n_labels) or (n_samples,)
            0/1 labels, or the class codes of a multiclass problem.
        problems : sequence of Problem
            What to fit.
        sample_weight : ndarray of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        sequence of Model
            One per problem, in their order.
        """

    def scores(self, models: Sequence[Any], X: Any) -> Sequence[NDArray[np.float64]]:
        """Score the same rows with several models of this learner."""
