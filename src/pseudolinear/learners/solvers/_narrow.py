"""Smooth losses on few features: exact Newton steps, problems side by side.

Where features are few, the Hessians of all problems are one product: that of the second derivatives
of their losses with the products of any two columns, which all problems share. A step of all of
them is then a handful of calls, and most problems take one or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pseudolinear.learners.solvers._certificates import duality_gap
from pseudolinear.learners.solvers._chains import Chain, full_registers, lanes_left
from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign
from pseudolinear.learners.solvers._order import Fit
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._crew import crew, sum_in_order
from pseudolinear.loops._packed import solve_packed

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss

PART = 1024  # rows at a time: their derivatives stay in the cache
ENOUGH = 0.1  # share of the gap asked for at which problems end: Newton's steps are quickly there,
FINE = 1e-6  # unless it is so small that rounding may keep them from it
DESCENT = 1e-4  # least descent of a step, in units of what its slope at the start promises
ROUNDING = 1e-14  # share of an objective that is no ascent
SOUND = 1.0 + 1e-13  # what diagonals are multiplied by, so that rounding leaves pivots positive
MOST_LANES = 64  # problems side by side
ITERATIONS = 100  # until it turns out that rounding keeps exact steps from an end
Start = tuple[np.ndarray, np.ndarray]


class NarrowBatch:
    """Lanes, each with a problem of a chain; the intercept is the last weight.

    Parameters
    ----------
    design : DenseDesign or SparseDesign
        The rows, of few columns.
    Y, weights, loss, free, ridge
        As those of ``Batch``.
    chains : sequence of Chain
        The problems.
    """

    STATE: ClassVar[Sequence[str]] = (
        # what lanes have: number of their chain, place in it, and its problem there,
        *("chain", "position", "scale", "cost_fn", "cost_fp", "class_costs", "pos"),
        # weights, last step, the objective and its slope before it, its length, iterations
        *("W", "S", "before", "slope", "length", "iterations"),
    )

    def __init__(
        self,
        design: DenseDesign | SparseDesign,
        Y: np.ndarray,
        weights: RowWeights,
        loss: SmoothLoss,
        free: bool,
        ridge: float,
        chains: Sequence[Chain],
    ) -> None:
        n, d = design.shape
        self.X = np.empty((n, d + 1))
        self.X[:, :d] = design.X if isinstance(design, DenseDesign) else design.X.toarray()
        self.X[:, d] = free
        self.parts = [slice(i, min(i + PART, n)) for i in range(0, n, PART)]
        ends = np.cumsum(np.arange(d + 2))
        self.products = np.empty((n, ends[-1]))
        for j, end in enumerate(ends[1:]):
            self.products[:, ends[j] : end] = self.X[:, : j + 1] * self.X[:, j : j + 1]
        self.diagonal = ends[1:] - 1
        self.radius, self.Y, self.weights = design.radius, Y, weights
        self.loss, self.free = loss, free
        self.penalty = np.ones((d + 1, 1))
        self.penalty[d] = ridge if free else 1.0
        self.labels = np.array([chain.label for chain in chains])
        self.ratios = np.array([chain.ratio for chain in chains])
        self.costs = np.stack([chain.class_costs for chain in chains], axis=1)
        longest = max(len(chain.scales) for chain in chains) + 1
        self.scales = np.zeros((len(chains), longest))
        self.problems = np.zeros((len(chains), longest), np.intp)
        for k, chain in enumerate(chains):
            self.scales[k, : len(chain.scales)] = chain.scales
            self.problems[k, : len(chain.scales)] = chain.problems

    def solve(self, lanes: int, tol: float, max_iter: int, start: Start, fit: Fit) -> None:
        """Solve the problems of the chains in so many lanes and write them into ``fit``."""
        enough = max(ENOUGH * tol, min(tol, FINE))
        self._open(lanes)
        self._load(start)
        while self.scale.any():
            losses, Q, H = self._look()
            penalised = self.penalty * self.W
            square = 0.5 * np.einsum("jp,jp->p", self.W, penalised)
            value, G = square + self.scale * losses, penalised + self.scale * Q
            moving = ~self._shorten(value, G, max_iter)
            while True:
                bend = self.scale * H[-1] + self.penalty[-1]
                gap = duality_gap(np.einsum("jp,jp->p", G[:-1], G[:-1]), G[-1], bend, self.radius)
                optimality = gap / np.maximum(value, TINY)
                moving &= self.scale > 0.0
                done = moving & ((optimality <= enough) | (self.iterations >= max_iter))
                if not done.any():
                    break
                self._record(np.flatnonzero(done), optimality, fit)
                value, G = square + self.scale * losses, penalised + self.scale * Q
            self._step(moving, value, G, H)
            self._load(start)
            self._compact()

    def _open(self, lanes: int) -> None:
        """Make lanes that are idle: their problems have a scale of 0."""
        d = self.X.shape[1]
        self.waiting = 0  # number of the next chain
        self.W, self.S = np.zeros((2, d, lanes))
        self.scale, self.cost_fn, self.cost_fp = np.zeros((3, lanes))
        self.before, self.slope, self.length = np.zeros((3, lanes))
        self.chain, self.position, self.iterations = np.zeros((3, lanes), np.intp)
        self.class_costs = np.zeros((len(self.costs), lanes))
        self.pos = np.zeros((len(self.X), lanes), np.int8)

    def _load(self, start: Start) -> None:
        """Give idle lanes the next chains, from the weights of their first problems."""
        lanes = np.flatnonzero(self.scale == 0.0)[: len(self.labels) - self.waiting]
        if not len(lanes):
            return
        chain = np.arange(self.waiting, self.waiting + len(lanes))
        self.waiting += len(lanes)
        ratio, self.chain[lanes] = self.ratios[chain], chain
        self.position[lanes] = self.iterations[lanes] = 0
        self.scale[lanes], self.before[lanes] = self.scales[chain, 0], np.inf
        self.cost_fn[lanes] = np.where(ratio < np.inf, ratio, 1.0)
        self.cost_fp[lanes] = ratio < np.inf
        self.class_costs[:, lanes] = self.costs[:, chain]
        self.pos[:, lanes] = self.Y[:, self.labels[chain]]
        first = self.problems[chain, 0]
        self.W[:-1, lanes], self.W[-1, lanes] = start[0][first].T, start[1][first] * self.free

    def _look(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return losses, their gradients and packed Hessians at the weights, all of scale 1."""
        weight, classes = self.weights.of_rows

        def derive(part: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            V = self.X[part] @ self.W
            R, D, losses = np.empty_like(V), np.empty_like(V), np.empty(V.shape[1])
            costs = self.cost_fn, self.cost_fp, weight[part], classes[part], self.class_costs
            self.loss.derivatives(V, self.pos[part], *costs, R, D, losses)
            return losses, np.dot(self.X[part].T, R), np.dot(self.products[part].T, D)

        losses, gradients, hessians = zip(*crew.share(derive, self.parts), strict=True)
        return sum_in_order(losses), sum_in_order(gradients), sum_in_order(hessians)

    def _shorten(self, value: np.ndarray, G: np.ndarray, max_iter: int) -> np.ndarray:
        """Take back a part of the steps that were too long, and say which: no more is done there.

        Where the objective rises, the secant of its derivative points back to the minimum. Lanes
        that have come to the last iteration stay where they are.
        """
        enough = self.before + DESCENT * self.length * self.slope
        far = ~(value <= np.maximum(enough, (1.0 - ROUNDING) * self.before))
        far &= (self.scale > 0.0) & (self.iterations < max_iter)
        lanes = np.flatnonzero(far)
        if len(lanes):
            rise = np.einsum("jp,jp->p", self.S[:, lanes], G[:, lanes])
            slope, length = self.slope[lanes], self.length[lanes]
            shorter = length * np.clip(slope / np.minimum(slope - rise, slope), 0.1, 0.7)
            self.W[:, lanes] += (shorter - length) * self.S[:, lanes]
            self.length[lanes] = shorter
            self.iterations[lanes] += 1
        return far

    def _record(self, done: np.ndarray, optimality: np.ndarray, fit: Fit) -> None:
        """Write the problems of these lanes into ``fit``, and go on to the next of their chains."""
        chain, position = self.chain[done], self.position[done]
        problems = self.problems[chain, position]
        fit.coef[problems], fit.intercept[problems] = self.W[:-1, done].T, self.W[-1, done]
        fit.optimality[problems], fit.n_iter[problems] = optimality[done], self.iterations[done]
        self.position[done], self.iterations[done] = position + 1, 0
        self.scale[done] = self.scales[chain, position + 1]

    def _step(self, moving: np.ndarray, value: np.ndarray, G: np.ndarray, H: np.ndarray) -> None:
        """Take Newton's steps."""
        systems, S = np.concatenate([H * self.scale, G]), np.empty_like(G)
        systems[self.diagonal] = SOUND * (systems[self.diagonal] + self.penalty) + TINY
        solve_packed(systems, S)
        np.negative(S, out=S, where=moving)
        self.S = np.where(moving, S, self.S)
        self.W += np.where(moving, S, 0.0)
        self.before = np.where(moving, value, self.before)
        self.slope = np.where(moving, np.einsum("jp,jp->p", S, G), self.slope)
        self.length = np.where(moving, 1.0, self.length)
        self.iterations += moving

    def _compact(self) -> None:
        """Drop idle lanes, if there are enough of them."""
        idle = self.scale == 0.0
        p = lanes_left(len(idle), len(idle) - int(idle.sum()))
        if p < len(idle):
            lanes = np.argsort(idle, kind="stable")[:p]
            for name in self.STATE:
                setattr(self, name, np.ascontiguousarray(getattr(self, name)[..., lanes]))


def solve_narrow(
    loss: SmoothLoss,
    ridge: float,
    design: DenseDesign | SparseDesign,
    Y: np.ndarray,
    weights: RowWeights,
    free: bool,
    chains: Sequence[Chain],
    tol: float,
    max_iter: int,
    columns: np.ndarray,
    start: Start,
    fit: Fit,
) -> None:
    """Solve chains of problems and write them into ``fit``, whose columns those of the design are.

    What is not solved in time, for rounding, is left with its weights, if these are numbers.
    """
    if not chains:
        return
    if 2 * len(chains) <= MOST_LANES:  # calls take longer than what they do: fewer are better
        chains = [half for chain in chains for half in chain.cut(2)]
    batch = NarrowBatch(design, Y, weights, loss, free, ridge, chains)
    solved = fit._replace(coef=start[0][:, columns], intercept=start[1].copy())
    lanes, most = full_registers(min(len(chains), MOST_LANES)), min(max_iter, ITERATIONS)
    batch.solve(lanes, tol, most, (solved.coef.copy(), start[1]), solved)
    for chain in chains:
        known = chain.problems[np.isfinite(fit.optimality[chain.problems])]
        fit.coef[np.ix_(known, columns)] = solved.coef[known]
        fit.intercept[known] = solved.intercept[known]
