"""LabelCurves: the errors of many labels along their thresholds, in flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pseudolinear._brief import brief_repr
from pseudolinear.errors import LIMITS, ErrorCurves, ErrorProfile, fold_curves
from pseudolinear.loops._outlines import outlines
from pseudolinear.measures import Measure


@dataclass(frozen=True, eq=False)
class LabelCurves(ErrorCurves):
    """What the thresholds of many labels give: outlines of error curves on the same rows.

    Attributes
    ----------
    n_samples : float
        Number of rows, or their weight.

    Examples
    --------
    >>> from pseudolinear.extreme import LabelCurves
    >>> Y = sparse.csc_matrix([[1, 0], [0, 1], [1, 1]])
    >>> curves = LabelCurves.of_scores(np.array([[0.9, 0.2], [0.1, 0.6], [0.3, 0.7]]).T, Y)
    >>> np.split(curves.fn.round(2), curves.starts[1:-1])
    [array([0.33, 0.  , 0.  ]), array([0.33, 0.  , 0.  ])]
    """

    n_samples: float

    __repr__ = brief_repr

    @classmethod
    def of_scores(
        cls,
        scores: NDArray[np.float64],
        truth: Any,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        """Cut dense scores of some labels.

        Parameters
        ----------
        scores : ndarray of shape (n_labels, n_samples)
            One row per label; sorted in place.
        truth : csc_matrix of shape (n_samples, n_labels)
            0/1 without stored zeros.
        sample_weight : ndarray of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        LabelCurves
            The cuts that :meth:`ErrorCurve.outline` keeps.
        """
        if sample_weight is not None:
            n_rows = truth.shape[0]
            whole = np.ascontiguousarray(truth.toarray().T.astype(bool))
            own, _ = fold_curves(scores, whole, np.arange(len(scores)), [n_rows], sample_weight)
            return cls(**vars(own), n_samples=float(np.count_nonzero(sample_weight)))
        owner = np.repeat(np.arange(truth.shape[1]), np.diff(truth.indptr))
        positives = scores[owner, truth.indices]
        scores.sort(axis=1)
        starts = np.arange(len(scores) + 1, dtype=np.int64) * scores.shape[1]
        return cls._of_sorted(starts, scores.ravel(), truth.indptr, positives, truth)

    @classmethod
    def of_sparse_scores(cls, scores: Any, truth: Any) -> Self:
        """Cut scores of which every row has a few: labels without one are never predicted.

        Parameters
        ----------
        scores : sparse matrix of shape (n_samples, n_labels)
            Stored entries are scores, also where they are 0; all others are minus infinity.
        truth : sparse matrix of shape (n_samples, n_labels)
            0/1 without stored zeros.

        Returns
        -------
        LabelCurves
            Positive rows without a score are false negatives at every cut.
        """
        scores, truth = sparse.csc_matrix(scores), sparse.csc_matrix(truth)
        place = sparse.csc_matrix(
            (np.arange(1, scores.nnz + 1), scores.indices, scores.indptr), scores.shape
        )
        both = place.multiply(truth.astype(bool)).tocsc()
        positives = scores.data[both.data - 1].astype(np.float64)
        owner = np.repeat(np.arange(scores.shape[1]), np.diff(scores.indptr))
        values = scores.data[np.lexsort((scores.data, owner))].astype(np.float64)
        starts = scores.indptr.astype(np.int64)
        return cls._of_sorted(starts, values, both.indptr, positives, truth)

    @classmethod
    def _of_sorted(
        cls,
        starts: NDArray[np.int64],
        scores: NDArray[np.float64],
        pos_starts: NDArray[Any],
        positives: NDArray[np.float64],
        truth: Any,
    ) -> Self:
        n_samples, n_positive = truth.shape[0], np.diff(truth.indptr).astype(np.float64)
        pos_starts = pos_starts.astype(np.int64)
        owner = np.repeat(np.arange(len(n_positive)), np.diff(pos_starts))
        positives = positives[np.lexsort((positives, owner))]
        parts = np.stack([starts[:-1], starts[1:], pos_starts[:-1], pos_starts[1:]])
        counts = np.stack([n_positive, np.full(len(n_positive), float(n_samples))])
        first, (thresholds, fn, fp) = outlines(parts, counts, scores, positives, LIMITS)
        return cls(first, thresholds, fn, fp, n_positive / n_samples, float(n_samples))

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Put the labels of several curves on the same rows one after the other."""
        ends = np.cumsum([0, *(part.starts[-1] for part in parts)])
        starts = [part.starts[:-1] + end for part, end in zip(parts, ends[:-1], strict=True)]

        def joined(name: str) -> NDArray[np.float64]:
            return np.concatenate([getattr(part, name) for part in parts])

        return cls(
            np.concatenate([*starts, ends[-1:]]),
            joined("thresholds"),
            joined("fn"),
            joined("fp"),
            joined("prevalence"),
            parts[0].n_samples,
        )

    def take(self, labels: NDArray[np.intp]) -> LabelCurves:
        """Return some of the labels, in the given order."""
        sizes = np.diff(self.starts)[labels]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        cuts = np.arange(starts[-1]) + np.repeat(self.starts[labels] - starts[:-1], sizes)
        parts = self.thresholds[cuts], self.fn[cuts], self.fp[cuts]
        return LabelCurves(starts, *parts, self.prevalence[labels], self.n_samples)

    def values(self, measure: Measure) -> NDArray[np.float64]:
        """Evaluate every cut by the measure of its label alone."""
        p = self.spread(self.prevalence)
        return measure.of_masses(self.fn, self.fp, p, 1.0 - p)

    def log_ratios(self) -> NDArray[np.float64]:
        """Return the log of predicted to true positives at every cut, as `Shrunk` takes it."""
        p, n = self.spread(self.prevalence), self.n_samples
        return np.log(((p - self.fn + self.fp) * n + 0.5) / (p * n + 0.5))

    def profile(self, cuts: NDArray[np.intp]) -> ErrorProfile:
        """Return the errors of all labels at one cut each, given by its position."""
        return ErrorProfile(self.fn[cuts], self.fp[cuts], self.prevalence)
