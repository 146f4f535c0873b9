"""Softmax problems side by side: the state that the steps of their solver move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pseudolinear.learners.solvers._chains import IDLE, Chain
from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign, aligned
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import extrapolate, total_gradient
from pseudolinear.loops._softmax import FLOOR, evaluate

FAR = 1e300  # how far below the others the score of a class is that a problem does not know
VANISHED = 1e-15  # share of the costs below which a class is not known: no probability is so small
SLOTS = ("scale", "bound", "spread_of_scores", "position", "iterations", "alive")
LANES = ("b", "present", "totals")
# weights, last solution, step, direction, gradient, gradient of the loss at scale 1
FEATURES = ("W", "W_old", "S", "U", "G", "Q")
# X W, X W_old, X S, X U, first derivatives of the loss at scale 1, what `curve` finds, spare buffer
ROWS = ("V", "V_old", "XS", "XU", "R", "D", "P", "spare")


class SoftmaxBatch:
    """A batch of slots; slot m works on problem ``position[m]`` of ``chains[m]``, in K lanes.

    The objective of a slot is ``|W|^2 / 2 + ridge * |b|^2 / 2 + scale * sum_i c_i loss_i``, with
    c_i the weight of the row times the chain's cost of its class. A class without costs has no
    finite intercept, so that free ones leave it out: it is not ``present``.

    Parameters
    ----------
    design : DenseDesign or SparseDesign
    codes, weight : ndarray of shape (n,)
        Class and weight of each row.
    free, ridge : whether there are intercepts, and their regularisation
    n_classes, slots : number of classes, and of problems side by side
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
    P: np.ndarray
    spare: np.ndarray
    # largest difference of two scores of a row; then, filled by ``measure``: |W|^2, derivatives by
    # the intercepts, objective, relative optimality
    spread_of_scores: np.ndarray
    norm2: np.ndarray
    gb: np.ndarray
    objective: np.ndarray
    optimality: np.ndarray

    def __init__(
        self,
        design: DenseDesign | SparseDesign,
        codes: np.ndarray,
        weight: np.ndarray,
        free: bool,
        ridge: float,
        n_classes: int,
        slots: int,
    ):
        (n, d), lanes = design.shape, slots * n_classes
        self.design, self.codes, self.weight = design, codes, weight
        self.free, self.ridge, self.n_classes = free, ridge, n_classes
        self.weight_of_class = np.bincount(codes, weight, n_classes)
        self.chains = [IDLE] * slots
        self.scale, self.bound, self.spread_of_scores = np.zeros((3, slots))
        self.position, self.iterations = np.zeros((2, slots), np.int64)
        self.alive = np.zeros(slots, bool)
        self.class_costs, self.sums = np.zeros((n_classes, slots)), np.zeros((2, slots))
        self.b, self.present, self.totals = np.zeros((3, lanes))
        for names, length in ((FEATURES, d), (ROWS, n)):
            for name in names:
                setattr(self, name, aligned((length, lanes)))
                getattr(self, name)[:] = 0.0

    def lanes(self, slots: np.ndarray) -> np.ndarray:
        """Return the lanes of slots."""
        return (slots[:, None] * self.n_classes + np.arange(self.n_classes)).ravel()

    def spread(self, by_slot: np.ndarray) -> np.ndarray:
        """Repeat what belongs to slots for each of their lanes."""
        return np.repeat(by_slot, self.n_classes, axis=-1)

    def by_class(self, of_lanes: np.ndarray) -> np.ndarray:
        """Return what belongs to lanes as an array with the slots and their classes as axes."""
        return of_lanes.reshape(*of_lanes.shape[:-1], -1, self.n_classes)

    def by_slot(self, of_lanes: np.ndarray) -> np.ndarray:
        """Add up the lanes of every slot."""
        return self.by_class(of_lanes).sum(axis=-1)

    @property
    def known_b(self) -> np.ndarray:
        """The intercepts of the classes that the problems know, else 0."""
        return np.where(self.present > 0.0, self.b, 0.0)

    def load(
        self,
        slots: np.ndarray,
        chains: Sequence[Chain],
        start: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        """Start chains in idle slots, from given weights and intercepts by problem and class.

        Without any, from W = 0 and the best constant scores.
        """
        lanes = self.lanes(slots)
        for A in (self.W, self.W_old, self.S, self.V, self.V_old, self.XS):
            A[:, lanes] = 0.0
        self.position[slots] = self.iterations[slots] = self.bound[slots] = 0
        self.alive[slots] = True
        for m, chain in zip(slots, chains, strict=True):
            own = slice(m * self.n_classes, (m + 1) * self.n_classes)
            self.chains[m], self.scale[m] = chain, chain.scales[0]
            cost = chain.class_costs * self.weight_of_class
            known = np.ones(len(cost), bool)
            if self.free and self.ridge == 0.0:
                known = cost > VANISHED * cost.sum()
            self.class_costs[:, m], self.present[own] = chain.class_costs * known, known
            b = constant_scores(cost)
            if start is not None:
                given = chain.problems[0] * self.n_classes + np.arange(self.n_classes)
                self.W[:, own], b = start[0][given].T * known, start[1][given]
            self.b[own] = np.where(known, self.free * b, -FAR)
        if start is not None:
            self.design.times(self.W, self.V)
        self.look(np.zeros(len(self.alive)))
        self.design.transpose_times(self.R, self.Q)

    def look(self, tau: np.ndarray) -> None:
        """Evaluate the loss at ``V + tau * XS``, which goes to the spare buffer, and b."""
        evaluate(
            self.V, self.XS, self.spread(tau), self.b, self.present, self.codes, self.weight,
            self.class_costs, self.spare, self.R, self.sums, self.spread_of_scores, self.totals,
        )  # fmt: skip

    def curve(self) -> None:
        """Find D and P: by the scores of a row the loss has the Hessian diag(D) - P P'."""
        cost = self.weight[:, None] * self.class_costs[self.codes]
        self.D[:] = self.R
        self.by_class(self.D)[np.arange(len(cost)), :, self.codes] += cost
        root = np.where(cost > TINY, 1.0 / np.sqrt(np.maximum(cost, TINY)), 0.0)
        np.multiply(self.by_class(self.D), root[:, :, None], out=self.by_class(self.P))

    def measure(self) -> None:
        r"""Find objective, gradient and relative optimality of every slot.

        The dual variables of a row are a distribution q over the classes, the dual objective is

        .. math:: s \sum_i c_i H(q_i) - \tfrac12 |s \sum_i c_i x_i (q_i - e_{y_i})|^2

        with the entropy H, and free intercepts ask that no class gets more or less than its own
        costs, :math:`\sum_i c_i (q_i - e_{y_i}) = 0`. At the probabilities of the model the duality
        gap is half the squared norm of the gradient in W, but for that condition. What a class has
        too much, derivatives g by the intercepts, is taken from its probabilities in proportion
        and given to the classes that have too little: these changes add up to |g|_1 / 2, move
        the gradient by at most |g|_1 / sqrt(2) times the largest norm of a row, and cost at most
        |g|_1 / 2 (1 + log(1 + 1 / q)), where no probability q is below exp(-spread) / K, with the
        largest difference of two scores of a row.
        """
        norms = np.empty((2, len(self.b)))
        total_gradient(self.W, self.Q, self.spread(self.scale), self.G, norms)
        self.norm2, square = self.by_slot(norms)
        b = self.known_b
        self.gb = self.free * (self.spread(self.scale) * self.totals + self.ridge * b)
        penalty = 0.5 * (self.norm2 + self.ridge * self.by_slot(b**2))
        self.objective = penalty + self.scale * self.sums[0]
        if self.ridge > 0.0:
            gap = 0.5 * (square + self.by_slot(self.gb**2) / self.ridge)
        else:
            wrong = self.by_slot(np.abs(self.gb))
            gap = 0.5 * (np.sqrt(square) + self.design.radius * wrong / np.sqrt(2.0)) ** 2
            gap += 0.5 * wrong * (2.0 + self.spread_of_scores + np.log(self.n_classes))
        self.bound = np.maximum(self.bound, self.objective - gap)
        gap = np.maximum(self.objective - self.bound, 0.0)
        self.optimality = gap / np.maximum(self.objective, TINY)

    def advance(self, done: np.ndarray) -> None:
        """Let the slots ``done`` (a mask) start on the next problems of their chains.

        Their first step may go along the difference of the last two solutions (extrapolation).
        """
        lanes = self.spread(done)
        extrapolate(lanes, self.W, self.W_old, self.S)
        extrapolate(lanes, self.V, self.V_old, self.XS)
        self.position[done] += 1
        self.iterations[done] = self.bound[done] = 0
        for m in np.flatnonzero(done):
            scales = self.chains[m].scales
            self.alive[m] = self.position[m] < len(scales)
            self.scale[m] = scales[self.position[m]] if self.alive[m] else 0.0

    def compact(self) -> None:
        """Drop idle slots, unless all are."""
        slots = np.flatnonzero(self.alive)
        if len(slots) in (0, len(self.alive)):
            return
        lanes = self.lanes(slots)
        self.chains = [self.chains[m] for m in slots]
        for names, kept in ((SLOTS, slots), (LANES, lanes)):
            for name in names:
                setattr(self, name, getattr(self, name)[kept])
        self.class_costs = np.ascontiguousarray(self.class_costs[:, slots])
        self.sums = np.ascontiguousarray(self.sums[:, slots])
        for name in (*FEATURES, *ROWS):
            old = getattr(self, name)
            setattr(self, name, np.take(old, lanes, axis=1, out=aligned((len(old), len(lanes)))))


def constant_scores(cost: np.ndarray) -> np.ndarray:
    """Return the scores that minimise the loss where rows have no features, from total costs."""
    share = cost / np.maximum(cost.max(axis=-1, keepdims=True), TINY)
    return np.maximum(np.log(np.maximum(share, TINY)), -FLOOR)
