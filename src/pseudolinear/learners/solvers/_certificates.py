"""How far the lanes of a batch are from their optima, by dual points."""

from __future__ import annotations

import numpy as np

from pseudolinear.learners.solvers._batch import Batch
from pseudolinear.learners.solvers._design import aligned
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import total_gradient


def measure(batch: Batch) -> None:
    """Find objective, gradient and relative optimality of every lane."""
    norms = np.empty((2, len(batch.b)))
    total_gradient(batch.W, batch.Q, batch.scale, batch.G, norms)
    batch.norm2 = norms[0]
    batch.gb = batch.free * (batch.scale * batch.sums[1] + batch.ridge * batch.b)
    batch.hb = batch.scale * batch.sums[2] + batch.ridge
    batch.objective = 0.5 * (norms[0] + batch.ridge * batch.b**2) + batch.scale * batch.sums[0]
    gap = duality_gap(norms[1], batch.gb, batch.hb, batch.design.radius)
    gap = np.minimum(gap, np.maximum(batch.objective - batch.bound, 0.0))
    batch.optimality = gap / np.maximum(batch.objective, TINY)


def duality_gap(square: np.ndarray, gb: np.ndarray, hb: np.ndarray, radius: float) -> np.ndarray:
    """Bound the duality gaps of lanes by the gradients of their objectives.

    With alpha = -derivative of the loss as dual point, the duality gap is half the squared norm
    of the gradient in w, provided that the intercept is optimal.  Moving b to its optimum
    changes all alpha_i y_i in one direction and their sum by the derivative g_b, so it changes
    the gradient in w by at most g_b times the largest norm of a row, and lowers the objective
    by about g_b^2 / (2 h_b); the gap below allows for both.

    Parameters
    ----------
    square : ndarray of shape (p,)
        Squared norms of the gradients in w.
    gb, hb : ndarray of shape (p,)
        First and second derivatives by the intercept.
    radius : float
        Largest norm of a row.
    """
    gap = 0.5 * (np.sqrt(square) + radius * np.abs(gb)) ** 2
    return gap + gb**2 / np.maximum(hb, TINY)


def certify(batch: Batch, e: np.ndarray) -> None:
    """Raise the lower bounds of lanes about to take an exact Newton step, b moving by e.

    For losses that are quadratic where they are not zero, with a ``dual_point``: Newton's point
    is ``w = sum alpha_i y_i x_i`` over the rows active now, with alpha the derivatives at that
    point, a dual point, once negative alpha are clipped, whose value is far better than that of
    the derivatives over the rows that will be active after the step.
    The best multiple of a direction alpha in the dual has the closed value below.
    """
    lanes = np.flatnonzero(batch.preconditioner.exact & batch.alive)
    if batch.loss.dual_point is None or not len(lanes):
        return
    n, d = batch.design.shape
    Z, sums = aligned((n, len(lanes))), np.empty((2, len(lanes)))
    balance = batch.free and batch.ridge == 0.0
    at = batch.V, batch.XS, batch.b + e
    batch.loss.dual_point(*at, batch.D, batch.pos, batch.scale, balance, lanes, Z, sums)
    v = batch.design.transpose_times(Z, aligned((d, len(lanes))))
    square = np.einsum("ij,ij->j", v, v) + sums[1]
    if batch.free and not balance:
        square += Z.sum(axis=0) ** 2 / batch.ridge
    rounding = 1.0 - 4.0 * np.finfo(batch.D.dtype).eps  # of what D adds to ``square``
    value = rounding * sums[0] ** 2 / np.maximum(2.0 * square, TINY)
    batch.bound[lanes] = np.maximum(batch.bound[lanes], value)
