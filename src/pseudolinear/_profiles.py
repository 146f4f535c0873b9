"""Error profiles: what a classifier gets wrong, label by label, as proportions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._kernels._curves import lower_left_hull, merge_cuts, weighted_cuts
from pseudolinear._validation import check_binary, check_scores, check_weights


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
        total = rows.sum()
        return cls(
            rows @ (true & ~pred) / total, rows @ (pred & ~true) / total, rows @ true / total
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


@dataclass(frozen=True, eq=False)
class ErrorCurve(ErrorProfile):
    """Error profiles along all thresholds of a score.

    Rows with a score of at least the threshold are predicted positive. Equal scores
    fall together, a threshold lies half-way between neighbouring scores, the first
    cut predicts nothing and the last one everything.

    Parameters
    ----------
    fn, fp : ndarray of shape (n_cuts, n_labels)
        Errors at each cut.
    prevalence : ndarray of shape (n_labels,)
        Proportion of rows that carry the label.
    thresholds : ndarray of shape (n_cuts,)
        Threshold of each cut, descending.

    Examples
    --------
    >>> curve = ErrorCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> curve.thresholds[1:-1], curve.fn[:, 0], curve.fp[:, 0]
    (array([0.6 , 0.25]), array([0.5 , 0.25, 0.  , 0.  ]), array([0.  , 0.  , 0.25, 0.5 ]))
    """

    thresholds: NDArray[np.float64]

    @classmethod
    def from_scores(
        cls, y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ErrorCurve:
        """Cut a score everywhere it can be cut.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            0 and 1, or booleans.
        y_score : array-like of shape (n_samples,)
            Finite scores, larger for the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        ErrorCurve
            At most one cut more than there are distinct scores.
        """
        positive = check_binary(y_true, "y_true")
        if positive.ndim != 1:
            raise ValueError(
                f"y_true has the shape {positive.shape}; a curve is for one label, so give one "
                "column at a time, or use best_thresholds."
            )
        score = check_scores(y_score, positive.shape)
        weight = check_weights(sample_weight, len(positive))
        if weight is None:
            # Sorting the classes apart and merging them is faster than an argsort.
            cuts, tp, fp = merge_cuts(np.sort(score[positive]), np.sort(score[~positive]))
            total, tp, fp = float(score.size), tp.astype(np.float64), fp.astype(np.float64)
        else:
            if not weight.all():  # rows without weight make no cuts
                some = weight > 0
                positive, score, weight = positive[some], score[some], weight[some]
            cuts, tp, fp = weighted_cuts(np.argsort(score), score, positive, weight)
            total = tp[-1] + fp[-1]
        fn, fp = np.append(tp[-1], tp[-1] - tp), np.append(0.0, fp)
        return cls(fn[:, None] / total, fp[:, None] / total, tp[-1] / total, between(cuts))

    @classmethod
    def from_class_scores(
        cls,
        codes: NDArray[np.intp],
        scores: NDArray[np.float64],
        pair_map: NDArray[np.float64],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> ErrorCurve:
        """Cut the lead of the best other class over the default class, code 0.

        Rows whose lead is at least the threshold get the best other class, the rest the default
        class. Only the cuts on the hull of the pair (fn, fp) are kept.

        Parameters
        ----------
        codes : ndarray of shape (n_samples,)
            Position of the true class among the columns of `scores`.
        scores : ndarray of shape (n_samples, n_classes)
            Score of each class.
        pair_map : ndarray of shape (2, n_classes, 2)
            Which errors make up the pair; see :meth:`Measure.pair_map`.
        sample_weight : ndarray of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        ErrorCurve
            Profiles of all classes.
        """
        weight = np.ones(len(codes)) if sample_weight is None else sample_weight
        rows = np.flatnonzero(weight)
        codes, scores, weight = codes[rows], scores[rows], weight[rows]
        other = scores[:, 1:].argmax(axis=1) + 1
        lead = scores[np.arange(len(codes)), other] - scores[:, 0]
        order = np.argsort(-lead, kind="stable")
        last = np.append(np.diff(lead[order]) != 0, True)
        steps = []
        for errors in pair_map:  # what a row adds to the pair once it leaves the default class
            as_default = np.where(codes == 0, 0.0, errors[codes, 0] + errors[0, 1])
            as_other = np.where(codes == other, 0.0, errors[codes, 0] + errors[other, 1])
            gain = np.cumsum((weight * (as_other - as_default))[order])[last]
            steps.append(np.concatenate([[0.0], gain]))
        hull = lower_left_hull(steps[1], steps[0] - steps[0].min())
        leads = lead[order][last]
        thresholds = between(leads)
        # Subtracting a threshold from scores rounds, so the ends need a real distance.
        thresholds[[0, -1]] = leads[0] + 1.0, leads[-1] - 1.0
        thresholds = thresholds[hull]
        predicted = np.where(lead >= thresholds[:, None], other, 0)
        classes = np.arange(scores.shape[1])
        profiles = [
            ErrorProfile.from_labels(codes, p, labels=classes, sample_weight=weight)
            for p in predicted
        ]
        return cls(
            np.array([p.fn for p in profiles]),
            np.array([p.fp for p in profiles]),
            profiles[0].prevalence,
            thresholds,
        )

    def hull(self) -> NDArray[np.intp]:
        """Find the cuts that some pair of non-negative costs makes the cheapest.

        Returns
        -------
        ndarray of int
            Positions of the vertices, by descending threshold.
        """
        return lower_left_hull(self.fp[:, 0], self.fn[:, 0])  # cuts are sorted already

    def outline(self) -> Self:
        """Keep the cuts worth choosing: those on the hull, and some at every predicted rate.

        The hull holds the optimum of every linear-fractional measure; the others, whose predicted
        rates grow by a tenth from one to the next, serve rules that aim at a rate.

        Returns
        -------
        ErrorCurve
            A few dozen cuts, by descending threshold.
        """
        rate = self.prevalence[0] - self.fn[:, 0] + self.fp[:, 0]
        steps = np.log(np.maximum(rate[1:], rate[1]) / rate[1]) / np.log(1.1)
        _, first = np.unique(np.floor(steps + 1e-9), return_index=True)
        return self[np.union1d(self.hull(), first + 1)]

    def profile(self, cut: int) -> ErrorProfile:
        """Return the error profile at one cut."""
        return ErrorProfile(self.fn[cut], self.fp[cut], self.prevalence)

    def __getitem__(self, index: Any) -> Self:
        """Select from the cuts."""
        return type(self)(self.fn[index], self.fp[index], self.prevalence, self.thresholds[index])


def between(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Place one threshold above, between and below descending distinct scores.

    Examples
    --------
    >>> between(np.array([0.75, 0.25]))[1]
    np.float64(0.5)
    """
    upper, lower = scores[:-1], scores[1:]
    middle = lower / 2 + upper / 2
    # Between neighbouring floating point numbers there is no room for a middle.
    middle = np.where(middle > lower, middle, upper)
    ends = np.nextafter(scores[[0, -1]], [np.inf, -np.inf])
    return np.concatenate([ends[:1], middle, ends[1:]])
