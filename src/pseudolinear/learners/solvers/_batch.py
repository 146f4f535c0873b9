"""Many chains of problems side by side: the state that the steps of the solver move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pseudolinear.learners.solvers._chains import IDLE, Chain
from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign, aligned
from pseudolinear.learners.solvers._exact import make_preconditioner
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.loops._constants import LANES, TINY
from pseudolinear.loops._smooth import extrapolate

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss

VECTORS = ("label", "cost_fn", "cost_fp", "scale", "b", "position", "iterations", "alive", "bound")
# weights, last solution, step, direction, gradient, gradient of the loss at scale 1
FEATURES = ("W", "W_old", "S", "U", "G", "Q")
# X W, X W_old, X S, X U, first and second derivatives of the loss at scale 1, spare buffer
ROWS = ("V", "V_old", "XS", "XU", "R", "D", "spare")


class Batch:
    """A batch of lanes; lane j works on problem ``position[j]`` of ``chains[j]``.

    The objective of a lane is ``|w|^2 / 2 + ridge * b^2 / 2 + scale * sum_i c_i loss_i`` with
    c_i = ratio for positive and 1 for negative rows, times the weight of the row and the chain's
    cost of its class.

    Parameters
    ----------
    design : DenseDesign or SparseDesign
    Y : ndarray of shape (n, L)
    weights : RowWeights
    loss : SmoothLoss
    free, ridge : whether there is an intercept, and its regularisation
    lanes : number of lanes, a multiple of ``LANES``
    tol : relative optimality wanted; decides how exact intercepts need to be
    """

    W: np.ndarray
    W_old: np.ndarray
    S: np.ndarray
    U: np.ndarray
    G: np.ndarray
    Q: np.ndarray
    V: np.ndarray
    V_old: np.ndarray
    XS: np.ndarray
    XU: np.ndarray
    R: np.ndarray
    D: np.ndarray
    spare: np.ndarray
    # filled by ``measure``: |w|^2, derivatives by the intercept, objective and relative optimality
    norm2: np.ndarray
    gb: np.ndarray
    hb: np.ndarray
    objective: np.ndarray
    optimality: np.ndarray

    def __init__(
        self,
        design: DenseDesign | SparseDesign,
        Y: np.ndarray,
        weights: RowWeights,
        loss: SmoothLoss,
        free: bool,
        ridge: float,
        lanes: int,
        tol: float,
    ):
        n, d = design.shape
        self.design, self.Y, self.weights = design, Y, weights
        self.loss, self.free, self.ridge, self.tol = loss, free, ridge, tol
        self.preconditioner = make_preconditioner(design, lanes, loss)
        self.chains = [IDLE] * lanes
        self.cost_fn, self.cost_fp, self.scale, self.b = np.zeros((4, lanes))
        self.label, self.position, self.iterations = np.zeros((3, lanes), np.int64)
        self.alive, self.bound = np.zeros(lanes, bool), np.zeros(lanes)
        self.pos = np.zeros((n, lanes), np.int8)
        self.class_costs = np.zeros((weights.n_classes, lanes))
        self.sums = np.zeros((4, lanes))
        for names, length in ((FEATURES, d), (ROWS, n)):
            for name in names:
                setattr(self, name, aligned((length, lanes)))
                getattr(self, name)[:] = 0.0

    def load(
        self,
        lanes: np.ndarray,
        chains: Sequence[Chain],
        start: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        """Start chains in idle lanes, from given weights and intercepts by problem.

        Without any, from w = 0 and the best intercept of a constant score.
        """
        n, d = self.design.shape
        for j, chain in zip(lanes, chains, strict=True):
            self.chains[j] = chain
            self.label[j], self.scale[j] = chain.label, chain.scales[0]
            self.cost_fn[j], self.cost_fp[j] = (
                (chain.ratio, 1.0) if chain.ratio < np.inf else (1.0, 0.0)
            )
            self.class_costs[:, j] = chain.class_costs
        self.position[lanes] = self.iterations[lanes] = self.bound[lanes] = 0
        self.alive[lanes] = True
        for A in (self.W, self.W_old, self.S, self.V, self.V_old, self.XS):
            A[:, lanes] = 0.0
        pos = np.ascontiguousarray(self.Y[:, self.label[lanes]])
        cost_fn, cost_fp = self.cost_fn[lanes], self.cost_fp[lanes]
        class_costs = np.ascontiguousarray(self.class_costs[:, lanes])
        self.pos[:, lanes] = pos
        above, below = self.weights.totals(self.label[lanes], cost_fn, cost_fp, class_costs)
        tilt = self.free * (above - below) / np.maximum(above + below, TINY)
        b = self.loss.best_constant(tilt)
        zero, R = np.zeros((n, len(lanes))), np.empty((n, len(lanes)))
        V = zero
        if start is not None:
            first = [chain.problems[0] for chain in chains]
            W, b = np.ascontiguousarray(start[0][first].T), start[1][first] * self.free
            V = self.design.times(W, np.empty((n, len(lanes))))
            self.W[:, lanes], self.V[:, lanes] = W, V
        self.b[lanes] = b
        sums = np.empty((4, len(lanes)))
        rows = pos, cost_fn, cost_fp, *self.weights.of_rows, class_costs
        self.loss.evaluate(V, zero, np.zeros(len(lanes)), b, *rows, V, R, sums)
        self.R[:, lanes], self.sums[:, lanes] = R, sums
        self.Q[:, lanes] = self.design.transpose_times(R, np.empty((d, len(lanes))))
        self.preconditioner.renew(lanes)

    @property
    def rows(self) -> tuple[np.ndarray, ...]:
        """What the loss needs to know about the rows: signs, costs, weights and classes."""
        return self.pos, self.cost_fn, self.cost_fp, *self.weights.of_rows, self.class_costs

    def look(self, tau: np.ndarray) -> None:
        """Evaluate the loss at ``V + tau * XS``, which goes to the spare buffer, and b."""
        self.loss.evaluate(self.V, self.XS, tau, self.b, *self.rows, self.spare, self.R, self.sums)

    def advance(self, done: np.ndarray) -> None:
        """Let the lanes ``done`` (a mask) start on the next problems of their chains.

        Their first step may go along the difference of the last two solutions (extrapolation).
        """
        extrapolate(done, self.W, self.W_old, self.S)
        extrapolate(done, self.V, self.V_old, self.XS)
        self.position[done] += 1
        self.iterations[done] = self.bound[done] = 0
        for j in np.flatnonzero(done):
            scales = self.chains[j].scales
            self.alive[j] = self.position[j] < len(scales)
            self.scale[j] = scales[self.position[j]] if self.alive[j] else 0.0

    def compact(self) -> None:
        """Drop idle lanes as far as that saves vector registers."""
        alive = np.flatnonzero(self.alive)
        p = max(-(-len(alive) // LANES), 1) * LANES
        if p == len(self.b):
            return
        lanes = np.concatenate([alive, np.flatnonzero(~self.alive)[: p - len(alive)]])
        self.chains = [self.chains[j] for j in lanes]
        for name in VECTORS:
            setattr(self, name, getattr(self, name)[lanes])
        self.sums = np.ascontiguousarray(self.sums[:, lanes])
        self.pos = np.ascontiguousarray(self.pos[:, lanes])
        self.class_costs = np.ascontiguousarray(self.class_costs[:, lanes])
        for name in (*FEATURES, *ROWS):
            old = getattr(self, name)
            setattr(self, name, np.take(old, lanes, axis=1, out=aligned((len(old), p))))
        self.preconditioner.keep(lanes)
