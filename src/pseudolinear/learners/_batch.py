"""Batches: the problems that a built-in learner solves at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Batch(NamedTuple):
    """Problems for a solver, over the columns of one 0/1 matrix.

    Attributes
    ----------
    Y : ndarray of shape (n_samples, n_labels)
        Labels, 0 or 1.
    labels : ndarray of shape (n_problems,)
        Column of each problem.
    cost_fn, cost_fp : ndarray of shape (n_problems,)
        Cost of a false negative and of a false positive.
    C : ndarray of shape (n_problems,)
        Weight of the losses against the regularisation.
    sample_weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    classes : ndarray of shape (n_samples,) or None
        Class of each row, where that decides what its errors cost.
    class_costs : ndarray of shape (n_problems, n_classes) or None
        What each problem multiplies the costs of the rows of a class by.
    start : (ndarray of shape (n_problems, n_features), ndarray of shape (n_problems,)) or None
        Weights and intercepts to start from.
    """

    Y: NDArray[np.int8]
    labels: NDArray[np.intp]
    cost_fn: NDArray[np.float64]
    cost_fp: NDArray[np.float64]
    C: NDArray[np.float64]
    sample_weight: NDArray[np.float64] | None
    classes: NDArray[np.intp] | None = None
    class_costs: NDArray[np.float64] | None = None
    start: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None

    def by_class_costs(self) -> Iterator[tuple[NDArray[np.intp], Batch]]:
        """Yield the problems of equal class costs, with these in the weights of the rows."""
        if self.classes is None or self.class_costs is None:
            yield np.arange(len(self.C)), self
            return
        distinct, which = np.unique(self.class_costs, axis=0, return_inverse=True)
        for i, costs in enumerate(distinct):
            numbers = np.flatnonzero(which.ravel() == i)
            weight = costs[self.classes]
            if self.sample_weight is not None:
                weight = weight * self.sample_weight
            yield (
                numbers,
                Batch(
                    self.Y,
                    self.labels[numbers],
                    self.cost_fn[numbers],
                    self.cost_fp[numbers],
                    self.C[numbers],
                    weight,
                ),
            )
