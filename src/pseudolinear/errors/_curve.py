"""Error curves: what is wrong at every threshold of a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._validation import check_binary, check_scores, check_weights
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.loops._curves import lower_left_hull, merge_cuts, weighted_cuts

GROWTH = 1.1  # of the predicted rate from one cut of an outline to the next
CLEAR = 1e-9  # distance of an end from a score of 0: nobody can read the number next to it
LIMITS = np.append(GROWTH ** (np.arange(484) - 1e-9), np.inf)  # 1e20: nobody counts more rows


@dataclass(frozen=True, eq=False)
class ErrorCurve(ErrorProfile):
    """Error profiles along all thresholds of a score.

    Rows with a score of at least the threshold are predicted positive. Equal scores
    fall together, a threshold lies half-way between neighbouring scores, the first
    cut predicts nothing and the last one everything: they are next to the largest and
    the least score, or 1e-9 away from a score of 0.

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

    def __repr__(self) -> str:
        of = "1 label" if self.n_labels == 1 else f"{self.n_labels} labels"
        return (
            f"<ErrorCurve: {len(self)} cuts, {of} of mean prevalence {self.prevalence.mean():.4g}>"
        )

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
        order = np.argsort(-lead)
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
        first = np.searchsorted(-thresholds, -lead)
        shape, size = (len(thresholds), scores.shape[1]), weight.sum()
        fn, fp, true = _leaving(first, codes, other, weight, shape)
        return cls(fn / size, fp / size, true / size, thresholds)

    def hull(self) -> NDArray[np.intp]:
        """Find the cuts that some pair of non-negative costs makes the cheapest.

        Returns
        -------
        ndarray of int
            Positions of the vertices, by descending threshold.
        """
        return lower_left_hull(self.fp[:, 0], self.fn[:, 0])  # cuts are sorted already

    def outline(self, *others: int) -> Self:
        """Keep the cuts worth choosing: those on the hull, and some at every predicted rate.

        The hull holds the optimum of every linear-fractional measure; the others, whose predicted
        rates grow by a tenth from one to the next, serve rules that aim at a rate.

        Parameters
        ----------
        *others : int
            Positions of further cuts to keep.

        Returns
        -------
        ErrorCurve
            A few dozen cuts, by descending threshold.
        """
        rate = self.prevalence[0] - self.fn[:, 0] + self.fp[:, 0]
        steps = np.log(np.maximum(rate[1:], rate[1]) / rate[1]) / np.log(GROWTH)
        _, first = np.unique(np.floor(steps + 1e-9), return_index=True)
        return self[np.unique(np.concatenate([self.hull(), first + 1, np.array(others, np.intp)]))]

    def profile(self, cut: int) -> ErrorProfile:
        """Return the error profile at one cut."""
        return ErrorProfile(self.fn[cut], self.fp[cut], self.prevalence)

    def __getitem__(self, index: Any) -> Self:
        """Select from the cuts."""
        return type(self)(self.fn[index], self.fp[index], self.prevalence, self.thresholds[index])


def _leaving(
    first: NDArray[np.intp],
    codes: NDArray[np.intp],
    other: NDArray[np.intp],
    weight: NDArray[np.float64],
    shape: tuple[int, int],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Weigh the errors at every cut, where rows leave class 0 for another at the cut `first`.

    Returns
    -------
    fn, fp : ndarray of shape (n_cuts, n_classes)
        Errors of each class.
    true : ndarray of shape (n_classes,)
        Rows of each class.
    """

    def left(classes: NDArray[np.intp], weight: NDArray[np.float64]) -> NDArray[np.float64]:
        n_cuts, n_classes = shape
        leaving = np.bincount(first * n_classes + classes, weight, (n_cuts + 1) * n_classes)
        return leaving.reshape(-1, n_classes)[:-1].cumsum(axis=0)

    true = np.bincount(codes, weight, shape[1]).astype(np.float64)
    gone, hits = left(codes, weight), left(codes, np.where(codes == other, weight, 0.0))
    fn, fp = true - hits, left(other, weight) - hits
    fn[:, 0], fp[:, 0] = gone[:, 0], (true - gone)[:, 1:].sum(axis=1)
    return np.maximum(fn, 0.0), np.maximum(fp, 0.0), true  # rounding may fall below zero


def between(
    scores: NDArray[np.float64], highest: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Place one threshold above, between and below descending distinct scores.

    With `highest` it is intervals that are told apart, of which `scores` are the lowest scores.

    Examples
    --------
    >>> between(np.array([0.75, 0.25]))[1]
    np.float64(0.5)
    """
    highest = scores if highest is None else highest
    upper, lower = scores[:-1], highest[1:]
    middle = lower / 2 + upper / 2
    # Between neighbouring floating point numbers there is no room for a middle.
    middle = np.where(middle > lower, middle, upper)
    extremes = np.array([highest[0], scores[-1]])
    with np.errstate(over="ignore"):  # above the largest number there is infinity
        ends = np.nextafter(extremes, [np.inf, -np.inf])
    ends = np.where(extremes == 0, [CLEAR, -CLEAR], ends)
    return np.concatenate([ends[:1], middle, ends[1:]])
