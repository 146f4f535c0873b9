"""Smooth losses on few features: exact Newton steps, problems side by side.

Where features are few, the Hessians of all problems are one product: that of the second derivatives
of their losses with the products of any two columns, which all problems share. A step of all of
them is then a handful of calls, and most problems take one or two.

Hessians of many rows are found in single precision, which takes half the time: rounding there can
only make a step less good, whereas objectives and gradients, which certify it, are of double
precision. Where steps do not lead down, or too many are needed, Hessians become double as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pseudolinear.learners.solvers._chains import Chain, full_registers, lanes_left
from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign
from pseudolinear.learners.solvers._order import Fit
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.loops._crew import crew, sum_in_order
from pseudolinear.loops._narrow import MOVES, TOO_FAR, judge
from pseudolinear.loops._packed import solve_packed

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss

PART = 1024  # about so many rows at a time: their derivatives stay in the cache
ENOUGH = 0.1  # share of the gap asked for at which problems end: Newton's steps are quickly there,
FINE = 1e-6  # unless it is so small that rounding may keep them from it
SINGLE_ITERATIONS = 20  # of a problem, until Hessians of single precision seem to be to blame
SINGLE_ROWS = 64  # below which it spares little, and weights would show beside copies of rows
LARGEST_SINGLE = 1e10  # sum of what rows curve, far beyond which rounding outweighs the penalty
# what diagonals are multiplied by, so that rounding leaves pivots positive
SOUND = {"float32": 1.0 + 2e-6, "float64": 1.0 + 1e-13}
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

    OF_LANES: ClassVar[Sequence[str]] = (
        *("W", "S", "state", "places"),  # see ``judge``
        *("cost_fn", "cost_fp", "class_costs", "pos"),
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
        self.X = np.empty((d + 1, n))
        self.X[:d] = design.X.T if isinstance(design, DenseDesign) else design.X.T.toarray()
        self.X[d] = free
        n_parts = max(round(n / PART), 1)
        ends = [n * i // n_parts for i in range(n_parts + 1)]
        self.parts = [slice(start, end) for start, end in pairwise(ends)]
        self.radius, self.Y, self.weights = design.radius, Y, weights
        self.loss, self.free = loss, free
        self.penalty = np.ones(d + 1)
        self.penalty[d] = ridge if free else 1.0
        self.labels = np.array([chain.label for chain in chains])
        self.ratios = np.array([chain.ratio for chain in chains])
        self.costs = np.array([chain.class_costs for chain in chains]).T
        longest = max(len(chain.scales) for chain in chains) + 1
        self.scales = np.zeros((len(chains), longest))
        self.problems = np.zeros((len(chains), longest), np.intp)
        for k, chain in enumerate(chains):
            self.scales[k, : len(chain.scales)] = chain.scales
            self.problems[k, : len(chain.scales)] = chain.problems
        self._multiply(np.float32 if self._suits_single() else np.float64)

    def _suits_single(self) -> bool:
        """Say whether rounding of Hessians to single precision pays, and is little."""
        costs = np.where(self.ratios < np.inf, self.ratios, 1.0).max(initial=1.0) * self.costs.max()
        squares = np.einsum("jn,jn->n", self.X, self.X)
        with np.errstate(over="ignore", invalid="ignore"):
            curved = max(self.scales.max(), 1.0) * costs * (squares @ self.weights.of_rows[0])
        few = len(squares) < SINGLE_ROWS
        return not few and bool(max(curved, self.radius**2) <= LARGEST_SINGLE)

    def _multiply(self, dtype: Any) -> None:
        """Make the products of any two columns, in the precision that Hessians are to have."""
        ends = np.cumsum(np.arange(len(self.X) + 1))
        self.products = np.empty((ends[-1], self.X.shape[1]), dtype)
        for j, (start, end) in enumerate(pairwise(ends)):
            out = self.products[start:end]
            np.multiply(self.X[: j + 1], self.X[j], out=out, casting="same_kind")

    def solve(self, lanes: int, tol: float, max_iter: int, start: Start) -> np.ndarray:
        """Solve the problems of the chains in so many lanes.

        Returns
        -------
        ndarray of shape (n_problems, d + 3)
            Weights, intercept, relative gap and number of iterations of each.
        """
        solved = np.empty((len(start[0]), len(self.X) + 2))
        enough = max(ENOUGH * tol, min(tol, FINE))
        busy = self._open(lanes, start)
        while busy:
            losses, Q, systems = self._look()
            G, fate = np.empty_like(Q), np.empty(len(losses), np.int8)
            lane = losses, Q, self.W, self.state, self.places, self.scales, self.problems
            ends = self.penalty, self.radius, enough, max_iter, SOUND[systems.dtype.name]
            busy = judge(*lane, *ends, systems, G, fate, solved)
            self._shorten(np.flatnonzero(fate == TOO_FAR), G)
            self._step(systems, G, fate == MOVES)
            if busy < len(fate):
                busy += self._load(start)
                self._compact(busy)
        return solved

    def _open(self, lanes: int, start: Start) -> int:
        """Make lanes and give them chains; return how many."""
        self.waiting = 0  # number of the next chain
        self.W, self.S = np.zeros((2, len(self.X), lanes))
        self.state, self.places = np.zeros((4, lanes)), np.zeros((3, lanes), np.intp)
        self.cost_fn, self.cost_fp = np.zeros((2, lanes))
        self.class_costs = np.zeros((len(self.costs), lanes))
        self.pos = np.zeros((self.X.shape[1], lanes), np.int8)
        return self._load(start)

    def _load(self, start: Start) -> int:
        """Give idle lanes the next chains, from their first problems' weights; return how many."""
        lanes = np.flatnonzero(self.state[0] == 0.0)[: len(self.labels) - self.waiting]
        if not len(lanes):
            return 0
        chain = np.arange(self.waiting, self.waiting + len(lanes))
        self.waiting += len(lanes)
        self.places[:, lanes], self.state[:, lanes] = 0, 0.0
        self.places[0, lanes] = chain
        self.state[0, lanes], self.state[1, lanes] = self.scales[chain, 0], np.inf
        ratio = self.ratios[chain]
        self.cost_fn[lanes] = np.where(ratio < np.inf, ratio, 1.0)
        self.cost_fp[lanes] = ratio < np.inf
        self.class_costs[:, lanes] = self.costs[:, chain]
        self.pos[:, lanes] = self.Y[:, self.labels[chain]]
        first = self.problems[chain, 0]
        self.W[:-1, lanes], self.W[-1, lanes] = start[0][first].T, start[1][first] * self.free
        return len(lanes)

    def _look(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return losses, their gradients and packed Hessians at the weights, all of scale 1.

        Below the Hessians there is room for the right-hand sides of Newton's steps.
        """
        (weight, classes), lanes = self.weights.of_rows, self.W.shape[1]
        n_products, dtype = len(self.products), self.products.dtype

        def derive(part: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            V = self.X[:, part].T @ self.W
            R, D, losses = np.empty_like(V), np.empty_like(V, dtype), np.empty(lanes)
            costs = self.cost_fn, self.cost_fp, weight[part], classes[part], self.class_costs
            self.loss.derivatives(V, self.pos[part], *costs, R, D, losses)
            systems = np.zeros((n_products + len(self.X), lanes), dtype)
            np.dot(self.products[:, part], D, out=systems[:n_products])
            return losses, np.dot(self.X[:, part], R), systems

        losses, gradients, hessians = zip(*crew.share(derive, self.parts), strict=True)
        return sum_in_order(losses), sum_in_order(gradients), sum_in_order(hessians)

    def _shorten(self, lanes: np.ndarray, G: np.ndarray) -> None:
        """Take back a part of the steps that were too long.

        Where the objective rises, the secant of its derivative points back to the minimum.
        """
        if not len(lanes):
            return
        S, slope, length = self.S[:, lanes], self.state[2, lanes], self.state[3, lanes]
        fall = np.einsum("jp,jp->p", S, G[:, lanes])
        shorter = length * np.clip(slope / np.minimum(slope + fall, slope), 0.1, 0.7)
        self.W[:, lanes] += (length - shorter) * S
        self.state[3, lanes] = shorter
        self.places[2, lanes] += 1

    def _step(self, systems: np.ndarray, G: np.ndarray, moving: np.ndarray) -> None:
        """Take Newton's steps, unless single precision does not lead down: then it is given up."""
        steps = np.empty_like(G)
        solve_packed(systems, steps)
        falls = np.where(moving, np.einsum("jp,jp->p", steps, G), 0.0)
        if systems.dtype == np.float32:
            well = bool((falls >= 0.0).all())
            if not well or self.places[2].max() > SINGLE_ITERATIONS:
                self._multiply(np.float64)
            if not well:
                return
        self.W -= steps
        self.state[2] -= falls
        np.copyto(self.S, steps, where=moving)

    def _compact(self, busy: int) -> None:
        """Drop idle lanes, if there are enough of them."""
        p = lanes_left(len(self.pos[0]), busy)
        if p < len(self.pos[0]):
            lanes = np.argsort(self.state[0] == 0.0, kind="stable")[:p]
            for name in self.OF_LANES:
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
    lanes, most = full_registers(min(len(chains), MOST_LANES)), min(max_iter, ITERATIONS)
    own = np.take(start[0], columns, axis=1), start[1]
    solved = batch.solve(lanes, tol, most, own)
    problems = np.concatenate([chain.problems for chain in chains])
    fit.optimality[problems], fit.n_iter[problems] = solved[problems, -2:].T
    known = problems[np.isfinite(fit.optimality[problems])]
    fit.coef[known[:, None], columns], fit.intercept[known] = solved[known, :-3], solved[known, -3]
