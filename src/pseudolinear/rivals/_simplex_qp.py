"""A small quadratic programme over the simplex, by an interior point method."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

MAX_STEPS = 100  # ten to twenty are usual
BACK_OFF = 0.995  # share of the way to the boundary


def solve_simplex_qp(
    Q: NDArray[np.float64], q: NDArray[np.float64], tol: float = 1e-8
) -> NDArray[np.float64]:
    r"""Maximise a concave quadratic over the weights that sum to one.

    .. math:: \max_x \; q x - \tfrac12 x Q x, \qquad x \ge 0, \; \textstyle\sum_j x_j = 1

    The steps are Mehrotra's predictor-corrector steps: their number hardly depends on the
    scale of `Q`, where methods that move few variables at a time get stuck.

    Parameters
    ----------
    Q : ndarray of shape (n, n)
        Positive semidefinite.
    q : ndarray of shape (n,)
        Linear term.
    tol : float, default=1e-8
        Distance from the optimum at which to stop, relative to it.

    Returns
    -------
    ndarray of shape (n,)
        Positive weights with sum one.

    Examples
    --------
    >>> solve_simplex_qp(np.eye(2), np.array([1.0, 0.5])).round(3)
    array([0.75, 0.25])
    """
    n = len(q)
    x = np.full(n, 1.0 / n)
    level = (Q @ x - q).min() - max(1.0, np.ptp(Q @ x - q)) / 10
    z = Q @ x - q - level
    for _ in range(MAX_STEPS):
        product = Q @ x
        slope, missing = product - q - level - z, 1.0 - x.sum()
        goal = tol * abs(q @ x - x @ product / 2)
        if x @ z <= goal and abs(slope).max() <= goal and abs(missing) <= tol:
            break
        try:
            newton = _Newton(Q, x, z, slope, missing)
            dx, dz, _ = newton.step(-x * z)
            reach = _reach(x, dx), _reach(z, dz)
            left = (x + reach[0] * dx) @ (z + reach[1] * dz) / (x @ z)
            dx, dz, rise = newton.step(left**3 * (x @ z) / n - x * z - dx * dz)
        except np.linalg.LinAlgError:  # as near as rounding allows
            break
        length = BACK_OFF * min(_reach(x, dx), _reach(z, dz))
        x, z, level = x + length * dx, z + length * dz, level + length * rise
    return x / x.sum()


class _Newton:
    """Newton steps for the conditions of optimality, all with one factorisation."""

    def __init__(
        self,
        Q: NDArray[np.float64],
        x: NDArray[np.float64],
        z: NDArray[np.float64],
        slope: NDArray[np.float64],
        missing: float,
    ) -> None:
        self.x, self.z, self.slope, self.missing = x, z, slope, missing
        self.factor = cho_factor(Q + np.diag(z / x), overwrite_a=True, check_finite=False)
        self.ones = cho_solve(self.factor, np.ones(len(x)))

    def step(
        self, change: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        """Return the steps of x, z and the level that change ``x * z`` to first order."""
        free = cho_solve(self.factor, change / self.x - self.slope)
        rise = (self.missing - free.sum()) / self.ones.sum()
        dx = free + rise * self.ones
        return dx, (change - self.z * dx) / self.x, rise


def _reach(v: NDArray[np.float64], dv: NDArray[np.float64]) -> float:
    """Return the part of a step, at most all of it, that keeps v from being negative."""
    return float(np.min(-v[dv < 0] / dv[dv < 0], initial=1.0))
