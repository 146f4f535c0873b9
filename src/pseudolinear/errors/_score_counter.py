"""ScoreCounter: rows counted by their score as they come, in memory that does not grow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors._score_counts import NONE, ScoreCounts
from pseudolinear.errors._score_curve import ScoreCurve
from pseudolinear.loops._score_table import (
    add_to_bins,
    add_to_table,
    first_edges,
    grow_table,
    rows_within,
)

MOST_DISTINCT = 2**20  # scores that are counted one by one
BINS_FOR = 16  # scores that a bin takes the place of, once there are too many
USUAL = 2.0**40  # scores of a size between this and its inverse get bins before they were seen
UNSEEN = np.array([-USUAL, 1 / USUAL]), np.array([-1 / USUAL, USUAL])
SMALLEST, CELLS = 2**10, 2**14
SIGN = np.uint64(1 << 63)


class ScoreCounter:
    """Rows counted by their score as they come, in memory that does not grow.

    As long as there are few distinct scores, each is counted. Of too many, bins are made: half of
    them hold as many of the scores seen so far, the others are as wide as floating point numbers
    are apart there, so that rows in any order, sorted ones too, are told apart.

    Parameters
    ----------
    within : ScoreCurve or None, default=None
        Only rows in its intervals count, as in a further pass over the same rows.
    most_distinct : int, default=2**20
        Distinct scores that are counted one by one.

    Examples
    --------
    >>> from pseudolinear.errors import ScoreCounter
    >>> counter = ScoreCounter()
    >>> for part in ([0.5, 0.2], [0.5, 0.7]):
    ...     counter.add(np.array(part), np.array([True, False]))
    >>> counter.curve().low, counter.curve().positives
    (array([0.7, 0.5, 0.2]), array([0., 2., 0.]))
    """

    def __init__(
        self, within: ScoreCurve | None = None, most_distinct: int = MOST_DISTINCT
    ) -> None:
        self.within, self.most_distinct = within, most_distinct
        self._table, self._used = _empty_table(SMALLEST), 0
        self._bins: ScoreCounts | None = None
        self._cells = np.zeros(CELLS, dtype=bool)
        low, high = UNSEEN if within is None else (within.low[::-1], within.high[::-1])
        self._low, self._high = np.ascontiguousarray(low), np.ascontiguousarray(high)

    def add(
        self,
        scores: NDArray[np.floating],
        positive: NDArray[np.bool_],
        weight: NDArray[np.float64] | None = None,
    ) -> None:
        """Count rows.

        Parameters
        ----------
        scores : ndarray of shape (n_rows,)
            Finite scores.
        positive : ndarray of bool, shape (n_rows,)
            Class of each row.
        weight : ndarray of shape (n_rows,), default=None
            Weight of each row; rows of weight 0 are not there.
        """
        score = np.asarray(scores, dtype=np.float64) + 0.0  # minus zero is zero
        if not np.isfinite(score).all():
            raise ValueError("y_score contains NaN or infinity; every row needs a finite score.")
        if self.within is not None:
            rows = rows_within(score, self._low, self._high, self._cells)
            score, positive = score[rows], positive[rows]
            weight = None if weight is None else weight[rows]
        row = self._fill(score, positive, weight) if self._bins is None else 0
        if self._bins is not None and row < len(score):
            self._add_to_bins(score[row:], positive[row:], None if weight is None else weight[row:])

    def curve(self) -> ScoreCurve:
        """Return what is known of the rows so far."""
        if self._bins is not None:
            return self._bins.column(0)
        scores, mass = self._entries()
        return ScoreCurve.of_scores(scores, mass[:, 0], mass[:, 1])

    def _fill(
        self,
        score: NDArray[np.float64],
        positive: NDArray[np.bool_],
        weight: NDArray[np.float64] | None,
    ) -> int:
        """Count scores one by one; return the first row for which there are bins by now."""
        bits, own, row = score.view(np.int64), NONE if weight is None else weight, 0
        positive = np.ascontiguousarray(positive)
        while self._bins is None:
            most = min(self.most_distinct, len(self._table) // 2)
            row, self._used = add_to_table(bits, positive, own, row, self._table, self._used, most)
            if row == len(bits):
                break
            if self._used < self.most_distinct:
                larger = _empty_table(4 * len(self._table))
                grow_table(self._table, larger)
                self._table = larger
            else:
                self._make_bins()
        return row

    def _entries(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        some = self._table[~np.isnan(self._table[:, 0])]
        return some[:, 0].copy(), some[:, 1:3]

    def _make_bins(self) -> None:
        scores, mass = self._entries()
        n_bins = max(self.most_distinct // BINS_FOR, 2)
        ordered = np.sort(scores)
        by_rows = ordered[np.arange(1, n_bins) * len(ordered) // n_bins]
        edges = np.unique(np.concatenate([by_rows, _splits(self._low, self._high, n_bins)]))
        self._bins = ScoreCounts.empty(edges[None])
        self._first, self._shift = first_edges(edges, 4 * len(edges))
        for k, positive in enumerate((True, False)):
            self._add_to_bins(scores, np.full(len(scores), positive), mass[:, k])
        self._table = _empty_table(SMALLEST)

    def _add_to_bins(
        self,
        score: NDArray[np.float64],
        positive: NDArray[np.bool_],
        weight: NDArray[np.float64] | None,
    ) -> None:
        assert self._bins is not None
        own = NONE if weight is None else np.ascontiguousarray(weight)
        edges, bins = self._bins.edges[0], self._bins.bins[0]
        add_to_bins(
            score, np.ascontiguousarray(positive), own, edges, self._first, self._shift, bins
        )


def _empty_table(size: int) -> NDArray[np.float64]:
    table = np.zeros((size, 4))
    table[:, 0] = np.nan
    return table


def _splits(
    low: NDArray[np.float64], high: NDArray[np.float64], n_splits: int
) -> NDArray[np.float64]:
    """Split intervals where as many floating point numbers lie between, each at least once."""
    start, each = _key(low), max(n_splits // len(low), 1)
    span: Any = _key(high) - start
    steps = np.arange(1, each + 1, dtype=np.uint64)
    inside = start[:, None] + (span // np.uint64(each + 1))[:, None] * steps
    halves = start + (span + np.uint64(1)) // np.uint64(2)
    return np.concatenate([low, _score(inside.ravel()), _score(halves)])


def _key(score: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return the position of floating point numbers among all of them."""
    bits = score.view(np.uint64)
    return np.where(bits >> np.uint64(63), ~bits, bits | SIGN)


def _score(key: NDArray[np.uint64]) -> NDArray[np.float64]:
    return np.where(key & SIGN, key ^ SIGN, ~key).view(np.float64)
