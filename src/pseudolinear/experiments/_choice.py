"""Which problem, cut where: the options and selections of the literature.

The options say which cuts are candidates; the rules of the package choose among them, on
validation errors alone. Of equal values they take the first one, as the published loops do:
levels ascend, then the hyper-parameters, then the number of predicted rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._protocol import MEASURES
from pseudolinear.kinds import Goal
from pseudolinear.learners import LabelProblem
from pseudolinear.measures import FBeta, get_measure
from pseudolinear.selection import Candidate, LargestValue, LeastCost, cheapest
from pseudolinear.thresholds import combine

MICRO = FBeta(average="micro")
RULES = {"F_max": LargestValue(take_first=True), "C_min": LeastCost(take_first=True)}
WITH_COSTS, NATURAL = ("CS", "CS&T"), ("none", "CS")  # options
EQUAL_COSTS = 1.0  # the level at which both errors cost the same


class LevelCurve(NamedTuple):
    """What the selection of least cost takes at each level.

    Attributes
    ----------
    levels : ndarray of shape (n_levels,)
        The levels.
    errors : ndarray of shape (n_levels, n_labels, 2)
        Errors on the validation rows, as proportions.
    values : ndarray of shape (n_levels,)
        Their micro F1.
    """

    levels: NDArray[np.float64]
    errors: NDArray[np.float64]
    values: NDArray[np.float64]


def offered(
    curves: Curves, problem_levels: NDArray[np.float64], option: str, level: float | None = None
) -> NDArray[np.intp]:
    """Return the cuts that an option may choose.

    Where training has costs, a level only sees the problems that were trained with its own;
    otherwise it sees all, and only its selection cost changes.

    Parameters
    ----------
    curves : Curves
        All cuts of a label.
    problem_levels : ndarray of shape (n_problems,)
        Level whose costs each problem was trained with.
    option : {"none", "T", "CS", "CS&T"}
        Equal costs and the natural cut; other thresholds; other costs; or both.
    level : float, default=None
        A level; None stands for all of them.

    Returns
    -------
    ndarray of int
        Rows of the curves.
    """
    if option not in WITH_COSTS:
        level = EQUAL_COSTS
    own = curves.natural == (option in NATURAL)
    if level is not None:
        own &= (problem_levels == level)[curves.problem]
    return np.flatnonzero(own)


def least_costs(
    labels: Sequence[Curves],
    problem_levels: NDArray[np.float64],
    option: str,
    levels: Sequence[float],
) -> LevelCurve:
    """Choose the least cost of each label at every level: the first half of C_min.

    Parameters
    ----------
    labels : sequence of Curves
        All cuts of each label.
    problem_levels, option
        See :func:`offered`.
    levels : sequence of float
        The levels.

    Returns
    -------
    LevelCurve
        What is cheapest, with its micro F1.
    """
    goal, own = goal_of(labels), _by_level(labels, problem_levels, option, levels)
    choices = [
        cheapest(goal, [c for c in own if c.level == level], level, take_first=True)
        for level in levels
    ]
    return LevelCurve(
        np.asarray(levels),
        np.array([choice.profile.errors for choice in choices]),
        np.array([choice.value for choice in choices]),
    )


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
    if selection == "F_max":  # whatever the level
        numbered = enumerate(labels)
        own = [pooled(k, curves, offered(curves, problem_levels, option)) for k, curves in numbered]
    else:
        own = _by_level(labels, problem_levels, option, levels)
    choice = RULES[selection].choose_one(goal_of(labels), own)
    return [int(cut) for cut in choice.thresholds]


def value_on_test(labels: Sequence[Curves], cuts: Sequence[int], measure: str) -> float:
    """Return the value of chosen cuts on the test rows."""
    curves = [c.on_test(np.array([cut])) for c, cut in zip(labels, cuts, strict=True)]
    profile = combine(curves, [0] * len(curves))
    return float(get_measure(MEASURES[measure]).value(profile))


def pooled(label: int, curves: Curves, cuts: NDArray[np.intp], level: float = np.nan) -> Candidate:
    """Return some cuts of a label as one candidate, whichever problem they are of.

    The rules look at the errors and the level of a candidate only. For them, the cuts of all
    hyper-parameters together are as good as one candidate for each, of which there would be
    thousands to go through.

    Parameters
    ----------
    label : int
        Number of the label.
    curves : Curves
        All its cuts.
    cuts : ndarray of int
        The rows of the curves that may be chosen.
    level : float, default=NaN
        Their level, if they have one.

    Returns
    -------
    Candidate
        Numbers of cuts stand in the place of thresholds.
    """
    return Candidate(LabelProblem(label, ()), level, curves.on_validation(cuts), (), np.nan, True)


def _by_level(
    labels: Sequence[Curves],
    problem_levels: NDArray[np.float64],
    option: str,
    levels: Sequence[float],
) -> list[Candidate]:
    return [
        pooled(label, curves, offered(curves, problem_levels, option, level), level)
        for level in levels
        for label, curves in enumerate(labels)
    ]


def goal_of(labels: Sequence[Curves]) -> Goal:
    """Return the micro F1 of all labels on the validation rows."""
    prevalence = prevalence_of(labels)
    shared = prevalence if len(labels) > 1 else prevalence[0]
    return Goal(tuple(range(len(labels))), MICRO, shared, int(labels[0].rows[0]))


def prevalence_of(labels: Sequence[Curves]) -> NDArray[np.float64]:
    """Return the share of validation rows that carry each label."""
    return np.array([curves.positives[0] / curves.rows[0] for curves in labels])
