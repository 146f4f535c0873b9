"""Dual variables of kernel problems freed of the rounding of large bounds."""

import numpy as np
from scipy.linalg import lstsq

PASSES = 6  # until the variables between their bounds are told from the others
APART = 1e-9  # share of the largest variable, or of a bound, within which it is at that bound
NEAR_MARGIN = 1e-3  # distance from the margin up to which a row may have a variable inside
SINGULAR = 1e-14  # share of the largest singular value below which there is only rounding


def polished(
    K: np.ndarray, y: np.ndarray, u: np.ndarray, coef: np.ndarray, b: float, free: bool
) -> tuple[np.ndarray, float]:
    """Return the variables and intercept that put rows between their bounds on the margin.

    At the optimum these rows are exactly on it, which is a linear system in their variables (and
    the intercept, for which they sum to 0). Its solution knows nothing of the size of the bounds,
    of which fractions as Newton's method holds them carry the rounding. Variables that would leave
    their bounds are held there, and the others are solved for again.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix.
    y, u, coef : ndarray of shape (n,)
        Signs, bounds and signed dual variables near the optimum.
    b : float
        Intercept.
    free : bool
        Whether there is an (unpenalised) intercept.
    """
    for _ in range(PASSES):
        alpha = y * coef
        at_bound = alpha >= (1.0 - APART) * u
        near = np.abs(1.0 - y * (K @ coef + b)) < NEAR_MARGIN
        inside = np.flatnonzero((alpha > APART * alpha.max(initial=0.0)) & ~at_bound & near)
        if not inside.size:
            break
        coef = np.where(at_bound, y * u, 0.0)
        system = K[np.ix_(inside, inside)]
        target = y[inside] - K[inside] @ coef
        if free:
            ones = np.ones((inside.size, 1))
            system = np.block([[system, ones], [ones.T, np.zeros((1, 1))]])
            target = np.append(target, -coef.sum())
        solution = lstsq(system, target, cond=SINGULAR)[0]
        solution += lstsq(system, target - system @ solution, cond=SINGULAR)[0]
        b = float(solution[-1]) if free else 0.0
        values = solution[: inside.size]
        coef[inside] = y[inside] * np.clip(y[inside] * values, 0.0, u[inside])
        if np.array_equal(coef[inside], values):
            break
    return coef, b
