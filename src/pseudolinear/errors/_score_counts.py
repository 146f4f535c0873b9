"""ScoreCounts: many columns of scores counted in bins, chunk by chunk and worker by worker."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear._brief import brief_repr
from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.errors._score_curve import ScoreCurve
from pseudolinear.loops._score_counts import count_columns as _count

NONE = np.empty(0)
EMPTY = (0.0, 0.0, np.inf, -np.inf)  # of a bin: positives, negatives, lowest, highest score


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """Rows of both classes in bins of the scores of many columns.

    Counts of chunks, of folds and of workers merge exactly, in any order (sums of weights but for
    rounding). A column becomes a :class:`ScoreCurve`, whose cuts between bins are exact.

    Attributes
    ----------
    edges : ndarray of shape (n_columns, n_edges)
        Ascending; a score of at least an edge is above it.
    bins : ndarray of shape (n_columns, n_edges + 1, 4)
        Weight of the positives and of the negatives, lowest and highest score (infinity and minus
        infinity where there is none).

    Examples
    --------
    >>> from pseudolinear.errors import count_columns
    >>> scores, truth = np.array([[0.1, 3.0], [0.7, 1.0], [0.6, 2.0]]), np.array([0, 1, 1])
    >>> counts = count_columns(scores, truth, edges=[[0.5], [1.5]])
    >>> counts.counts[:, :, 0]  # positives below and above the edge of each column
    array([[0., 2.],
           [1., 1.]])
    >>> counts.merge(counts).curves()[0].fn[:, 0]
    array([0.6667, 0. , 0. ])
    """

    edges: NDArray[np.float64]
    bins: NDArray[np.float64]

    __repr__ = brief_repr

    @classmethod
    def empty(cls, edges: ArrayLike) -> ScoreCounts:
        """Return bins without rows."""
        array = np.atleast_2d(np.asarray(edges, dtype=np.float64))
        bins = np.tile(EMPTY, (array.shape[0], array.shape[1] + 1, 1))
        return cls(array, bins)

    @property
    def counts(self) -> NDArray[np.float64]:
        """Weight of positives and of negatives: shape (n_columns, n_bins, 2)."""
        return self.bins[..., :2]

    @property
    def n_columns(self) -> int:
        """Number of columns of scores."""
        return len(self.edges)

    def add(
        self,
        scores: NDArray[np.floating],
        truth: ArrayLike,
        weight: NDArray[np.float64] | None = None,
        *,
        label: ArrayLike | None = None,
        fold: ArrayLike | None = None,
        held_out: ArrayLike | None = None,
    ) -> None:
        """Add rows in place; the parameters are those of :func:`count_columns`."""
        columns = self.n_columns
        true = np.asarray(truth, dtype=bool)
        finite = _count(
            np.ascontiguousarray(scores).reshape(-1, columns),
            np.ascontiguousarray(true if true.ndim == 2 else true[:, None]),
            _codes(label, columns, 0),
            NONE if weight is None else np.ascontiguousarray(weight, dtype=np.float64),
            np.empty(0, np.int64) if fold is None else np.asarray(fold, dtype=np.int64),
            _codes(held_out, columns, -1),
            self.edges,
            self.bins,
        )
        if not finite:
            raise ValueError("y_score contains NaN or infinity; every row needs a finite score.")

    def merge(self, other: ScoreCounts) -> ScoreCounts:
        """Return the counts of the rows of both, which must have the same edges."""
        if not np.array_equal(self.edges, other.edges):
            raise ValueError("Counts merge only if their edges are equal; count with the same.")
        bins = np.empty_like(self.bins)
        bins[..., :2] = self.counts + other.counts
        np.minimum(self.bins[..., 2], other.bins[..., 2], out=bins[..., 2])
        np.maximum(self.bins[..., 3], other.bins[..., 3], out=bins[..., 3])
        return ScoreCounts(self.edges, bins)

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        """Merge, so that counts of many chunks add up."""
        return self.merge(other)

    def take(self, columns: ArrayLike) -> ScoreCounts:
        """Return the counts of some columns, such as those of a fold: two of them can merge."""
        chosen = np.asarray(columns)
        return ScoreCounts(self.edges[chosen], self.bins[chosen])

    def column(self, position: int) -> ScoreCurve:
        """Return what is known of one column."""
        return ScoreCurve.of_bins(self.bins[position])

    def curves(self) -> list[ErrorCurve]:
        """Return the known cuts of every column; of one without rows there is none to return."""
        return [self.column(k).curve() for k in range(self.n_columns)]


def count_columns(
    scores: NDArray[np.floating],
    truth: ArrayLike,
    weight: NDArray[np.float64] | None = None,
    *,
    edges: ArrayLike,
    label: ArrayLike | None = None,
    fold: ArrayLike | None = None,
    held_out: ArrayLike | None = None,
) -> ScoreCounts:
    """Count the rows of both classes in bins of many columns of scores, in one compiled pass.

    Parameters
    ----------
    scores : ndarray of shape (n_rows, n_columns)
        Finite scores of each row, one column per candidate.
    truth : array-like of shape (n_rows,) or (n_rows, n_labels)
        0 and 1, or booleans.
    weight : ndarray of shape (n_rows,), default=None
        Weight of each row; rows of weight 0 are not there.
    edges : array-like of shape (n_columns, n_edges)
        Ascending; see :func:`sample_edges`.
    label : array-like of shape (n_columns,), default=None
        Which column of `truth` each column of scores is for; by default the first.
    fold : array-like of int, shape (n_rows,), default=None
        Fold of each row.
    held_out : array-like of int, shape (n_columns,), default=None
        Fold whose rows a column counts; -1, the default, counts all rows.

    Returns
    -------
    ScoreCounts
        To be merged with those of other rows.

    Examples
    --------
    >>> from pseudolinear.errors import count_columns, sample_edges
    >>> rng = np.random.default_rng(0)
    >>> truth, fold = rng.random(1000) < 0.3, np.arange(1000) % 2
    >>> scores = truth[:, None] + rng.normal(size=(1000, 2))
    >>> counts = count_columns(
    ...     scores, truth, edges=sample_edges(scores, 16), fold=fold, held_out=[0, 1]
    ... )
    >>> counts.counts.sum(axis=(1, 2))
    array([500., 500.])
    """
    found = ScoreCounts.empty(edges)
    found.add(scores, truth, weight, label=label, fold=fold, held_out=held_out)
    return found


def sample_edges(scores: ArrayLike, n_bins: int = 256) -> NDArray[np.float64]:
    """Return edges that bins of a sample hold equally many rows between: its quantiles.

    Parameters
    ----------
    scores : array-like of shape (n_rows, n_columns)
        A sample of the rows.
    n_bins : int, default=256
        Bins of each column.

    Returns
    -------
    ndarray of shape (n_columns, n_bins - 1)
        Scores of the sample, ascending; some are equal where many scores are.

    Examples
    --------
    >>> from pseudolinear.errors import sample_edges
    >>> sample_edges(np.arange(8.0)[:, None], 4)
    array([[2., 4., 6.]])
    """
    ordered = np.sort(np.asarray(scores, dtype=np.float64), axis=0)
    places = np.arange(1, n_bins) * len(ordered) // n_bins
    return np.ascontiguousarray(ordered[places].T)


def _codes(given: ArrayLike | None, n_columns: int, default: int) -> NDArray[np.int64]:
    return np.broadcast_to(default if given is None else np.asarray(given), n_columns).astype(
        np.int64
    )
