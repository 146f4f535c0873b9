"""PathFollower: from one solution of a support vector machine to the next as the costs move."""

from __future__ import annotations

import warnings
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

EVENTS_PER_ROW = 100  # a path with more events than this is given up; one to five are usual
SVC_STEPS = 100_000
ROUNDING = 1e-12  # of sums over all rows; also a ridge, so that equal rows have one solution
ZERO, MARGIN, BOUND = -1, 0, 1  # where a dual variable is: at 0, between, at its cost


class Breakpoint(NamedTuple):
    """The solution at one position of the path.

    Attributes
    ----------
    tau : float
        Position, from 0 to 1.
    alpha : ndarray of shape (n_samples,)
        Dual variables.
    intercept : float
        Intercept.
    violation : float
        Largest violation of the conditions of optimality, in units of the margin.
    """

    tau: float
    alpha: NDArray[np.float64]
    intercept: float
    violation: float


class PathFollower:
    """A solution of the dual, which is moved along lines of costs and of margins.

    `size` bounds the Gram matrix, for what counts as rounding. The slope
    ``Q @ alpha + signs * intercept - margins`` is zero for rows on the margin, at
    least zero for rows with alpha = 0, and at most zero for rows with alpha at its cost.
    """

    def __init__(
        self,
        gram: NDArray[np.float64],
        size: float,
        signs: NDArray[np.float64],
        alpha: NDArray[np.float64],
        intercept: float,
        where: NDArray[np.int8],
    ) -> None:
        self.Q, self.size, self.signs = signs[:, None] * gram * signs, size, signs
        self.Q.flat[:: len(signs) + 1] += ROUNDING * size
        self.alpha, self.intercept, self.where = alpha, intercept, where
        self.margins = np.ones_like(signs)

    @classmethod
    def from_svc(
        cls,
        gram: NDArray[np.float64],
        size: float,
        signs: NDArray[np.float64],
        cost: NDArray[np.float64],
    ) -> Self:
        """Start from scikit-learn's solution.

        Near enough or not, that is the exact solution for other margins than one; following these
        back to one makes it exact.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            svc = SVC(kernel="precomputed", max_iter=SVC_STEPS)
            svc.fit(gram, signs, sample_weight=cost)
        alpha = np.zeros_like(signs)
        alpha[svc.support_] = np.abs(svc.dual_coef_[0])
        near = 1e-9 * cost
        where = np.where(alpha <= near, ZERO, np.where(alpha >= cost - near, BOUND, MARGIN))
        alpha = np.where(where == ZERO, 0.0, np.where(where == BOUND, cost, alpha))
        self = cls(gram, size, signs, alpha, float(svc.intercept_[0]), where.astype(np.int8))
        slope = self.slope()
        wrong = np.where(where * slope > 0, slope, 0.0)
        wrong = np.where(where == MARGIN, slope, wrong)
        self.margins = 1.0 + wrong
        self.follow(cost, np.zeros_like(cost), -wrong)
        return self

    def slope(self) -> NDArray[np.float64]:
        """Return the derivative of the dual by each variable."""
        return self.Q @ self.alpha + self.signs * self.intercept - self.margins

    def follow(
        self,
        cost: NDArray[np.float64],
        dcost: NDArray[np.float64],
        dmargins: NDArray[np.float64],
    ) -> list[Breakpoint]:
        """Move the costs and margins along their line; return the breakpoints, ends included."""
        tau, first = 0.0, cost
        excess = float(self.signs @ self.alpha)  # rounding, made up for on the way
        path = [self._breakpoint(tau)]
        for _ in range(EVENTS_PER_ROW * len(cost)):
            if not (self.where == MARGIN).any():
                self._jump(dcost, excess)
                path.append(self._breakpoint(tau))
            dalpha, dintercept = self._direction(dcost, dmargins, excess)
            step, row, to = self._next_event(cost, dcost, dalpha, dintercept, dmargins)
            step = min(step, 1.0 - tau)
            tau += step
            ended = tau >= 1.0
            cost = first + tau * dcost
            self.alpha = self.alpha + step * dalpha
            self.intercept += step * dintercept
            self.margins = self.margins + step * dmargins
            if not ended:
                self.where[row] = to
            self.alpha = np.where(self.where == BOUND, cost, self.alpha)
            self.alpha[self.where == ZERO] = 0.0
            if step > 0:
                path.append(self._breakpoint(tau))
            if ended:
                return path
        raise ValueError(
            f"The cost path has more than {EVENTS_PER_ROW} events per row and was given up at "
            f"tau = {tau:g}; the Gram matrix may not be positive semidefinite."
        )

    def _breakpoint(self, tau: float) -> Breakpoint:
        slope = self.slope()
        violation = np.where(self.where == MARGIN, np.abs(slope), self.where * slope).max()
        return Breakpoint(tau, self.alpha, self.intercept, max(float(violation), 0.0))

    def _jump(self, dcost: NDArray[np.float64], excess: float) -> None:
        """Without rows on the margin, move the intercept until one gets there.

        Which way is decided by the balance of the two classes, which only that row can restore.
        """
        pull = self.signs @ np.where(self.where == BOUND, dcost, 0.0) + excess
        distance = -self.signs * self.slope()
        up = self.where * self.signs > 0
        if pull > 0 or (pull == 0 and up.any()):
            row = np.flatnonzero(up)[np.argmin(distance[up])]
        else:
            row = np.flatnonzero(~up)[np.argmax(distance[~up])]
        self.intercept += distance[row]
        self.where[row] = MARGIN

    def _direction(
        self, dcost: NDArray[np.float64], dmargins: NDArray[np.float64], excess: float
    ) -> tuple[NDArray[np.float64], float]:
        """Solve for the rates that keep the rows of the margin there, and the classes balanced."""
        margin = np.flatnonzero(self.where == MARGIN)
        dalpha = np.where(self.where == BOUND, dcost, 0.0)
        signs, m = self.signs[margin], margin.size
        system = np.zeros((m + 1, m + 1))
        system[:m, :m] = self.Q[np.ix_(margin, margin)]
        system[:m, m] = system[m, :m] = signs
        right = np.append(dmargins[margin] - self.Q[margin] @ dalpha, -excess - self.signs @ dalpha)
        rates = np.linalg.solve(system, right)
        dalpha[margin] = rates[:m]
        return dalpha, float(rates[m])

    def _next_event(
        self,
        cost: NDArray[np.float64],
        dcost: NDArray[np.float64],
        dalpha: NDArray[np.float64],
        dintercept: float,
        dmargins: NDArray[np.float64],
    ) -> tuple[float, int, int]:
        """Return how far the direction holds, and which row goes where then.

        Of rows at one point the first is taken, Murty's rule against going in circles.
        """
        margin = self.where == MARGIN
        rate = self.Q @ dalpha + self.signs * dintercept - dmargins
        # A smaller rate is rounding, and does no harm however long it is left alone.
        small = ROUNDING * np.abs(dalpha).sum()
        to_zero = _steps(self.alpha, dalpha, margin, small)
        to_bound = _steps(cost - self.alpha, dcost - dalpha, margin, small)
        small *= self.size
        to_margin = _steps(-self.where * self.slope(), -self.where * rate, ~margin, small)
        steps = np.minimum(np.minimum(to_zero, to_bound), to_margin)
        row = int(np.argmax(steps <= steps.min() + 1e-14))
        if not margin[row]:
            return float(steps[row]), row, MARGIN
        return float(steps[row]), row, ZERO if to_zero[row] <= to_bound[row] else BOUND


def _steps(
    distance: NDArray[np.float64],
    rate: NDArray[np.float64],
    rows: NDArray[np.bool_],
    small: float,
) -> NDArray[np.float64]:
    """Return after which step each distance has shrunk to zero; infinite where it never does."""
    shrinks = rows & (rate < -small)
    return np.where(shrinks, np.maximum(distance, 0.0) / np.where(shrinks, -rate, 1.0), np.inf)
