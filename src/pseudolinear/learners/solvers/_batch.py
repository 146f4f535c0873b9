"""Many chains of problems minimised side by side by locally optimal conjugate gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign, aligned
from pseudolinear.learners.solvers._precondition import Cholesky, Diagonal, Newton, RowCholesky
from pseudolinear.loops import _smooth as kernels

LANES = 8  # doubles in a vector register: batches are padded to whole registers
TINY = 1e-300
INTERCEPT = 1e-2  # share of the tolerance left to the intercept
OVERSHOOT = 0.3  # largest rise at the end of a step, in units of the descent at its start
VECTORS = ("label", "cost_fn", "cost_fp", "scale", "b", "position", "iterations", "alive", "bound")
# weights, last solution, step, direction, gradient, gradient of the loss at scale 1
FEATURES = ("W", "W_old", "S", "U", "G", "Q")
# X W, X W_old, X S, X U, first and second derivatives of the loss at scale 1, spare buffer
ROWS = ("V", "V_old", "XS", "XU", "R", "D", "spare")


@dataclass
class Chain:
    """Problems of one label and one ratio of costs, by increasing scale.

    Their losses differ only by the factor ``scale``: at a given w the gradient of the next
    problem's loss follows from that of the last one without touching the data.
    """

    label: int
    ratio: float
    scales: np.ndarray
    problems: np.ndarray


IDLE = Chain(0, 0.0, np.zeros(0), np.zeros(0, np.int64))


class Batch:
    """A batch of lanes; lane j works on problem ``position[j]`` of ``chains[j]``.

    The objective of a lane is ``|w|^2 / 2 + ridge * b^2 / 2 + scale * sum_i c_i loss_i`` with
    c_i = ratio for positive and 1 for negative rows, times the weight of the row.  An iteration
    minimises the quadratic model of the objective, exact Hessian, over the span of the
    preconditioned gradient U, the last step S and the intercept.  On a quadratic objective the
    iterates are those of preconditioned conjugate gradients (in the locally optimal form of
    Knyazev); elsewhere there is no conjugacy to lose, and S may as well come from extrapolation.

    Parameters
    ----------
    design : DenseDesign or SparseDesign
    Y : ndarray of shape (n, L)
    weight : ndarray of shape (n,)
    loss : "logistic" or "squared_hinge"
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
    preconditioner: Newton

    def __init__(
        self,
        design: DenseDesign | SparseDesign,
        Y: np.ndarray,
        weight: np.ndarray,
        loss: str,
        free: bool,
        ridge: float,
        lanes: int,
        tol: float,
    ):
        n, d = design.shape
        self.design, self.Y, self.weight = design, Y, weight
        self.loss, self.free, self.ridge, self.tol = loss, free, ridge, tol
        self.evaluate = getattr(kernels, loss)
        fallback: Diagonal | Cholesky | RowCholesky = Diagonal((d, lanes))
        if d <= Cholesky.FEATURES:
            fallback = Cholesky()
        elif n <= RowCholesky.ROWS and loss == "logistic":
            fallback = RowCholesky()
        self.preconditioner = Newton(fallback)
        self.chains = [IDLE] * lanes
        self.cost_fn, self.cost_fp, self.scale, self.b = np.zeros((4, lanes))
        self.label, self.position, self.iterations = np.zeros((3, lanes), np.int64)
        self.alive, self.bound = np.zeros(lanes, bool), np.zeros(lanes)
        self.pos = np.zeros((n, lanes), np.int8)
        self.sums = np.zeros((4, lanes))
        for names, length in ((FEATURES, d), (ROWS, n)):
            for name in names:
                setattr(self, name, aligned((length, lanes)))
                getattr(self, name)[:] = 0.0

    def load(self, lanes: np.ndarray, chains: Sequence[Chain]) -> None:
        """Start chains in idle lanes, from w = 0 and the best intercept of a constant score."""
        n, d = self.design.shape
        for j, chain in zip(lanes, chains, strict=True):
            self.chains[j] = chain
            self.label[j], self.scale[j] = chain.label, chain.scales[0]
            self.cost_fn[j], self.cost_fp[j] = (
                (chain.ratio, 1.0) if chain.ratio < np.inf else (1.0, 0.0)
            )
        self.position[lanes] = self.iterations[lanes] = self.bound[lanes] = 0
        self.alive[lanes] = True
        for A in (self.W, self.W_old, self.S, self.V, self.V_old, self.XS):
            A[:, lanes] = 0.0
        pos = np.ascontiguousarray(self.Y[:, self.label[lanes]])
        self.pos[:, lanes] = pos
        above = self.weight @ pos * self.cost_fn[lanes]
        below = self.weight @ (1 - pos) * self.cost_fp[lanes]
        tilt = self.free * (above - below) / np.maximum(above + below, TINY)
        self.b[lanes] = tilt
        if self.loss == "logistic":  # 2 artanh(tilt) = log(above / below)
            self.b[lanes] = 2.0 * np.arctanh(np.clip(tilt, -1 + 1e-15, 1 - 1e-15))
        zero, R = np.zeros((n, len(lanes))), np.empty((n, len(lanes)))
        sums = np.empty((4, len(lanes)))
        self.evaluate(
            zero,
            zero,
            zero[0],
            self.b[lanes],
            pos,
            self.cost_fn[lanes],
            self.cost_fp[lanes],
            self.weight,
            zero,
            R,
            sums,
        )
        self.R[:, lanes], self.sums[:, lanes] = R, sums
        self.Q[:, lanes] = self.design.transpose_times(R, np.empty((d, len(lanes))))
        self.preconditioner.renew(lanes)

    def gradient(self) -> None:
        """Objective, gradient and relative optimality of every lane.

        With alpha = -derivative of the loss as dual point, the duality gap is half the squared norm
        of the gradient in w, provided that the intercept is optimal.  Moving b to its optimum
        changes all alpha_i y_i in one direction and their sum by the derivative g_b, so it changes
        the gradient in w by at most g_b times the largest norm of a row, and lowers the objective
        by about g_b^2 / (2 h_b); the gap below allows for both.
        """
        norms = np.empty((2, len(self.b)))
        kernels.total_gradient(self.W, self.Q, self.scale, self.G, norms)
        self.norm2 = norms[0]
        self.gb = self.free * (self.scale * self.sums[1] + self.ridge * self.b)
        self.hb = self.scale * self.sums[2] + self.ridge
        self.objective = 0.5 * (norms[0] + self.ridge * self.b**2) + self.scale * self.sums[0]
        gap = 0.5 * (np.sqrt(norms[1]) + self.design.radius * np.abs(self.gb)) ** 2
        gap += self.gb**2 / np.maximum(self.hb, TINY)
        gap = np.minimum(gap, np.maximum(self.objective - self.bound, 0.0))
        self.optimality = gap / np.maximum(self.objective, TINY)

    def advance(self, done: np.ndarray) -> None:
        """Let the lanes ``done`` (a mask) start on the next problems of their chains.

        Their first step may go along the difference of the last two solutions (extrapolation).
        """
        kernels.extrapolate(done, self.W, self.W_old, self.S)
        kernels.extrapolate(done, self.V, self.V_old, self.XS)
        self.position[done] += 1
        self.iterations[done] = self.bound[done] = 0
        for j in np.flatnonzero(done):
            scales = self.chains[j].scales
            self.alive[j] = self.position[j] < len(scales)
            self.scale[j] = scales[self.position[j]] if self.alive[j] else 0.0

    def step(self) -> None:
        """One iteration of all lanes."""
        p = len(self.b)
        self.iterations += 1
        kernels.curvature(
            self.loss == "logistic",
            self.R,
            self.pos,
            self.cost_fn,
            self.cost_fp,
            self.weight,
            self.D,
        )
        self.preconditioner.direction(self)
        self.design.times(self.U, self.XU)
        in_rows, in_features = np.empty((5, p)), np.empty((7, p))
        kernels.score_moments(self.D, self.XU, self.XS, in_rows)
        kernels.weight_moments(self.W, self.G, self.U, self.S, in_features)
        du, ds, duu, dus, dss = in_rows * self.scale
        uu, us, ss, ug, sg, wu, ws = in_features
        du, ds = self.free * du, self.free * ds
        H = np.array([[uu + duu, us + dus, du], [us + dus, ss + dss, ds], [du, ds, self.hb]])
        g = np.array([ug, sg, self.gb])
        u, s, e = x = -solve_small(H, g) * self.alive
        kernels.combine(self.XU, u, self.XS, s)
        kernels.combine(self.U, u, self.S, s)
        if self.loss == "squared_hinge":
            self.certify(e)
        self.search(
            e,
            cross=u * wu + s * ws,
            length=u * u * uu + 2 * u * s * us + s * s * ss,
            slope=np.einsum("ip,ip->p", x, g),
        )
        if self.free and self.loss == "squared_hinge":
            self.settle()
        self.design.transpose_times(self.R, self.Q)

    def certify(self, e: np.ndarray) -> None:
        """Raise the lower bounds of lanes about to take an exact Newton step (squared hinge).

        Newton's point is ``w = sum alpha_i y_i x_i`` over the rows active now, with alpha the
        derivatives at that point: a dual point, once negative alpha are clipped, whose value is far
        better than that of the derivatives over the rows that will be active after the step.
        The best multiple of a direction alpha in the dual has the closed value below.
        """
        lanes = np.flatnonzero(self.preconditioner.exact & self.alive)
        if not len(lanes):
            return
        n, d = self.design.shape
        Z, sums = aligned((n, len(lanes))), np.empty((2, len(lanes)))
        balance = self.free and self.ridge == 0.0
        kernels.dual_point(
            self.V, self.XS, self.b + e, self.D, self.pos, self.scale, balance, lanes, Z, sums
        )
        v = self.design.transpose_times(Z, aligned((d, len(lanes))))
        square = np.einsum("ij,ij->j", v, v) + sums[1]
        if self.free and not balance:
            square += Z.sum(axis=0) ** 2 / self.ridge
        value = sums[0] ** 2 / np.maximum(2.0 * square, TINY)
        self.bound[lanes] = np.maximum(self.bound[lanes], value)

    def look(self, tau: np.ndarray) -> None:
        """Evaluate the loss at ``V + tau * XS``, which goes to the spare buffer, and b."""
        self.evaluate(
            self.V,
            self.XS,
            tau,
            self.b,
            self.pos,
            self.cost_fn,
            self.cost_fp,
            self.weight,
            self.spare,
            self.R,
            self.sums,
        )

    def settle(self) -> None:
        """Minimise over the intercept alone: Newton's method on a bracket of the minimum.

        Squared hinge: a change of b can activate thousands of rows at once, which the quadratic
        model in three directions does not foresee, and which would hold up the weights.  Lanes
        with exact Newton steps are better off without: there w and b move together.
        """
        low, high = np.full(len(self.b), -np.inf), np.full(len(self.b), np.inf)
        movable = self.alive & ~self.preconditioner.exact
        for _ in range(30):
            g = self.scale * self.sums[1] + self.ridge * self.b
            h = self.scale * self.sums[2] + self.ridge
            wrong = (self.design.radius * g) ** 2 > INTERCEPT * self.tol * self.objective
            off = movable & wrong
            if not off.any():
                break
            low, high = np.where(g < 0, self.b, low), np.where(g > 0, self.b, high)
            b = self.b - g / np.maximum(h, TINY)
            inside = (b > low) & (b < high)
            for j in np.flatnonzero(off & ~inside):
                known = np.isfinite(low[j]) and np.isfinite(high[j])
                b[j] = 0.5 * (low[j] + high[j]) if known else self.b[j] - np.sign(g[j])
            self.b = np.where(off, b, self.b)
            self.look(np.zeros(len(b)))

    def search(
        self, e: np.ndarray, cross: np.ndarray, length: np.ndarray, slope: np.ndarray
    ) -> None:
        """Move along S and e; shorten the steps that go well beyond the lowest point of the line.

        ``cross``, ``length`` and ``slope`` are the products W S, S S and the derivative at zero.
        The objective is convex: while it falls along the line, the step is not too long; where it
        rises, the secant of the derivative points back to the minimum.
        """
        b, tau = self.b, np.ones(len(self.b))
        for _ in range(40):
            self.b = b + tau * e
            self.look(tau)
            loss, first, _, along = self.scale * self.sums
            value = loss + 0.5 * (
                self.norm2 + 2 * tau * cross + tau**2 * length + self.ridge * self.b**2
            )
            rise = along + cross + tau * length + e * (first + self.ridge * self.b)
            far = (rise > -OVERSHOOT * slope) | (value > self.objective + 1e-4 * tau * slope)
            far &= slope < -1e-15 * self.objective
            if not far.any():
                break
            tau = np.where(
                far, tau * np.clip(slope / np.minimum(slope - rise, -TINY), 0.1, 0.7), tau
            )
        self.V, self.spare = self.spare, self.V
        kernels.combine(self.S, tau, self.W, np.ones(len(tau)))

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
        self.sums = self.sums[:, lanes]
        self.pos = np.ascontiguousarray(self.pos[:, lanes])
        for name in (*FEATURES, *ROWS):
            old = getattr(self, name)
            setattr(self, name, np.take(old, lanes, axis=1, out=aligned((len(old), p))))
        self.preconditioner.keep(lanes)


def solve_small(H: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Solve systems ``H[:, :, j] x = g[:, j]``; a vanishing direction gets a zero coefficient."""
    diagonal = np.einsum("iip->ip", H)
    scale = np.where(diagonal > TINY, 1.0 / np.sqrt(np.maximum(diagonal, TINY)), 0.0)
    H = H * scale * scale[:, None] + 1e-12 * np.eye(len(H))[:, :, None]
    return np.linalg.solve(H.T, (g * scale).T[:, :, None])[:, :, 0].T * scale
