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
    curves: Curves, problem_levels: NDArray[np.float64], option: str, level: float
) -> NDArray[np.intp]:
    """Return the cuts that an option may choose at a level.

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
    level : float
        The level.

    Returns
    -------
    ndarray of int
        Rows of the curves.
    """
    trained = problem_levels == (level if option in WITH_COSTS else EQUAL_COSTS)
    return np.flatnonzero(trained[curves.problem] & (curves.natural == (option in NATURAL)))


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
    goal = goal_of(labels)
    choices = [
        cheapest(goal, candidates(labels, problem_levels, option, [level]), level, take_first=True)
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
    if selection == "F_max":  # costs at a level do not matter, only what was trained
        levels = np.unique(problem_levels).tolist() if option in WITH_COSTS else [EQUAL_COSTS]
    own = candidates(labels, problem_levels, option, levels)
    choice = RULES[selection].choose_one(goal_of(labels), own)
    return [int(cut) for cut in choice.thresholds]


def value_on_test(labels: Sequence[Curves], cuts: Sequence[int], measure: str) -> float:
    """Return the value of chosen cuts on the test rows."""
    curves = [c.on_test(np.array([cut])) for c, cut in zip(labels, cuts, strict=True)]
    profile = combine(curves, [0] * len(curves))
    return float(get_measure(MEASURES[measure]).value(profile))


def candidates(
    labels: Sequence[Curves],
    problem_levels: NDArray[np.float64],
    option: str,
    levels: Sequence[float],
) -> list[Candidate]:
    """Return what rules choose from: one candidate per level and label.

    The rules do not look at hyper-parameters, so all problems of a level are one candidate with
    the cuts of all of them: a thousand candidates for a rule to go through would take minutes.
    """
    return [
        pooled(label, curves, offered(curves, problem_levels, option, level), level)
        for level in levels
        for label, curves in enumerate(labels)
    ]


def pooled(label: int, curves: Curves, cuts: NDArray[np.intp], level: float) -> Candidate:
    """Return some cuts of a label as one candidate."""
    problem = LabelProblem(label, tuple(FBeta().costs(level).tolist()))
    return Candidate(problem, level, curves.on_validation(cuts), (), np.nan, True)


def goal_of(labels: Sequence[Curves]) -> Goal:
    """Return the micro F1 of all labels on the validation rows."""
    prevalence = prevalence_of(labels)
    shared = prevalence if len(labels) > 1 else prevalence[0]
    return Goal(tuple(range(len(labels))), MICRO, shared, int(labels[0].rows[0]))


def prevalence_of(labels: Sequence[Curves]) -> NDArray[np.float64]:
    """Return the share of validation rows that carry each label."""
    return np.array([curves.positives[0] / curves.rows[0] for curves in labels])
