"""An iteration of a batch: locally optimal conjugate gradients."""

from __future__ import annotations

import numpy as np

from pseudolinear.learners.solvers._batch import Batch
from pseudolinear.learners.solvers._certificates import certify
from pseudolinear.learners.solvers._line_search import search, settle
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import combine, score_moments, weight_moments


def step(batch: Batch) -> None:
    """Move all lanes by one iteration.

    It minimises the quadratic model of the objective, exact Hessian, over the span of the
    preconditioned gradient U, the last step S and the intercept.  On a quadratic objective the
    iterates are those of preconditioned conjugate gradients (in the locally optimal form of
    Knyazev); elsewhere there is no conjugacy to lose, and S may as well come from extrapolation.
    """
    p = len(batch.b)
    batch.iterations += 1
    batch.loss.second_derivative(batch.R, *batch.rows, batch.D)
    batch.preconditioner.direction(batch)
    batch.design.times(batch.U, batch.XU)
    in_rows, in_features = np.empty((5, p)), np.empty((7, p))
    score_moments(batch.D, batch.XU, batch.XS, in_rows)
    weight_moments(batch.W, batch.G, batch.U, batch.S, in_features)
    du, ds, duu, dus, dss = in_rows * batch.scale
    uu, us, ss, ug, sg, wu, ws = in_features
    du, ds = batch.free * du, batch.free * ds
    H = np.array([[uu + duu, us + dus, du], [us + dus, ss + dss, ds], [du, ds, batch.hb]])
    g = np.array([ug, sg, batch.gb])
    u, s, e = x = -solve_small(H, g) * batch.alive
    combine(batch.XU, u, batch.XS, s)
    combine(batch.U, u, batch.S, s)
    certify(batch, e)
    search(
        batch,
        e,
        cross=u * wu + s * ws,
        length=u * u * uu + 2 * u * s * us + s * s * ss,
        slope=np.einsum("ip,ip->p", x, g),
    )
    if batch.free and batch.loss.curvature_jumps:
        settle(batch)
    batch.design.transpose_times(batch.R, batch.Q)


def solve_small(H: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Solve systems ``H[:, :, j] x = g[:, j]``; a vanishing direction gets a zero coefficient."""
    diagonal = np.einsum("iip->ip", H)
    scale = np.where(diagonal > TINY, 1.0 / np.sqrt(np.maximum(diagonal, TINY)), 0.0)
    H = H * scale * scale[:, None] + 1e-12 * np.eye(len(H))[:, :, None]
    return np.linalg.solve(H.T, (g * scale).T[:, :, None])[:, :, 0].T * scale
