"""An iteration of softmax problems: locally optimal conjugate gradients, all classes together."""

from __future__ import annotations

import numpy as np

from pseudolinear.learners.solvers._line_search import DESCENT, OVERSHOOT, ROUNDING
from pseudolinear.learners.solvers._softmax_batch import SoftmaxBatch
from pseudolinear.learners.solvers._softmax_precondition import SoftmaxPreconditioner
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import combine, score_moments, weight_moments


def step(batch: SoftmaxBatch, preconditioner: SoftmaxPreconditioner) -> None:
    """Move all slots by one iteration.

    As for single labels it minimises the quadratic model of the objective, exact Hessian, over the
    preconditioned gradient U, the last step S and the intercepts; here each class has a coefficient
    of its own for each of them, so that a problem moves along 3 K directions.
    """
    batch.iterations += 1
    batch.curve()
    preconditioner.direction(batch)
    batch.design.times(batch.U, batch.XU)
    in_features = np.empty((7, len(batch.b)))
    weight_moments(batch.W, batch.G, batch.U, batch.S, in_features)
    uu, us, ss, ug, sg, wu, ws = in_features
    zero = np.zeros(len(batch.b))
    penalty = np.array([[uu, us, zero], [us, ss, zero], [zero, zero, zero + batch.ridge]])
    g = np.stack([batch.by_class(one) for one in (ug, sg, batch.gb)], axis=1)
    x = -solve_small(curvatures(batch, penalty), g.reshape(len(g), -1)).reshape(g.shape)
    x *= batch.alive[:, None, None]
    u, s, e = x.transpose(1, 0, 2).reshape(3, -1)
    combine(batch.XU, u, batch.XS, s)
    combine(batch.U, u, batch.S, s)
    search(
        batch,
        e,
        cross=batch.by_slot(u * wu + s * ws),
        length=batch.by_slot(u * u * uu + 2 * u * s * us + s * s * ss),
        slope=np.einsum("mak,mak->m", x, g),
    )
    batch.design.transpose_times(batch.R, batch.Q)


def curvatures(batch: SoftmaxBatch, penalty: np.ndarray) -> np.ndarray:
    """Return the Hessian of every slot along its directions: shape (slots, 3 K, 3 K).

    ``penalty`` (3, 3, lanes) is what the regularisation adds to it, class by class.
    """
    (n, lanes), slots, K = batch.XU.shape, len(batch.alive), batch.n_classes
    sums, free = np.empty((5, lanes)), float(batch.free)
    score_moments(batch.D, batch.XU, batch.XS, sums)
    du, ds, duu, dus, dss = sums
    du, ds, db = free * du, free * ds, free * batch.D.sum(axis=0)
    own = batch.spread(batch.scale) * np.array([[duu, dus, du], [dus, dss, ds], [du, ds, db]])
    H, M = np.empty((slots, 3 * K, 3 * K)), np.empty((n, 3, K))
    for m in range(slots):
        at = slice(m * K, (m + 1) * K)
        M[:] = batch.P[:, None, at]
        M[:, 0] *= batch.XU[:, at]
        M[:, 1] *= batch.XS[:, at]
        M[:, 2] *= free
        rows = M.reshape(n, -1)
        H[m] = -batch.scale[m] * (rows.T @ rows)
    diagonal = np.einsum("makbk->abmk", H.reshape(slots, 3, K, 3, K))  # a view of H
    diagonal += (own + penalty).reshape(3, 3, slots, K)
    return H


def search(
    batch: SoftmaxBatch, e: np.ndarray, cross: np.ndarray, length: np.ndarray, slope: np.ndarray
) -> None:
    """Move along S and e, less far where the objective rises; see ``_line_search.search``."""
    b, tau = batch.b, np.ones(len(cross))
    rounding = ROUNDING * np.finfo(batch.V.dtype).eps
    for _ in range(40):
        batch.b = b + batch.spread(tau) * e
        batch.look(tau)
        intercepts = batch.ridge * batch.known_b
        loss, along = batch.scale * batch.sums
        moved = batch.norm2 + 2 * tau * cross + tau**2 * length
        value = loss + 0.5 * (moved + batch.by_slot(intercepts * batch.known_b))
        by_b = batch.by_slot(e * (batch.spread(batch.scale) * batch.totals + intercepts))
        rise = along + cross + tau * length + by_b
        far = (rise > -OVERSHOOT * slope) | (value > batch.objective + DESCENT * tau * slope)
        far &= slope < -rounding * batch.objective
        if not far.any():
            break
        fall = np.where(far, slope, -1.0)
        shorter = tau * np.clip(fall / np.minimum(fall - rise, fall), 0.1, 0.7)
        tau = np.where(far, shorter, tau)
    batch.V, batch.spare = batch.spare, batch.V
    combine(batch.S, batch.spread(tau), batch.W, np.ones(len(batch.b)))


def solve_small(H: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Solve systems ``H[m] x = g[m]``; a vanishing direction gets a zero coefficient."""
    diagonal = np.einsum("mii->mi", H)
    scale = np.where(diagonal > TINY, 1.0 / np.sqrt(np.maximum(diagonal, TINY)), 0.0)
    H = H * scale[:, :, None] * scale[:, None, :] + 1e-12 * np.eye(H.shape[1])
    return np.linalg.solve(H, (g * scale)[:, :, None])[:, :, 0] * scale
