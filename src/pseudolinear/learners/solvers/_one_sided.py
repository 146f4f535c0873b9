"""Problems that a constant score solves: one class costs nothing, or next to nothing."""

from __future__ import annotations

import numpy as np

from pseudolinear.learners.solvers._order import Problems

VANISHING = 1e-9  # share of the costs from which solvers are needed: far below, rounding stops them


def one_sided(
    above: np.ndarray,
    below: np.ndarray,
    C: np.ndarray,
    radius: float,
    tol: float,
    steepness: float = 8.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Find the problems with a free intercept that a constant score solves to the tolerance.

    Let a be the smaller total cost. At w = 0 with the best constant, the derivatives of the loss
    are a dual point, the objective is at least C a, and no slope is steeper than 4: the gradient in
    w is at most 8 C a times the largest norm of a row for the squared hinge, half of that and less
    for the others, and the duality gap half its square, at most 8 C a radius^2 of the objective.
    The hinge, with a slope of 1 and an objective of 2 C a, has C a radius^2.

    Parameters
    ----------
    above, below : ndarray of shape (p,)
        Total costs of the positive and of the negative rows.
    C : ndarray of shape (p,)
        Weight of the losses.
    radius : float
        Largest norm of a row.
    tol : float
        Relative duality gap at which a problem is solved.
    steepness : float, default=8.0
        The constant of that bound.

    Returns
    -------
    side : ndarray of shape (p,)
        The sign of the constant: +1 / -1 if positive / negative rows have all of the costs, 0 for
        problems that are to be solved.
    gap : ndarray of shape (p,)
        Bound of the relative duality gap of the constant.
    """
    less, more = np.minimum(above, below), np.maximum(above, below)
    gap = steepness * C * less * radius**2
    solved = (less == 0.0) | ((less <= VANISHING * more) & (gap <= tol))
    return np.where(solved, np.where(below > above, -1, 1), 0), np.where(solved, gap, 0.0)


def one_sided_problems(
    problems: Problems, Y: np.ndarray, sw: np.ndarray, radius: float, tol: float
) -> tuple[np.ndarray, np.ndarray]:
    """Find those with a hinge loss, by the weights of the rows; see `one_sided`."""
    total = Y.T.astype(float) @ sw
    above = total[problems.labels] * problems.cost_fn
    below = ((1 - Y).T.astype(float) @ sw)[problems.labels] * problems.cost_fp
    return one_sided(above, below, problems.C, radius, tol, steepness=1.0)
