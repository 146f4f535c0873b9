"""Descent: all lanes at once, by passes over rows that no memory holds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pseudolinear.learners.solvers import Fit
from pseudolinear.loops._constants import TINY
from pseudolinear.scale._curvature import Curvature
from pseudolinear.scale._diary import Diary
from pseudolinear.scale._lanes import Lanes
from pseudolinear.scale._slopes import Slopes

STATE = ("left", "length", "scale", "point", "value", "gradient", "gap")  # of every lane

Pass = Callable[[NDArray[np.float64], NDArray[np.float64], Lanes], Slopes]

DESCENT = 1e-4  # least descent of a step, in units of what its slope promises
ROUNDING = 1e-12  # rises below it, relative to the objective, are none
PAIRS = 8  # steps that are remembered, or fewer where columns are many:
PAIR_NUMBERS = 1 << 26  # numbers that all of them take


class Descent:
    """The limited-memory quasi-Newton method of Nocedal (1980), for many lanes side by side.

    One pass over all rows evaluates every lane at a point of its own. A lane whose objective fell
    goes on from there, with the Hessian of a sample as the first guess and what the last steps have
    shown of it; another one tries a shorter step in the next pass. The duality gap needs no further
    pass: it is half the squared norm of the gradient where the intercept is optimal, see
    :func:`~pseudolinear.learners.solvers._certificates.measure`.

    Parameters
    ----------
    run : callable
        A pass: weights, intercepts and lanes to their slopes.
    lanes : Lanes
        The problems.
    curvature : Curvature
        The first guess of the Hessians.
    free : bool
        Whether there is an intercept.
    ridge : float
        Its regularisation.
    radius : float
        Largest norm of a row.
    diary : Diary or None
        Where the state is kept after every pass.
    """

    def __init__(
        self,
        run: Pass,
        lanes: Lanes,
        curvature: Curvature,
        *,
        free: bool,
        ridge: float,
        radius: float,
        diary: Diary | None = None,
    ) -> None:
        self.run, self.lanes, self.curvature = run, lanes, curvature
        self.free, self.ridge, self.radius = free, ridge, radius
        self.diary = diary

    def solve(
        self,
        weights: NDArray[np.float64],
        intercepts: NDArray[np.float64],
        *,
        tol: float,
        max_iter: int,
    ) -> Fit:
        """Descend from given points.

        Parameters
        ----------
        weights : ndarray of shape (n_columns, n_lanes)
            Where to start.
        intercepts : ndarray of shape (n_lanes,)
            Where to start.
        tol : float
            Relative duality gap at which a lane is left.
        max_iter : int
            Largest number of passes.

        Returns
        -------
        Fit
            Of all lanes.
        """
        n_columns, p = weights.shape
        self.fit = Fit(np.zeros((p, n_columns)), np.zeros(p), np.zeros(p), np.zeros(p, np.int64))
        self.left, self.length, self.scale = np.arange(p), np.ones(p), np.ones(p)
        self.pairs: list[list[NDArray[np.float64]]] = []
        self.iteration = 1
        if not self.resume():
            self.point = np.vstack([weights, intercepts])
            self.value, self.gradient, self.gap = self._look(self.point)
        while self.iteration < max_iter:
            self._leave(self.gap <= tol)
            if not len(self.left):
                return self.fit
            self._advance()
            self.iteration += 1
            self.keep()
        self._leave(np.ones(len(self.left), bool))
        return self.fit

    def keep(self) -> None:
        """Keep the state after a pass, for a fit that is started again; see :meth:`resume`."""
        if self.diary is None:
            return
        pairs = {f"{i}-{j}": a for i, pair in enumerate(self.pairs) for j, a in enumerate(pair)}
        state = {name: getattr(self, name) for name in STATE}
        fit = {f"fit-{i}": column for i, column in enumerate(self.fit)}
        self.diary.write({**state, **pairs, **fit, "iteration": np.array(self.iteration)})

    def resume(self) -> bool:
        """Go on after the last pass that was kept, if there is one."""
        state = None if self.diary is None else self.diary.read()
        if state is None:
            return False
        for name in STATE:
            setattr(self, name, state[name])
        n_pairs = sum(name.endswith("-2") for name in state if not name.startswith("fit"))
        self.pairs = [[state[f"{i}-{j}"] for j in range(3)] for i in range(n_pairs)]
        self.fit = Fit(*(state[f"fit-{i}"] for i in range(len(self.fit))))
        self.iteration = int(state["iteration"])
        self.lanes = self.lanes[self.left]
        self.curvature.keep(self.left)
        return True

    def _advance(self) -> None:
        """Let every lane try a step; where that is too long, it stays, and tries a shorter one."""
        step, slope = self._step()
        trial = self.point + self.length * step
        value, gradient, gap = self._look(trial)
        rise = value - self.value
        high = rise > DESCENT * self.length * slope + ROUNDING * np.abs(self.value)
        self._remember(~high, self.length * step, gradient - self.gradient)
        # the parabola through both values and the slope has its minimum here
        bow = np.maximum(2 * (rise - self.length * slope), TINY)
        shorter = self.length * np.clip(-self.length * slope / bow, 0.1, 0.5)
        self.length = np.where(high, shorter, 1.0)
        self.point = np.where(high, self.point, trial)
        self.gradient = np.where(high, self.gradient, gradient)
        self.value, self.gap = np.where(high, self.value, value), np.where(high, self.gap, gap)

    def _leave(self, done: NDArray[np.bool_]) -> None:
        """Record lanes that are done, and go on without them."""
        if not done.any():
            return
        lanes, fit = self.left[done], self.fit
        fit.coef[lanes], fit.intercept[lanes] = self.point[:-1, done].T, self.point[-1, done]
        fit.optimality[lanes], fit.n_iter[lanes] = self.gap[done], self.iteration
        keep = np.flatnonzero(~done)
        for name in STATE:
            setattr(self, name, getattr(self, name)[..., keep])
        self.pairs = [[array[..., keep] for array in pair] for pair in self.pairs]
        self.lanes = self.lanes[keep]
        self.curvature.keep(keep)

    def _look(self, point: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Return objectives, gradients and relative gaps at points."""
        W, b = np.ascontiguousarray(point[:-1]), np.ascontiguousarray(point[-1])
        seen, C = self.run(W, b, self.lanes), self.lanes.C
        loss, first, second = C * seen.sums
        by_intercept = self.free * (first + self.ridge * b)
        bend = np.maximum(second + self.ridge, TINY)
        value = 0.5 * (_products(W, W) + self.ridge * b**2) + loss
        by_weight = W + C * seen.by_weight
        norm = np.sqrt(_products(by_weight, by_weight))
        gap = 0.5 * (norm + self.radius * np.abs(by_intercept)) ** 2 + by_intercept**2 / bend
        return value, np.vstack([by_weight, by_intercept]), gap / np.maximum(value, TINY)

    def _step(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return steps by the two loops over the pairs, and their slopes."""
        q, factors = self.gradient.copy(), []
        for moved, change, rate in reversed(self.pairs):
            factors.append(rate * _products(moved, q))
            q -= factors[-1] * change
        q = self.scale * self.curvature.solve(q)
        q[-1] *= self.free
        for (moved, change, rate), factor in zip(self.pairs, reversed(factors), strict=True):
            q += (factor - rate * _products(change, q)) * moved
        return -q, -_products(self.gradient, q)

    def _remember(
        self, went: NDArray[np.bool_], moved: NDArray[np.float64], change: NDArray[np.float64]
    ) -> None:
        """Add the steps just made; a rate of 0 leaves a lane out of a pair."""
        product = _products(moved, change)
        bent = went & (product > 1e-12 * _products(change, change)) & (product > TINY)
        rate = np.where(bent, 1.0 / np.where(bent, product, 1.0), 0.0)
        # what the sample takes for curved may be flat, and the other way round
        flat = np.maximum(_products(change, self.curvature.solve(change)), TINY)
        self.scale = np.where(bent, product / flat, self.scale)
        most = int(np.clip(PAIR_NUMBERS // (2 * moved.size), 2, PAIRS))
        self.pairs = [*self.pairs, [moved, change, rate]][-most:]


def _products(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inner product of every lane."""
    return np.einsum("ij,ij->j", a, b)
