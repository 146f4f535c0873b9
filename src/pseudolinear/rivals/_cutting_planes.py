"""CuttingPlanes: descent on the objective of SVMPerf, bounded from below by cuts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._validation import narrow_indices
from pseudolinear.rivals._cuts import Cuts
from pseudolinear.rivals._worst_errors import Errors

BOUND_SHARE = 0.01  # of the tolerance: how near to its minimum the bound is solved
LINE_STEPS = 30  # points tried on one line; six are usual
LINE_SHARE = 0.02  # of the gap: how near to its minimum a line is searched


class CuttingPlanes:
    """The best point so far, and the bound from below.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The rows.
    worst : callable
        Gives the errors that violate their margin most, from the scores of the rows.
    C : float
        Weight of the loss.
    scaling : float
        Value of the constant feature.

    Attributes
    ----------
    w : ndarray of shape (n_features + 1,)
        The best point so far; the last weight is that of the constant feature.
    end : ndarray of shape (n_features + 1,)
        The minimum of the bound.
    objective, start, bound : float
        The objective there, at the origin, and its lower bound.
    n_iter : int
        Number of rounds.
    """

    def __init__(
        self, X: Any, worst: Callable[[NDArray[np.float64]], Errors], C: float, scaling: float
    ) -> None:
        self.X, self.worst, self.C, self.scaling = narrow_indices(X), worst, C, scaling
        self.cuts = Cuts(X.shape[1] + 1, self.C, X.shape[0])
        self.w, self.scores = np.zeros(X.shape[1] + 1), np.zeros(X.shape[0])
        self.end = self.w
        self.errors = worst(self.scores)
        self.objective = self.start = self.C * self.errors.loss
        self.bound, self.n_iter = 0.0, 0

    @property
    def gap(self) -> float:
        """Distance of the objective from its bound, relative to the objective."""
        return float((self.objective - self.bound) / self.objective)

    def run(self, tol: float, max_iter: int) -> None:
        """Add cuts until the gap is closed."""
        new = [self.errors]
        while self.gap > tol and self.n_iter < max_iter:
            self.n_iter += 1
            for errors in new:
                slope = np.append(errors.signs @ self.X, self.scaling * errors.signs.sum())
                self.cuts.add(slope, errors.loss)
            self.end, bound = self.cuts.minimise(BOUND_SHARE * tol)
            self.bound = max(self.bound, bound)
            if self.gap > tol:
                new = self._search_line()

    def _search_line(self) -> list[Errors]:
        """Move to the minimum of the line to `end`; return the cuts on either side of it.

        On the line each set of errors gives a parabola, all of the same curvature. Of the one that
        still falls and the one that rises the larger is a lower bound; its minimum is tried next.
        """
        end = self.end
        dw, ds = end - self.w, self.X @ end[:-1] + self.scaling * end[-1] - self.scores
        square, slope, constant = float(dw @ dw), self.w @ dw, self.w @ self.w / 2

        def tangent(errors: Errors) -> NDArray[np.float64]:
            fall = errors.signs @ np.column_stack([self.scores, ds])
            return np.array([constant + self.C * (errors.loss - fall[0]), slope - self.C * fall[1]])

        at, errors, goal = 1.0, self.errors, LINE_SHARE * (self.objective - self.bound)
        left, right = (0.0, tangent(errors), errors), None
        best = (self.objective, 0.0, errors)
        for _ in range(LINE_STEPS):
            errors = self.worst(self.scores + at * ds)
            line = tangent(errors)
            value = line[0] + at * line[1] + at**2 * square / 2
            best = min(best, (value, at, errors), key=lambda point: point[0])
            if line[1] + at * square < 0:
                left = (at, line, errors)
            else:
                right = (at, line, errors)
            if right is None:
                at *= 2.0
                continue
            at = _lowest(left[1], right[1], square, left[0], right[0])
            low = max(left[1] @ (1.0, at), right[1] @ (1.0, at)) + at**2 * square / 2
            if best[0] - low <= goal:
                break
        self.objective, step, self.errors = float(best[0]), *best[1:]
        self.w, self.scores = self.w + step * dw, self.scores + step * ds
        return [left[2]] if right is None else [left[2], right[2]]


def _lowest(
    left: NDArray[np.float64], right: NDArray[np.float64], square: float, low: float, high: float
) -> float:
    """Minimise the larger of two lines plus a parabola between `low` and `high`."""
    steeper = right[1] - left[1]
    crossing = (left[0] - right[0]) / steeper if steeper > 0 else (low + high) / 2
    # The minimum of either parabola, unless the other one is above it there.
    at = min(max(crossing, -right[1] / square), -left[1] / square)
    return float(min(max(at, low), high))
