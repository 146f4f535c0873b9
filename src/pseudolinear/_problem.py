"""Problems: what is trained, and what its errors cost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._brief import brief_repr


@dataclass(frozen=True)
class Problem(ABC):
    """One cost-sensitive training task.

    Learners know nothing of measures: they see which rows belong to which class and what an error
    costs.

    Parameters
    ----------
    label : int
        Column of the targets.
    costs : tuple of float
        What errors cost, in the order that the child says.
    params : mapping, default={}
        Hyper-parameters of the learner.
    """

    label: int
    costs: tuple[float, ...]
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    @abstractmethod
    def class_costs(self) -> NDArray[np.float64]:
        """Cost of an error on a row of class 0, 1, ..."""

    @property
    @abstractmethod
    def log_costs(self) -> float | NDArray[np.float64]:
        """What the costs add to log-odds, or to the log-probability of every class (Elkan 2001)."""

    @abstractmethod
    def join(self, class_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn the scores of the classes, one per column, into those of the problem."""

    def target(self, targets: NDArray[Any]) -> NDArray[np.intp]:
        """Return the class of every row.

        Parameters
        ----------
        targets : ndarray of shape (n_samples, n_labels)
            0/1 labels, or the class codes of a multiclass problem in one column.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers from 0 on.
        """
        return targets[:, self.label].astype(np.intp)


@dataclass(frozen=True)
class LabelProblem(Problem):
    """Tell the rows of a label from the rest; `costs` are (cost_fn, cost_fp).

    Examples
    --------
    >>> from pseudolinear.learners import LabelProblem
    >>> LabelProblem(0, costs=(1.5, 0.5)).class_costs  # of a negative and of a positive row
    array([0.5, 1.5])
    """

    @property
    def class_costs(self) -> NDArray[np.float64]:
        """Cost of an error on a negative and on a positive row."""
        return np.array(self.costs[::-1])

    @property
    def log_costs(self) -> float:
        """The logarithm of the ratio of both costs."""
        return float(np.log(self.costs[0] / self.costs[1]))

    def join(self, class_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far the positive class is ahead: shape (n_samples,)."""
        return class_scores[:, 1] - class_scores[:, 0]


@dataclass(frozen=True)
class ClassesProblem(Problem):
    """Tell several classes apart; `costs` holds the cost of an error on a row of each.

    Examples
    --------
    >>> from pseudolinear.learners import ClassesProblem
    >>> ClassesProblem(0, costs=(1.0, 2.0, 2.0)).target(np.array([[0], [2], [1]]))
    array([0, 2, 1])
    """

    __repr__ = brief_repr

    @property
    def class_costs(self) -> NDArray[np.float64]:
        """Cost of an error on a row of each class."""
        return np.array(self.costs)

    @property
    def log_costs(self) -> NDArray[np.float64]:
        """The logarithm of the cost of each class."""
        return np.log(self.class_costs)

    def join(self, class_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores as they are: shape (n_samples, n_classes)."""
        return class_scores
