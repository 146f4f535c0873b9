"""Directions of descent for softmax problems: approximate or exact solutions of Newton's system."""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dposv

from pseudolinear.learners.solvers._factors import Solver, feature_solver
from pseudolinear.learners.solvers._softmax_batch import SoftmaxBatch

LIFE = 10  # iterations until a preconditioner is renewed
FACTOR_FEATURES = 640  # up to here a factor costs less than the iterations it saves
NEWTON_WEIGHTS = 640  # weights of a problem up to which an exact step can be done,
PATIENCE = 12  # after so many iterations
BLOCK_NUMBERS = 1 << 20  # of the rows that are multiplied at once


class SoftmaxPreconditioner:
    """The Hessian as if every class were on its own, and exact where that turns out to be slow.

    Where features are few, a Cholesky factor per class of the mean curvature of all problems, as
    for single labels; else the square root of the diagonal.
    """

    def __init__(self, n_features: int):
        self.factors = n_features <= FACTOR_FEATURES
        self.age = 0
        self.solvers: list[Solver] = []
        self.unit = np.empty((0, 0))

    def renew(self) -> None:
        """Forget what is known of the curvature."""
        self.age = 0

    def direction(self, batch: SoftmaxBatch) -> None:
        """Write the direction of every lane into ``batch.U``."""
        if self.age % LIFE == 0:
            self._refresh(batch)
        self.age += 1
        K = batch.n_classes
        if self.factors:
            for k, solve in enumerate(self.solvers):
                batch.U[:, k::K] = solve(batch.G[:, k::K])
        else:
            np.multiply(self.unit, batch.spread(batch.scale), out=batch.U)
            np.sqrt(batch.U + 1.0, out=batch.U)
            np.divide(batch.G, batch.U, out=batch.U)
        if batch.G.shape[0] * K <= NEWTON_WEIGHTS:
            for m in np.flatnonzero(batch.alive & (batch.iterations > PATIENCE)):
                lanes = slice(m * K, (m + 1) * K)
                batch.U[:, lanes] = newton_direction(batch, int(m))

    def _refresh(self, batch: SoftmaxBatch) -> None:
        curvature = np.maximum(batch.D - batch.P * batch.P, 0.0)  # rounding may fall below
        K, alive = batch.n_classes, batch.scale * batch.alive / max(batch.alive.sum(), 1)
        if self.factors:
            means = [curvature[:, k::K] @ alive for k in range(K)]
            self.solvers = [feature_solver(batch, mean, single=True)[0] for mean in means]
        else:
            self.unit = batch.design.squares_times(curvature)


def newton_direction(batch: SoftmaxBatch, m: int) -> np.ndarray:
    """Return the weights of Newton's direction of slot m: shape (d, K)."""
    (n, d), K, scale = batch.design.shape, batch.n_classes, batch.scale[m]
    lanes, wide = slice(m * K, (m + 1) * K), d + batch.free
    H = np.zeros((K * wide, K * wide))
    blocks = H.reshape(K, wide, K, wide)
    rows = max(BLOCK_NUMBERS // (K * wide), 1)
    for start in range(0, n, rows):
        part = slice(start, start + rows)
        X = batch.design.X[part]
        X = X.toarray() if hasattr(X, "toarray") else X
        X = np.hstack([X, np.ones((len(X), int(batch.free)))])
        M = (batch.P[part, lanes, None] * X[:, None, :]).reshape(len(X), -1)
        H -= M.T @ M
        for k, D in enumerate(batch.D[part, lanes].T):
            blocks[k, :, k] += X.T @ (D[:, None] * X)
    H *= scale
    right = np.zeros((K, wide))
    right[:, :d] = batch.G[:, lanes].T
    penalty = np.ones(wide)
    if batch.free:
        right[:, d], penalty[d] = batch.gb[lanes], batch.ridge
        # equal shifts of all intercepts change nothing; a curvature of their own makes them stay
        blocks[:, d, :, d] += H.trace() / H.shape[0] / K
    H.flat[:: len(H) + 1] += np.tile(penalty, K) + 1e-12 * H.diagonal()
    solution, failed = dposv(H, right.ravel(), lower=1)[1:]
    if failed:  # only rounding is left of the curvature
        return batch.U[:, lanes]
    return np.asarray(solution.reshape(K, wide)[:, :d].T)
