"""Many chains of problems side by side: the state that the steps of the solver move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pseudolinear.learners.solvers._chains import IDLE, Chain, lanes_left
from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign, aligned
from pseudolinear.learners.solvers._exact import make_preconditioner
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._crew import crew, row_blocks, sum_in_order
from pseudolinear.loops._smooth import extrapolate

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss

PROGRESS, PATIENCE = (
    0.9,
    300,
)  # a lane whose gap stays above this share of itself for so long stalls
OPERATIONS = 64  # of a loss, in multiplications of a product with the rows
VECTORS = (
    "label",
    "cost_fn",
    "cost_fp",
    "scale",
    "b",
    "position",
    "iterations",
    "best",
    "best_at",
    "alive",
    "warm",
    "bound",
)
# weights, last solution, step, direction, gradient, gradient of the loss at scale 1
FEATURES = ("W", "W_old", "S", "U", "G", "Q")
# X W, X W_old, X S, X U, first and second derivatives of the loss at scale 1; a search, which no
# longer needs the second ones, puts the scores it tries in their place
ROWS = ("V", "V_old", "XS", "XU", "R", "D")


class Batch:
    """A batch of lanes; lane j works on problem ``position[j]`` of ``chains[j]``.

    The objective of a lane is ``|w|^2 / 2 + ridge * b^2 / 2 + scale * sum_i c_i loss_i`` with
    c_i = ratio for positive and 1 for negative rows, times the weight of the row and the chain's
    cost of its class.

    What is kept of rows and lanes may be of single precision: half of the memory, and of what
    passes move. Weights and all sums are of double precision, and `evaluate` finds everything
    anew from the weights, in double precision, before a problem counts as solved.

    Parameters
    ----------
    design : DenseDesign or SparseDesign
    Y : ndarray of shape (n, L)
    weights : RowWeights
    loss : SmoothLoss
    free, ridge : whether there is an intercept, and its regularisation
    lanes : number of lanes, as ``full_registers`` gives it
    tol : relative optimality wanted; decides how exact intercepts need to be
    single : whether what is kept of rows and lanes is of single precision
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
        single: bool = False,
    ):
        n, d = design.shape
        self.design, self.Y, self.weights = design, Y, weights
        self.loss, self.free, self.ridge, self.tol = loss, free, ridge, tol
        self.single = single
        self.preconditioner = make_preconditioner(design, Y.shape[1], lanes, loss)
        self.chains = [IDLE] * lanes
        self.cost_fn, self.cost_fp, self.scale, self.b = np.zeros((4, lanes))
        self.label, self.position, self.iterations, self.best_at = np.zeros((4, lanes), np.int64)
        self.best = np.full(lanes, np.inf)  # optimality, and when it was last well below the best
        self.alive, self.warm, self.bound = *np.zeros((2, lanes), bool), np.zeros(lanes)
        self.pos = np.zeros((n, lanes), np.int8)
        self.class_costs = np.zeros((weights.n_classes, lanes))
        self.sums = np.zeros((4, lanes))
        in_rows = np.float32 if single else np.float64
        for names, length, dtype in ((FEATURES, d, np.float64), (ROWS, n, in_rows)):
            for name in names:
                setattr(self, name, aligned((length, lanes), dtype))
                getattr(self, name)[:] = 0.0

    def load(
        self,
        lanes: np.ndarray,
        chains: Sequence[Chain],
        start: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        """Start chains in idle lanes, from given weights and intercepts, one for each.

        Without any, from w = 0 and the best intercept of a constant score.
        """
        for j, chain in zip(lanes, chains, strict=True):
            self.chains[j] = chain
            self.label[j], self.scale[j] = chain.label, chain.scales[0]
            self.cost_fn[j], self.cost_fp[j] = (
                (chain.ratio, 1.0) if chain.ratio < np.inf else (1.0, 0.0)
            )
            self.class_costs[:, j] = chain.class_costs
        self.position[lanes] = 0
        self._restart(lanes)
        self.alive[lanes], self.warm[lanes] = True, start is not None
        columns = neighbours(lanes)
        for A in (self.W, self.W_old, self.S, self.V, self.V_old, self.XS):
            A[:, columns] = 0.0
        self.pos[:, columns] = self.Y[:, self.label[lanes]]
        costs = self.cost_fn[lanes], self.cost_fp[lanes], self.class_costs[:, lanes]
        above, below = self.weights.totals(self.label[lanes], *costs)
        tilt = self.free * (above - below) / np.maximum(above + below, TINY)
        self.b[lanes] = self.loss.best_constant(tilt)
        if start is not None:
            self.W[:, columns], self.b[lanes] = start[0].T, start[1] * self.free
        self.evaluate(lanes)
        self.preconditioner.renew(lanes)

    def evaluate(self, lanes: np.ndarray) -> None:
        """Find scores, derivatives and sums of some lanes from their weights.

        It is done part by part of the rows, in double precision, whatever precision the rows have
        and the batch keeps: what ``measure`` then says of these lanes is a certificate.
        """
        columns = neighbours(lanes)
        W, tau = np.ascontiguousarray(self.W[:, columns]), np.zeros(len(lanes))
        Q, of_part = np.zeros(W.shape), np.empty((4, len(lanes)))
        costs = self.cost_fn[lanes], self.cost_fp[lanes]
        class_costs = np.ascontiguousarray(self.class_costs[:, lanes])
        self.sums[:, lanes] = 0.0
        moved = W.any()
        for part, piece in self.design.pieces():
            V, Vnew, R = np.zeros((3, piece.shape[0], len(lanes)))
            rows = (of_rows[part] for of_rows in self.weights.of_rows)
            pos = np.ascontiguousarray(self.pos[part, columns])
            if moved:
                piece.times(W, V)
            self.loss.evaluate(
                V, V, tau, self.b[lanes], pos, *costs, *rows, class_costs, Vnew, R, of_part
            )
            Q += piece.transpose_times(R, np.empty(W.shape))
            self.V[part, columns], self.R[part, columns] = V, R
            self.sums[:, lanes] += of_part
        self.Q[:, columns] = Q

    def widen(self) -> None:
        """Go on in double precision."""
        self.single = False
        self._fill_rows(np.float64)

    @property
    def rows(self) -> tuple[np.ndarray, ...]:
        """What the loss needs to know about the rows: signs, costs, weights and classes."""
        return self.pos, self.cost_fn, self.cost_fp, *self.weights.of_rows, self.class_costs

    def look(self, tau: np.ndarray) -> None:
        """Evaluate the loss at ``V + tau * XS``, which goes to D, and b."""
        weight, classes = self.weights.of_rows

        def evaluate(rows: slice) -> np.ndarray:
            sums = np.empty_like(self.sums)
            own = self.pos[rows], self.cost_fn, self.cost_fp, weight[rows], classes[rows]
            at, out = (self.V[rows], self.XS[rows], tau, self.b), (self.D[rows], self.R[rows])
            self.loss.evaluate(*at, *own, self.class_costs, *out, sums)
            return sums

        blocks = row_blocks(len(self.V), OPERATIONS * self.V.size)
        self.sums = sum_in_order(crew.share(evaluate, blocks))

    def advance(self, done: np.ndarray) -> None:
        """Let the lanes ``done`` (a mask) start on the next problems of their chains.

        Their first step may go along the difference of the last two solutions (extrapolation).
        """
        extrapolate(done, self.W, self.W_old, self.S)
        extrapolate(done, self.V, self.V_old, self.XS)
        self.position[done] += 1
        self.warm[done] = True
        self._restart(done)
        lanes = np.flatnonzero(done)
        each = zip(lanes.tolist(), self.position[lanes].tolist(), strict=True)
        left = [self.chains[j].scales[k : k + 1] for j, k in each]  # empty where a chain ends
        self.alive[lanes] = [len(scale) > 0 for scale in left]
        self.scale[lanes] = 0.0
        self.scale[self.alive & done] = np.concatenate(left)

    def _restart(self, lanes: np.ndarray) -> None:
        self.iterations[lanes] = self.bound[lanes] = self.best_at[lanes] = 0
        self.best[lanes] = np.inf

    def stalled(self) -> np.ndarray:
        """Say which lanes have not come nearer for long: rounding is all that is left of a step."""
        better = self.optimality < PROGRESS * self.best
        self.best[better], self.best_at[better] = self.optimality[better], self.iterations[better]
        return self.iterations - self.best_at > PATIENCE

    def compact(self) -> None:
        """Drop idle lanes as far as that saves vector registers, and enough of them."""
        alive = np.flatnonzero(self.alive)
        p = lanes_left(len(self.b), len(alive))
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
            setattr(self, name, np.take(old, lanes, axis=1, out=aligned((len(old), p), old.dtype)))
        self.preconditioner.keep(lanes)

    def take_rows(self, rows: np.ndarray, design: SparseDesign) -> None:
        """Go on with some of the rows, which have this design; no lane needs the others."""
        self.design, self.Y, self.weights = design, self.Y[rows], self.weights.take(rows)
        self.pos = self.pos[rows]
        for name in ROWS:
            old = getattr(self, name)
            new = aligned((len(rows), old.shape[1]), old.dtype)
            setattr(self, name, np.take(old, rows, axis=0, out=new))

    def put_rows(
        self, design: DenseDesign | SparseDesign, Y: np.ndarray, weights: RowWeights
    ) -> None:
        """Go on with other rows, of which nothing is known yet."""
        self.design, self.Y, self.weights = design, Y, weights
        self.pos = np.ascontiguousarray(Y[:, self.label])
        self._fill_rows(self.V.dtype)

    def _fill_rows(self, dtype: Any) -> None:
        for name in ROWS:
            new = aligned((len(self.Y), len(self.b)), dtype)
            new[:] = 0.0
            setattr(self, name, new)
        self.design.times(self.W_old, self.V_old)
        self.design.times(self.S, self.XS)
        self.evaluate(np.flatnonzero(self.alive))


def neighbours(lanes: np.ndarray) -> slice | np.ndarray:
    """Return neighbouring lanes, in order, as a slice: columns of it are written in one go."""
    first, last = lanes[0], lanes[-1] + 1
    return slice(first, last) if last - first == len(lanes) else lanes
