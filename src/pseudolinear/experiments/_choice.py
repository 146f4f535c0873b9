"""Which problem, cut where: the options and selections of the literature as pure functions.

Only validation errors are looked at. Of equal values the first one is taken, as the published
loops do: levels ascend, then the hyper-parameters, then the number of predicted rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pseudolinear.experiments._curves import Curves
from pseudolinear.measures import FBeta

DIGITS = 9  # costs that differ by rounding only are equal


class LevelCurve(NamedTuple):
    """What the selection of least cost takes at each level.

    Attributes
    ----------
    levels : ndarray of shape (n_levels,)
        The levels.
    cuts : ndarray of int, shape (n_levels, n_labels)
        Rows of the curves of each label.
    values : ndarray of shape (n_levels,)
        Their micro F1 on the validation rows.
    """

    levels: NDArray[np.float64]
    cuts: NDArray[np.intp]
    values: NDArray[np.float64]


def f1(errors: ArrayLike, positives: ArrayLike) -> NDArray[np.float64]:
    """Return F1 for numbers of errors; 0 where there is nothing to find and nothing found.

    Parameters
    ----------
    errors : array-like of shape (..., 2)
        False negatives and false positives.
    positives : array-like
        Rows that carry the label.

    Returns
    -------
    ndarray
        The values.

    Examples
    --------
    >>> f1([[1, 1], [4, 0]], 4)
    array([0.75, 0.  ])
    """
    fn, fp = np.moveaxis(np.asarray(errors), -1, 0)
    total = 2 * np.asarray(positives) - fn + fp
    found = 2 * (np.asarray(positives) - fn)
    return np.divide(found, total, out=np.zeros(total.shape), where=total > 0)


def offered(curves: Curves, problem_levels: NDArray[np.float64], option: str) -> NDArray[np.bool_]:
    """Tell which cuts an option may choose.

    Parameters
    ----------
    curves : Curves
        All cuts of a label.
    problem_levels : ndarray of shape (n_problems,)
        Level whose costs each problem was trained with.
    option : {"none", "T", "CS", "CS&T"}
        Equal costs and the natural cut; other thresholds; other costs; or both.

    Returns
    -------
    ndarray of bool, shape (n_cuts,)
        The cuts.
    """
    natural = curves.natural if option in ("none", "CS") else ~curves.natural
    if option in ("CS", "CS&T"):
        return natural
    return natural & (problem_levels[curves.problem] == 1.0)


def largest_f1(curves: Curves, problem_levels: NDArray[np.float64], option: str) -> int:
    """Choose the largest F1 of the label, F_max; return the row of the curves."""
    cuts = np.flatnonzero(offered(curves, problem_levels, option))
    return int(cuts[np.argmax(f1(curves.validation[cuts], curves.positives[0]))])


def least_costs(
    labels: Sequence[Curves],
    problem_levels: NDArray[np.float64],
    option: str,
    levels: Sequence[float],
) -> LevelCurve:
    """Choose the least cost of each label at every level: the first half of C_min.

    Where training has costs, a level only sees the problems that were trained with its own;
    otherwise it sees all, and only its selection cost changes. Costs of different levels are never
    compared.

    Parameters
    ----------
    labels : sequence of Curves
        All cuts of each label.
    problem_levels : ndarray of shape (n_problems,)
        Level whose costs each problem was trained with.
    option : str
        See :func:`offered`.
    levels : sequence of float
        The levels.

    Returns
    -------
    LevelCurve
        The choices and their micro F1.
    """
    chosen = np.array(
        [_least_cost(curves, problem_levels, option, levels) for curves in labels], dtype=np.intp
    )
    errors = np.array([c.validation[cuts] for c, cuts in zip(labels, chosen, strict=True)])
    values = f1(errors.sum(axis=0), sum(int(c.positives[0]) for c in labels))
    return LevelCurve(np.asarray(levels), chosen.T, values)


def choose(
    labels: Sequence[Curves],
    problem_levels: NDArray[np.float64],
    option: str,
    selection: str,
    levels: Sequence[float],
) -> list[int]:
    """Choose one cut per label.

    Parameters
    ----------
    labels, problem_levels, option, levels
        See :func:`least_costs`.
    selection : {"F_max", "C_min"}
        The largest F1 of each label; or the least cost within a level, and among the levels the
        largest micro F1.

    Returns
    -------
    list of int
        Rows of the curves of each label.
    """
    if selection == "F_max":
        return [largest_f1(curves, problem_levels, option) for curves in labels]
    found = least_costs(labels, problem_levels, option, levels)
    best: list[int] = found.cuts[np.argmax(found.values)].tolist()
    return best


def value_on_test(labels: Sequence[Curves], cuts: Sequence[int], measure: str) -> float:
    """Return the value of chosen cuts on the test rows."""
    errors = np.array([curves.test[cut] for curves, cut in zip(labels, cuts, strict=True)])
    positives = np.array([curves.positives[1] for curves in labels])
    if measure == "micro_F1":
        return float(f1(errors.sum(axis=0), positives.sum()))
    return float(f1(errors, positives).mean())


def _least_cost(
    curves: Curves, problem_levels: NDArray[np.float64], option: str, levels: Sequence[float]
) -> list[int]:
    own = offered(curves, problem_levels, option)
    chosen = []
    for level in levels:
        at_level = own
        if option in ("CS", "CS&T"):
            at_level = own & (problem_levels[curves.problem] == level)
        cuts = np.flatnonzero(at_level)
        costs = curves.validation[cuts] @ FBeta().costs(level)
        chosen.append(int(cuts[np.argmin(costs.round(DIGITS))]))
    return chosen
