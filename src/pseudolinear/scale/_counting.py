"""Curves of rows that no memory holds: counted in bins of their scores, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ScoreCounts, ScoreCurve
from pseudolinear.measures import Measure, Objective
from pseudolinear.scale._block import Block
from pseudolinear.scale._lanes import Lanes
from pseudolinear.thresholds import hopeful, hopes, worth

INTERVALS = 100  # that are looked into at once
EDGES = 1023  # of every column: half at quantiles of the positives, half at ranks of all rows


class PartScorer(Protocol):
    """What scores rows with many models, and can be sent to where the rows are."""

    def __call__(self, X: Any) -> NDArray[np.float64]:
        """Score rows, one column per lane."""

    def take(self, lanes: NDArray[np.intp]) -> PartScorer:
        """Return some of the lanes."""

    def joined(self, others: Sequence[Any]) -> PartScorer:
        """Put the lanes of others side by side."""


def count(
    block: Block, scorer: PartScorer, lanes: Lanes, edges: NDArray[np.float64]
) -> ScoreCounts:
    """Count, for every lane, the rows of its fold in bins of their scores."""
    found = ScoreCounts.empty(edges)
    for X, codes, weight, fold in block.tiles():
        found.add(scorer(X), codes, weight, label=lanes.label, fold=fold, held_out=lanes.fold)
    return found


def edges_of(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Place edges where cuts matter: among the positives, and finer towards the top of all rows.

    Parameters
    ----------
    scores : ndarray of shape (n_rows,)
        Of a sample.
    positive : ndarray of shape (n_rows,)
        Which of its rows are positive.

    Returns
    -------
    ndarray of shape (1023,)
        Ascending; some may be equal.

    Examples
    --------
    >>> from pseudolinear.scale._counting import edges_of
    >>> scores = np.random.default_rng(0).normal(size=5000)
    >>> edges = edges_of(scores, scores > 1.5)
    >>> len(edges), bool((np.diff(edges) >= 0).all())
    (1023, True)
    """
    half = EDGES // 2
    ordered = np.sort(scores)
    among = np.sort(scores[positive]) if positive.any() else ordered
    even = among[(np.arange(half) * len(among)) // half]
    ranks = np.geomspace(1, len(ordered), EDGES - half).astype(np.intp)  # from the top
    return np.sort(np.concatenate([even, ordered[len(ordered) - ranks]]))


def likely(curve: ScoreCurve, goal: Measure | Objective) -> NDArray[np.intp]:
    """Return the intervals that could hold a better cut than the known ones, best hopes first."""
    try:
        some = np.flatnonzero(hopeful(goal, curve))
    except ValueError:  # no cut is allowed, or more errors are better: nothing is bounded
        return np.empty(0, np.intp)
    return some[np.argsort(-hopes(goal, curve)[some])][:INTERVALS]


def finer_edges(curve: ScoreCurve, intervals: NDArray[np.intp]) -> NDArray[np.float64]:
    """Place edges at both ends of intervals, and evenly in between.

    Returns
    -------
    ndarray of shape (1023,)
        Ascending; the largest is repeated.
    """
    low, high = curve.low[intervals], curve.high[intervals]
    ends = np.concatenate([low, np.nextafter(high, np.inf)])
    inside = np.linspace(low, high, (EDGES - len(ends)) // max(len(low), 1) + 2)[1:-1]
    found = np.sort(np.concatenate([ends, inside.ravel()]))[:EDGES]
    return np.append(found, np.full(EDGES - len(found), found[-1]))


def refine(curve: ScoreCurve, finer: ScoreCurve, intervals: NDArray[np.intp]) -> ScoreCurve:
    """Replace intervals by the finer ones inside them."""
    low, high = curve.low[intervals], curve.high[intervals]
    inside = ((finer.low[:, None] >= low) & (finer.high[:, None] <= high)).any(axis=1)
    parts = (finer.low, finer.high, finer.positives, finer.negatives)
    chosen = np.zeros(len(curve), bool)
    chosen[intervals] = True
    return curve.refine(ScoreCurve(*(part[inside] for part in parts)), chosen)


def resolution(curve: ScoreCurve, goal: Measure | Objective) -> float:
    """Return by how much a cut between the known ones could raise what is wanted, at the most.

    Examples
    --------
    >>> from pseudolinear.errors import ScoreCurve
    >>> from pseudolinear.scale._counting import resolution
    >>> whole = ScoreCurve(np.array([0.0]), np.array([1.0]), np.array([3.0]), np.array([1.0]))
    >>> resolution(whole, FBeta())  # F1 is 6/7 where all are predicted, and 1 at the best
    0.143
    """
    some = likely(curve, goal)
    if not len(some):
        return 0.0
    best = float(np.max(worth(goal, curve.curve())))
    return max(float(hopes(goal, curve)[some[0]]) - best, 0.0)
