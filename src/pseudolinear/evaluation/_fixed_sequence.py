"""Thresholds tested one after the other, in an order that the rows do not know."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve
from pseudolinear.evaluation._aim import Aim
from pseudolinear.evaluation._label_values import label_values
from pseudolinear.evaluation._lower_bounds import lower_bounds
from pseudolinear.evaluation._ratio import PRECISION, RECALL


class Tested(NamedTuple):
    """What testing the cuts of a label in a fixed order gave.

    Attributes
    ----------
    cut : int or None
        Which cut of the curve is taken; None if not even the first was accepted.
    bound : float
        What the value is at least at that cut; at the first one if there is none.
    """

    cut: int | None
    bound: float


def find_cut(
    aim: Aim,
    curve: ErrorCurve,
    positive: NDArray[np.bool_],
    scores: NDArray[np.float64],
    error: float,
) -> Tested:
    """Find a threshold at which the aim holds, but for an error.

    Each cut is tested by its lower bound at the whole error, until one fails: whichever accepted
    one is taken then, it breaks the aim only if the first cut of the order that does so was
    accepted, which has the probability `error` at most (fixed-sequence testing in Learn then Test,
    Angelopoulos et al. 2025). That needs cuts and order that do not depend on these rows: both
    come from the curve.

    Parameters
    ----------
    aim : Aim
        What is to hold.
    curve : ErrorCurve
        Cuts to try, with their errors on other rows.
    positive : ndarray of bool, shape (n_samples,)
        Which rows carry the label.
    scores : ndarray of shape (n_samples,)
        Rows with a score above a threshold are predicted positive.
    error : float
        Probability that the aim does not hold at the cut that is taken, at most.

    Returns
    -------
    Tested
        With the cut, if there is one.

    Examples
    --------
    >>> from pseudolinear.evaluation import Aim, find_cut
    >>> rng = np.random.default_rng(0)
    >>> y, s = rng.random(2000) < 0.3, rng.normal(size=2000)
    >>> curve = ErrorCurve.from_scores(y[:1000], (s + 2 * y)[:1000]).outline()
    >>> found = find_cut(Aim.read("recall >= 0.9"), curve, y[1000:], (s + 2 * y)[1000:], 0.1)
    >>> round(found.bound, 3), round(float(curve.thresholds[found.cut]), 2)
    (0.908, 0.44)
    """
    order = order_cuts(aim, curve, len(scores), error)
    cells = count_cells(positive, scores, curve.thresholds[order])
    bounds = lower_bounds(aim.objective, cells, error)
    taken = take_accepted(aim, cells, bounds)
    if taken is None:
        return Tested(None, float(bounds[0]))
    return Tested(int(order[taken]), float(bounds[taken]))


def take_accepted(aim: Aim, cells: NDArray[np.float64], bounds: NDArray[np.float64]) -> int | None:
    """Take one of the cuts before the first whose bound is too low; None if there is none.

    Parameters
    ----------
    aim : Aim
        What is to hold.
    cells : ndarray of shape (n_cuts, 4)
        Counts of (tp, fn, fp, tn), in the order of the tests.
    bounds : ndarray of shape (n_cuts,)
        The lower bounds there.

    Returns
    -------
    int or None
        The last one, which has most of the other one of precision and recall, or the one of the
        largest value if neither was promised.
    """
    failed = bounds < aim.least
    n_accepted = int(failed.argmax()) if failed.any() else len(bounds)
    if aim.trades or not n_accepted:
        return n_accepted - 1 if n_accepted else None
    return int(label_values(aim.objective, cells[:n_accepted]).argmax())


def order_cuts(aim: Aim, curve: ErrorCurve, n_rows: int, error: float) -> NDArray[np.intp]:
    """Say which cuts are tested, the likeliest to be accepted first.

    That is the one of the largest lower bound, if so many rows were as the curve says. From there
    recall is given up for precision by raising the threshold from the lowest on, precision for
    recall by lowering it; of all other measures the largest bounds come first.

    Parameters
    ----------
    aim : Aim
        What is to hold.
    curve : ErrorCurve
        Cuts by descending threshold, with their errors on other rows.
    n_rows : int
        Number of rows to test with.
    error : float
        Probability that a bound does not hold.

    Returns
    -------
    ndarray of int
        Positions on the curve.
    """
    if aim.objective is RECALL:  # its bound falls with the threshold, whatever the curve says
        return np.arange(len(curve))[::-1]
    bounds = lower_bounds(aim.objective, _forecast(curve, n_rows), error)
    if aim.objective is PRECISION:
        return np.arange(int(bounds.argmax()), len(curve))
    return np.argsort(-bounds, kind="stable")


def count_cells(
    positive: NDArray[np.bool_], scores: NDArray[np.float64], thresholds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Count (tp, fn, fp, tn) of rows above each threshold: shape (n_thresholds, 4)."""
    columns = []
    for own in (np.sort(scores[positive]), np.sort(scores[~positive])):
        below = np.searchsorted(own, thresholds, side="right")
        columns += [len(own) - below, below]
    tp, fn, fp, tn = columns
    return np.stack([tp, fn, fp, tn], axis=1).astype(np.float64)


def _forecast(curve: ErrorCurve, n_rows: int) -> NDArray[np.float64]:
    """Return the cells at each cut that the curve lets expect of so many rows."""
    fn, fp, p = curve.fn[:, 0], curve.fp[:, 0], curve.prevalence[0]
    shares = np.stack([p - fn, fn, fp, 1.0 - p - fp], axis=1)
    return np.round(n_rows * shares, 9).clip(0.0)  # rounding may leave less than nothing
