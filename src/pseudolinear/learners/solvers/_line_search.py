"""Searches along one line per lane: the step of an iteration, and the intercept alone."""

from __future__ import annotations

import numpy as np

from pseudolinear.learners.solvers._batch import Batch
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import combine

INTERCEPT = 1e-2  # share of the tolerance left to the intercept
OVERSHOOT = 0.3  # largest rise at the end of a step, in units of the descent at its start
DESCENT = 1e-4  # least descent of a step, in units of what its slope at the start promises
ROUNDING = 5  # slopes of fewer units of rounding, relative to the objective: nothing to search


def search(
    batch: Batch, e: np.ndarray, cross: np.ndarray, length: np.ndarray, slope: np.ndarray
) -> None:
    """Move along S and e; shorten the steps that go well beyond the lowest point of the line.

    ``cross``, ``length`` and ``slope`` are the products W S, S S and the derivative at zero.
    The objective is convex: while it falls along the line, the step is not too long; where it
    rises, the secant of the derivative points back to the minimum.
    """
    b, tau = batch.b, np.ones(len(batch.b))
    rounding = ROUNDING * np.finfo(batch.V.dtype).eps
    for _ in range(40):
        batch.b = b + tau * e
        batch.look(tau)
        loss, first, _, along = batch.scale * batch.sums
        value = loss + 0.5 * (
            batch.norm2 + 2 * tau * cross + tau**2 * length + batch.ridge * batch.b**2
        )
        rise = along + cross + tau * length + e * (first + batch.ridge * batch.b)
        far = (rise > -OVERSHOOT * slope) | (value > batch.objective + DESCENT * tau * slope)
        far &= slope < -rounding * batch.objective
        if not far.any():
            break
        fall = np.where(far, slope, -1.0)
        shorter = tau * np.clip(fall / np.minimum(fall - rise, fall), 0.1, 0.7)
        tau = np.where(far, shorter, tau)
    batch.V, batch.D = batch.D, batch.V
    combine(batch.S, tau, batch.W, np.ones(len(tau)))


def settle(batch: Batch) -> None:
    """Minimise over the intercept alone: Newton's method on a bracket of the minimum.

    For losses whose curvature jumps: a change of b can activate thousands of rows at once, which
    the quadratic model in three directions does not foresee, and which would hold up the weights.
    Lanes with exact Newton steps are better off without: there w and b move together.
    """
    low, high = np.full(len(batch.b), -np.inf), np.full(len(batch.b), np.inf)
    movable = batch.alive & ~batch.preconditioner.exact
    for _ in range(30):
        g = batch.scale * batch.sums[1] + batch.ridge * batch.b
        h = batch.scale * batch.sums[2] + batch.ridge
        wrong = (batch.design.radius * g) ** 2 > INTERCEPT * batch.tol * batch.objective
        off = movable & wrong
        if not off.any():
            break
        low, high = np.where(g < 0, batch.b, low), np.where(g > 0, batch.b, high)
        b = batch.b - g / np.maximum(h, TINY)
        inside = (b > low) & (b < high)
        for j in np.flatnonzero(off & ~inside):
            known = np.isfinite(low[j]) and np.isfinite(high[j])
            b[j] = 0.5 * (low[j] + high[j]) if known else batch.b[j] - np.sign(g[j])
        batch.b = np.where(off, b, batch.b)
        batch.look(np.zeros(len(b)))
