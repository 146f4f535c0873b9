"""Error profiles: what a classifier gets wrong, label by label, as proportions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._brief import brief_repr
from pseudolinear._validation import check_binary, check_weights
from pseudolinear.loops._curves import lower_left_hull


@dataclass(frozen=True, eq=False)
class ErrorProfile:
    r"""False negatives and false positives per label, as proportions of all rows.

    The profile of one classifier is the vector
    :math:`e = (fn_1, fp_1, \ldots, fn_L, fp_L)`; every measure of this package is a
    function of it. Leading axes stack the profiles of several classifiers.

    Parameters
    ----------
    fn, fp : array-like of shape (..., n_labels)
        Proportion of rows that carry the label and are predicted without it, and
        the reverse. A scalar stands for one label.
    prevalence : array-like of shape (n_labels,)
        Proportion of rows that carry the label.

    Examples
    --------
    >>> profile = ErrorProfile.from_labels([1, 1, 0, 0], [1, 0, 0, 1])
    >>> profile.fn, profile.fp, profile.prevalence
    (array([0.25]), array([0.25]), array([0.5]))
    """

    fn: NDArray[np.float64]
    fp: NDArray[np.float64]
    prevalence: NDArray[np.float64]

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        for name in ("fn", "fp", "prevalence"):
            array = np.atleast_1d(np.asarray(getattr(self, name), dtype=np.float64))
            object.__setattr__(self, name, array)
        if self.prevalence.ndim != 1 or self.fn.shape[-1:] != self.prevalence.shape:
            raise ValueError(
                f"ErrorProfile: fn has the shape {self.fn.shape} but prevalence "
                f"{self.prevalence.shape}; the last axis of fn and fp must be the labels."
            )
        if self.fn.shape != self.fp.shape:
            raise ValueError(
                f"ErrorProfile: fn has the shape {self.fn.shape} and fp {self.fp.shape}; "
                "they must be equal."
            )

    @classmethod
    def from_labels(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> ErrorProfile:
        """Count the errors of predictions.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,) or (n_samples, n_labels)
            Two columns of 0 and 1 are a binary problem, matrices of 0 and 1 a
            multilabel one, and with `labels` any values a multiclass one.
        labels : array-like of shape (n_labels,), default=None
            The classes of a multiclass problem, in the order of the profile.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        ErrorProfile
            One label for a binary problem, otherwise one per column or class.
        """
        if labels is None:
            true, pred = check_binary(y_true, "y_true"), check_binary(y_pred, "y_pred")
        else:
            classes = np.asarray(labels)
            true = np.asarray(y_true)[:, None] == classes
            pred = np.asarray(y_pred)[:, None] == classes
        if true.shape != pred.shape:
            raise ValueError(
                f"y_true has the shape {true.shape} and y_pred {pred.shape}; they must be equal."
            )
        true, pred = true.reshape(len(true), -1), pred.reshape(len(pred), -1)
        weight = check_weights(sample_weight, len(true))
        rows = np.ones(len(true)) if weight is None else weight
        positives = rows @ true
        total = positives + rows @ ~true  # so that a label of all rows has exactly all of them
        return cls(rows @ (true & ~pred) / total, rows @ (pred & ~true) / total, positives / total)

    @classmethod
    def stack(cls, profiles: Sequence[ErrorProfile]) -> ErrorProfile:
        """Stack the profiles of several classifiers on the same rows."""
        return cls(
            np.stack([profile.fn for profile in profiles]),
            np.stack([profile.fp for profile in profiles]),
            profiles[0].prevalence,
        )

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.prevalence.size

    @property
    def errors(self) -> NDArray[np.float64]:
        """Both errors on a last axis: shape (..., n_labels, 2)."""
        return np.stack([self.fn, self.fp], axis=-1)

    @property
    def recall(self) -> NDArray[np.float64]:
        """Share of the positives that are found; NaN without positives."""
        with np.errstate(invalid="ignore"):
            return (self.prevalence - self.fn) / self.prevalence

    @property
    def precision(self) -> NDArray[np.float64]:
        """Share of the predictions that are right; NaN without predictions."""
        found = np.maximum(self.prevalence - self.fn, 0.0)
        with np.errstate(invalid="ignore"):
            return found / (found + self.fp)

    def __len__(self) -> int:
        """Return the number of stacked profiles."""
        return len(self.fn)

    def __getitem__(self, index: Any) -> Self:
        """Select from the stacked profiles."""
        return type(self)(self.fn[index], self.fp[index], self.prevalence)

    def total_cost(self, costs: ArrayLike) -> NDArray[np.float64]:
        r"""Price the errors: :math:`\langle a, e \rangle`.

        Parameters
        ----------
        costs : array-like of shape (2,) or (n_labels, 2)
            Cost of a false negative and of a false positive, for all labels or each.

        Returns
        -------
        ndarray
            One cost per stacked profile.

        Examples
        --------
        >>> ErrorProfile(0.1, 0.2, 0.5).total_cost([1.5, 0.5])
        np.float64(0.25)
        """
        return (self.errors * np.asarray(costs)).sum(axis=(-2, -1))

    def at_prevalence(self, prevalence: ArrayLike) -> Self:
        r"""Return the errors in a population in which positives have another prevalence.

        Under label shift, rows of a class look alike in both populations, so recall and fall-out
        stay: :math:`fn' = fn \, p'/p` and :math:`fp' = fp \, (1-p')/(1-p)`. It is the profile of
        the same rows, weighted so that positives have that prevalence. For labels, not for several
        classes, whose false positives come from rows of all other classes.

        Parameters
        ----------
        prevalence : float or array-like of shape (n_labels,)
            Between 0 and 1, of all labels or of each.

        Returns
        -------
        ErrorProfile
            Of the same type, a curve with the same thresholds.

        Examples
        --------
        >>> rare = ErrorProfile(fn=0.1, fp=0.1, prevalence=0.5).at_prevalence(0.1)
        >>> rare.fn, rare.fp, rare.recall
        (array([0.02]), array([0.18]), array([0.8]))
        """
        p, wanted = self.prevalence, np.asarray(prevalence, dtype=np.float64)
        if wanted.shape not in {(), p.shape} or not ((wanted > 0) & (wanted < 1)).all():
            raise ValueError(
                f"prevalence must be a number between 0 and 1, or {p.size} of them, got "
                f"{prevalence!r}."
            )
        if not ((p > 0) & (p < 1)).all():
            raise ValueError(
                f"The prevalence {p.tolist()} cannot be moved to another one: without positive and "
                "negative rows nothing is known of the errors on them."
            )
        wanted = np.broadcast_to(wanted, p.shape)
        fn, fp = self.fn * (wanted / p), self.fp * ((1.0 - wanted) / (1.0 - p))
        return replace(self, fn=fn, fp=fp, prevalence=wanted.copy())

    def front(self) -> NDArray[np.intp]:
        """Find the profiles that no other one beats in both errors.

        Only for stacks of one label.

        Returns
        -------
        ndarray of int
            Positions on the Pareto front, by ascending false positives; of equal
            profiles the first.
        """
        order = self._by_false_positives()
        fn = self.fn[order, 0]
        lowest_before = np.minimum.accumulate(np.concatenate([[np.inf], fn[:-1]]))
        return order[fn < lowest_before]

    def hull(self) -> NDArray[np.intp]:
        """Find the profiles that some pair of non-negative costs makes the cheapest.

        They are the vertices of the lower left convex hull, and hold the optimum of every
        linear-fractional measure whose costs are non-negative. Only for stacks of one label.

        Returns
        -------
        ndarray of int
            Positions of the vertices, by ascending false positives.
        """
        order = self._by_false_positives()
        return order[lower_left_hull(self.fp[order, 0], self.fn[order, 0])]

    def _by_false_positives(self) -> NDArray[np.intp]:
        if self.fn.ndim != 2 or self.n_labels != 1:
            raise ValueError(
                f"Fronts and hulls are for stacked profiles of one label, not for the shape "
                f"{self.fn.shape}; take one label at a time."
            )
        return np.lexsort((self.fn[:, 0], self.fp[:, 0]))
