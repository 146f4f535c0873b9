"""Problems between two solved ones, solved by a mixture of the two where a bound certifies it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pseudolinear.learners.solvers._design import DenseDesign, SparseDesign, aligned
from pseudolinear.learners.solvers._order import Fit
from pseudolinear.learners.solvers._row_weights import RowWeights
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._mixtures import balance, sums_of_classes

if TYPE_CHECKING:
    from pseudolinear.learners.losses import SmoothLoss

SPAN = 0.85  # largest distance of the ends of a bracket, in logarithms of the ratio of costs
NUMBERS = 1 << 22  # rows or features x ends that are looked at together
PART = 1 << 16  # and of inner problems
EXACT = 1e-2  # share of the tolerance that the best mixture may miss


class Bracket(NamedTuple):
    """Problems with ratios of costs between those of two others, ascending; all of one C."""

    low: int
    high: int
    inner: np.ndarray


def make_brackets(groups: np.ndarray, ratio: np.ndarray) -> list[Bracket]:
    """Cut the problems of each group, sorted by the ratio of costs, into brackets.

    Parameters
    ----------
    groups : ndarray of shape (p,)
        Problems of equal numbers differ in the ratio alone; negative ones stay out.
    ratio : ndarray of shape (p,)
        Logarithm of the ratio of costs.
    """
    order = np.lexsort((ratio, groups))
    order = order[groups[order] >= 0]
    brackets = []
    for column in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        low = 0
        while low < len(column) - 1:
            reach = np.searchsorted(ratio[column], ratio[column[low]] + SPAN, side="right") - 1
            high = max(int(reach), low + 1)
            if high > low + 1:
                inner = column[low + 1 : high]
                brackets.append(Bracket(int(column[low]), int(column[high]), inner))
            low = high
    return brackets


class Between:
    """Tries mixtures of the solutions at the ends of brackets.

    Solutions change little from one ratio of costs to the next, and the error of a mixture is of
    second order in their distance, its duality gap of fourth.  A mixture of weights needs no
    product with the rows, since scores mix as weights do; the best one, with its own intercept, is
    a problem in three variables.  A mixture of dual points is a dual point again, if none of the
    bounds that its loss and costs imply is exceeded, and states the duality gap.

    Parameters
    ----------
    design : DenseDesign or SparseDesign
    columns : ndarray
        Columns of ``fit.coef`` that the design has.
    Y : ndarray of shape (n, L)
    weights : RowWeights
    loss : SmoothLoss
    labels, above, below : ndarray of shape (p,)
        Label of each problem, and what its errors cost, by class, times C.
    class_costs : ndarray of shape (p, n_classes)
    free, ridge : whether there is an intercept, and its regularisation
    tol : relative duality gap wanted
    """

    def __init__(
        self,
        design: DenseDesign | SparseDesign,
        columns: np.ndarray,
        Y: np.ndarray,
        weights: RowWeights,
        loss: SmoothLoss,
        labels: np.ndarray,
        above: np.ndarray,
        below: np.ndarray,
        class_costs: np.ndarray,
        free: bool,
        ridge: float,
        tol: float,
    ) -> None:
        self.design, self.columns, self.Y, self.weights = design, columns, Y, weights
        self.loss, self.labels, self.above, self.below = loss, labels, above, below
        self.class_costs, self.free, self.ridge, self.tol = class_costs, free, ridge, tol

    def fill(self, brackets: Sequence[Bracket], fit: Fit) -> None:
        """Write the best mixtures for the inner problems, and their gaps, into ``fit``."""
        size = max(NUMBERS // max(self.design.shape), 2)
        for some in _portions(brackets, size):
            ends = np.unique([(bracket.low, bracket.high) for bracket in some])
            place = {int(end): k for k, end in enumerate(ends)}
            state = self._ends(ends, fit)
            inner = np.concatenate([bracket.inner for bracket in some])
            each = [len(bracket.inner) for bracket in some]
            of_brackets = [(place[bracket.low], place[bracket.high]) for bracket in some]
            pairs = np.repeat(np.array(of_brackets), each, axis=0)
            step = max(PART // max(self.design.shape), 1)
            for first in range(0, len(inner), step):
                part = slice(first, first + step)
                self._mix(inner[part], pairs[part], ends, state, fit)

    def _ends(self, ends: np.ndarray, fit: Fit) -> _Ends:
        """Find scores and dual points of solved problems; the latter's classes get equal sums."""
        n, d = self.design.shape
        u = len(ends)
        W = np.ascontiguousarray(fit.coef[ends][:, self.columns].T)
        Z = self.design.times(W, aligned((n, u))) if W.any() else np.zeros((n, u))
        R, sums = aligned((n, u)), np.empty((4, u))
        pos = np.ascontiguousarray(self.Y[:, self.labels[ends]])
        costs = self.above[ends], self.below[ends], *self.weights.of_rows
        class_costs = np.ascontiguousarray(self.class_costs[ends].T)
        self.loss.evaluate(
            Z,
            Z,
            np.zeros(u),
            fit.intercept[ends],
            pos,
            *costs,
            class_costs,
            aligned((n, u)),
            R,
            sums,
        )
        up, down, duals = np.ones(u), np.ones(u), np.empty((u, n))
        if self.free and self.ridge == 0.0:
            plus, minus = np.empty((2, u))
            sums_of_classes(R, plus, minus)
            least = np.minimum(plus, minus)
            up, down = least / np.maximum(plus, TINY), least / np.maximum(minus, TINY)
        balance(R, up, down, duals)
        V = self.design.transpose_times(R, aligned((d, u)))
        scores, positive = (np.ascontiguousarray(A.T) for A in (Z, pos))
        return _Ends(positive, scores, duals, W.T @ W, V.T @ V, R.sum(axis=0))

    def _mix(
        self, inner: np.ndarray, pairs: np.ndarray, ends: np.ndarray, state: _Ends, fit: Fit
    ) -> None:
        """Write the best mixtures of pairs of ends for some problems, and their gaps."""
        low, high = pairs.T
        positive, costs = state.positive[low], self._costs(inner, state.positive[low])
        # the shares of the ends' costs that add up to those of this problem
        (A, C), (B, D) = self.above[ends[pairs]].T, self.below[ends[pairs]].T
        a, b = self.above[inner], self.below[inner]
        share = np.stack([a * D - b * C, b * A - a * B], axis=1) / (A * D - C * B)[:, None]
        dual = state.dual_squares[pairs[:, :, None], pairs[:, None, :]]
        if self.free and self.ridge > 0.0:
            sums = state.dual_sums[pairs]
            dual = dual + sums[:, :, None] * sums[:, None, :] / self.ridge
        x, Q = np.empty((len(inner), 3)), np.zeros((len(inner), 3, 3))
        x[:, :2] = share / share.sum(axis=1, keepdims=True)
        x[:, 2] = (x[:, :2] * fit.intercept[ends[pairs]]).sum(axis=1)
        Q[:, :2, :2] = state.squares[pairs[:, :, None], pairs[:, None, :]]
        Q[:, 2, 2] = self.ridge
        last = self.free, EXACT * self.tol
        values = np.array([
            self.loss.lowest_mixture(state.scores[i], state.scores[j], *own, *last)
            for i, j, *own in zip(low, high, x, positive, costs, Q, strict=True)
        ])  # fmt: skip
        bounds = self.loss.mixture_bounds(state.duals[low], state.duals[high], costs, share, dual)
        fit.coef[inner] = x[:, :1] * fit.coef[ends[low]] + x[:, 1:2] * fit.coef[ends[high]]
        fit.intercept[inner] = x[:, 2]
        fit.optimality[inner] = np.maximum(values - bounds, 0.0) / np.maximum(values, TINY)

    def _costs(self, problems: np.ndarray, positive: np.ndarray) -> np.ndarray:
        """Return the costs of the rows in some problems, times C."""
        weight, classes = self.weights.of_rows
        above, below = self.above[problems, None], self.below[problems, None]
        of_classes = self.class_costs[problems]
        each = of_classes[:, classes] if self.weights.n_classes > 1 else of_classes
        return np.where(positive, above, below) * weight * each


class _Ends(NamedTuple):
    """Of the ends of brackets: rows of the label, scores, dual points, and inner products.

    The latter are those of the weights and of the sums of rows by the signed dual points, which
    themselves sum to ``dual_sums``.
    """

    positive: np.ndarray
    scores: np.ndarray
    duals: np.ndarray
    squares: np.ndarray
    dual_squares: np.ndarray
    dual_sums: np.ndarray


def _portions(brackets: Sequence[Bracket], size: int) -> Iterator[list[Bracket]]:
    """Yield brackets in portions of about ``size`` ends."""
    step = max(size // 2, 1)
    for first in range(0, len(brackets), step):
        yield list(brackets[first : first + step])
