"""Estimates of how likely each label is together with each number of labels.

Each class says which models it trains, and what the numbers of :func:`gfm` are under them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._validation import narrow_indices

Models = Sequence[Any]
Problems = Iterator[tuple[Any, NDArray[np.intp]]]
Parameters = tuple[NDArray[np.float64], NDArray[np.float64]]


class LabelSizes(Protocol):
    """A way to estimate the probabilities of labels and numbers of labels."""

    def problems(self, X: Any, Y: NDArray[np.intp]) -> Problems:
        """Yield the rows and targets of the models."""

    def estimate(self, models: Models, X: Any) -> Parameters:
        """Estimate the first two parameters of :func:`gfm`."""


@dataclass(frozen=True, eq=False)
class Multinomial:
    """One model per label, whose classes are 0 (absent) and the sizes; and one of no label."""

    sizes: NDArray[np.intp]

    def problems(self, X: Any, Y: NDArray[np.intp]) -> Problems:
        """Yield the rows and targets of the models."""
        sizes = Y.sum(axis=1)
        for label in Y.T:
            yield X, label * sizes
        yield X, (sizes == 0).astype(np.intp)

    def estimate(self, models: Models, X: Any) -> Parameters:
        """Take the probabilities of the sizes as they are."""
        *labels, empty = models
        codes = np.concatenate([[0], self.sizes])
        P = [_class_probabilities(model, X, codes)[:, 1:] for model in labels]
        return np.stack(P, axis=1), _positive_probabilities(empty, X)


@dataclass(frozen=True)
class Independent:
    """One model per label; labels are independent given the features."""

    def problems(self, X: Any, Y: NDArray[np.intp]) -> Problems:
        """Yield the rows and targets of the models."""
        for label in Y.T:
            yield X, label

    def estimate(self, models: Models, X: Any) -> Parameters:
        """Count how many other labels there are, all of them independent."""
        p = np.stack([_positive_probabilities(model, X) for model in models], axis=1)
        return p[:, :, None] * leave_one_out(p), np.prod(1.0 - p, axis=1)


@dataclass(frozen=True, eq=False)
class Chain:
    """One model per label, of the features and the labels before it.

    Parameters
    ----------
    draws : ndarray of shape (n_samples, n_labels)
        The random numbers that decide the draws, the same for all rows.
    """

    draws: NDArray[np.float64]

    def problems(self, X: Any, Y: NDArray[np.intp]) -> Problems:
        """Yield the rows and targets of the models."""
        for i, label in enumerate(Y.T):
            yield _append(X, Y[:, :i]), label

    def estimate(self, models: Models, X: Any) -> Parameters:
        """Draw label sets from the chain and count labels and sizes.

        Draws of one row that agree so far share a node of its tree of labels, and with it the
        probability of the next label.
        """
        (n_draws, n_labels), n = self.draws.shape, X.shape[0]
        row, before = np.arange(n), np.empty((n, 0), dtype=np.intp)  # of each node
        node = np.repeat(row, n_draws)  # of each draw
        for model, draws in zip(models, self.draws.T, strict=True):
            p = _positive_probabilities(model, _append(X[row], before))
            drawn = np.tile(draws, n) < p[node]
            children, node = np.unique(2 * node + drawn, return_inverse=True)
            parent, label = np.divmod(children, 2)
            row, before = row[parent], np.column_stack([before[parent], label])
        size, times = before.sum(axis=1), np.bincount(node)
        P = np.zeros((n, n_labels, n_labels))
        where = row[:, None], np.arange(n_labels), size[:, None] - 1  # size 0 adds nothing
        np.add.at(P, where, times[:, None] * before)
        empty = np.bincount(row, times * (size == 0), minlength=n)
        return P / n_draws, empty / n_draws


def leave_one_out(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the distribution of the number of positives among all labels but one.

    The distribution over all labels is divided by the factor of each label, from the end where
    the errors of the recursion do not grow: O(m^2) numbers and steps per row.

    Parameters
    ----------
    p : ndarray of shape (n_samples, n_labels)
        Probabilities of independent labels.

    Returns
    -------
    ndarray of shape (n_samples, n_labels, n_labels)
        Probability that 0, 1, ..., n_labels - 1 of the other labels are positive.
    """
    n, m = p.shape
    total = np.zeros((n, m + 1))
    total[:, 0] = 1.0
    for column in p.T[:, :, None]:
        total[:, 1:] = (1.0 - column) * total[:, 1:] + column * total[:, :-1]
        total[:, :1] *= 1.0 - column
    # Of a label with p > 1/2 negatives are counted instead.
    flip = p > 0.5
    minor = np.minimum(p, 1.0 - p)
    others, last = np.empty((n, m, m)), np.zeros_like(p)
    for s in range(m):
        here = np.where(flip, total[:, [m - s]], total[:, [s]])
        last = others[:, :, s] = (here - minor * last) / (1.0 - minor)
    others[flip] = others[flip, ::-1]
    return np.clip(others, 0.0, 1.0)


def _append(X: Any, labels: NDArray[np.intp]) -> Any:
    """Add labels to the features."""
    if sparse.issparse(X):
        return narrow_indices(sparse.hstack([X, labels], format="csr"))
    return np.hstack([X, labels])


def _class_probabilities(model: Any, X: Any, codes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Give the probability of each code, 0 for those that the model has not seen."""
    p = np.zeros((X.shape[0], codes.size))
    p[:, np.searchsorted(codes, model.classes_)] = model.predict_proba(X)
    return p


def _positive_probabilities(model: Any, X: Any) -> NDArray[np.float64]:
    return _class_probabilities(model, X, np.arange(2))[:, 1]
