r"""Cost-sensitive support vector machines by an augmented Lagrangian semismooth Newton method.

The problem, with bounds :math:`u_i` = C x cost x sample weight,

.. math:: \min_{w, b} \tfrac12 |w|^2 + \sum_i u_i \max(0, r_i), \quad r_i = 1 - y_i (w x_i + b),

has the dual variables :math:`u_i p_i`, fractions :math:`0 \le p_i \le 1`. The method of multipliers
on the dual (a proximal point method, Rockafellar 1976; Li, Sun and Toh 2018 for its semismooth
Newton form) replaces the hinge by its Moreau envelope around the last fractions :math:`a`,

.. math:: \max_{0 \le p \le 1} p r - \tfrac{\delta}{2} (p - a)^2,
    \quad p = \mathrm{clip}(a + r / \delta, 0, 1),

a smooth piecewise quadratic minimised by Newton steps in which only the rows of the *band*
:math:`0 < p < 1` have curvature. Every iterate carries its own certificate, since

.. math:: \mathrm{primal} - \mathrm{dual} = \tfrac12 |w - v|^2
    + \sum_i u_i (\max(0, r_i) - p_i r_i), \quad v = \sum_i u_i p_i y_i x_i :

the first term is the error of Newton's method, the second that of the smoothing.

All sums over rows are kept per class and in units of fractions and follow changes of ``p`` and of
the band, so that they survive a change of C and costs: neighbouring problems cost few row updates.
"""

from typing import NamedTuple, Protocol

import numpy as np

from pseudolinear.loops._constants import MARGIN_EPS, TINY
from pseudolinear.loops._newton import line_search, project

WIDTH = 0.3  # initial width of the smoothing, in units of the margin
SHRINK = 0.7  # its factor after every outer iteration
NARROW = 0.03  # width below which no band is foreseen: fractions beyond it would leave rounding
SLIGHT = 1e-4  # share of the tolerance below which a step's slope is not searched any further
LOPSIDED = 1e-6  # ratio of the classes' bounds below which differences round away what is left


class Bounds(NamedTuple):
    """Upper bounds of the dual variables: C x cost of a negative and of a positive row."""

    negative: float
    positive: float

    def rows(self, y: np.ndarray) -> np.ndarray:
        """Return the bounds of rows of these signs and weight 1."""
        return np.where(y > 0, self.positive, self.negative)


class Space(Protocol):
    """What the method needs to know about the space of ``w`` (features, or a Gram matrix)."""

    free_intercept: bool
    certifies: bool  # whether the gap found here is stated, or one of the reported variables

    def absorb(self, step: np.ndarray, flip: np.ndarray) -> None:
        """Follow a change ``step`` of the weighted fractions and ``flip`` of the band."""

    def values(self) -> np.ndarray:
        """Return the decision values, found anew."""

    def reset(self) -> None:
        """Set the sums of fractions to 0, to be absorbed anew."""

    def square(self, signed: np.ndarray) -> float:
        """Return the squared norm of the class sums of weighted fractions times rows, so weighed.

        It is that of the sum: products of the class sums cancel where columns are far from 0.
        """

    def reach(self) -> float:
        """Return the size of what is added up to a margin, of which rounding takes its share."""

    def primal(self, bounds: Bounds, scale: np.ndarray, hinge: np.ndarray) -> float:
        """Return the objective of the solution that would be reported now."""

    def residual(self, bounds: Bounds) -> float:
        """Return ``|w - v|^2``."""

    def newton(
        self, bounds: Bounds, delta: float, band: np.ndarray, surplus: float
    ) -> tuple[np.ndarray, float, float]:
        """Prepare a Newton step ``z``; return its margins, ``w z`` and ``z z``."""

    def advance(self, t: float) -> None:
        """Take the fraction ``t`` of the prepared step."""


class Outcome(NamedTuple):
    """Relative duality gap reached, number of Newton steps, feasible dual scale per class."""

    gap: float
    n_iter: int
    scale: np.ndarray


class LabelPath:
    """Problems of one label, solved one after the other, each from the solution of the last.

    Parameters
    ----------
    space : Space
        Space of ``w``, at its starting point ``w = 0``.
    y : ndarray of shape (n,)
        Signs of the rows.
    sw : ndarray of shape (n,)
        Sample weights.
    p, f : ndarray of shape (n,), optional
        Fractions to start from, and decision values if the space does not start at ``w = 0``.
    """

    def __init__(
        self,
        space: Space,
        y: np.ndarray,
        sw: np.ndarray,
        p: np.ndarray | None = None,
        f: np.ndarray | None = None,
    ) -> None:
        n = y.size
        self.space, self.y, self.sw = space, y, sw
        self.f = np.zeros(n) if f is None else f
        self.p = np.full(n, 0.5) if p is None else p
        self.band = np.zeros(n, np.int8)
        self.flip = np.zeros(n, np.int8)
        self.step = self.p * sw
        space.absorb(self.step, self.flip)

    def solve(self, bounds: Bounds, tol: float, max_iter: int) -> Outcome:
        """Solve one problem to a relative duality gap ``tol``."""
        space, u = self.space, np.array(bounds)
        a = self._start(u)
        delta, best_dual, n_iter = WIDTH, 0.0, 0
        total = u * np.bincount(self.y > 0, weights=self.sw, minlength=2)
        lopsided = total.min() < LOPSIDED * total.max()
        fresh = not space.certifies  # whether decision values may be believed as they are
        while True:
            if lopsided:
                space.reset()
                self.f, fresh = space.values(), True
                self.p[:] = 0.0
            sums = project(
                self.f, self.y, self.sw, a, delta, self.p, self.step, self.band, self.flip
            )
            space.absorb(self.step, self.flip)
            dual_sums = u * sums[:, 1]
            dual, scale = self._dual(u, dual_sums)
            primal = space.primal(bounds, scale, sums[:, 0])
            best_dual = max(best_dual, dual)
            rounding = MARGIN_EPS * (1.0 + space.reach()) * total.sum()
            gap = (primal - best_dual + rounding) / primal if primal > 0.0 else 0.0
            if gap <= tol or n_iter >= max_iter:
                if fresh:
                    return Outcome(gap, n_iter, scale)
                self.f, fresh = space.values(), True
                continue
            n_iter, fresh = n_iter + 1, not space.certifies
            surplus = dual_sums[1] - dual_sums[0]
            smoothing_error = u @ sums[:, 2]
            newton_error = 0.5 * space.residual(bounds) + space.free_intercept * abs(surplus)
            if smoothing_error > 0.5 * tol * primal and newton_error < smoothing_error:
                a[:] = self.p
                delta *= SHRINK
                if delta < NARROW:
                    continue
                surplus = self._foresee(u, a, delta)
            df, wz, zz = space.newton(bounds, delta, self.band, surplus)
            least = SLIGHT * tol * best_dual
            t = line_search(self.f, df, self.y, *bounds, self.sw, a, delta, wz, zz, least)
            space.advance(t)
            self.f += t * df

    def _foresee(self, u: np.ndarray, a: np.ndarray, delta: float) -> float:
        """Move the fractions as if the band stayed as it is; return the new surplus.

        Around new multipliers the old weights are far off: most rows of the band would leave it,
        only to come back with the next step.
        """
        p = a + self.band * (1.0 - self.y * self.f) / delta
        self.step[:], self.flip[:] = self.sw * (p - self.p), 0
        self.p[:] = p
        self.space.absorb(self.step, self.flip)
        negative, positive = u * np.bincount(self.y > 0, weights=self.sw * p, minlength=2)
        return float(positive - negative)

    def dual_coef(self, bounds: Bounds, scale: np.ndarray) -> np.ndarray:
        """Return the signed dual variables of the last problem."""
        return self.y * self.sw * self.p * Bounds(*(scale * bounds)).rows(self.y)

    def _start(self, u: np.ndarray) -> np.ndarray:
        """Return the fractions of the last problem, scaled to maximise the new dual.

        The best scale is 1 where most rows are at a bound, and keeps the dual variables where C
        does not matter any more (separable rows).
        """
        sign = np.array([-1.0, 1.0]) * u
        norm2 = self.space.square(sign)
        total = u @ np.bincount(self.y > 0, weights=self.sw * self.p, minlength=2)
        return self.p * (total / norm2 if total < norm2 else 1.0)

    def _dual(self, u: np.ndarray, dual_sums: np.ndarray) -> tuple[float, np.ndarray]:
        """Return a lower bound of the optimum and the scale per class that makes it feasible."""
        scale = np.ones(2)
        if self.space.free_intercept:
            scale = dual_sums.min() / np.maximum(dual_sums, TINY)
        signed = np.array([-1.0, 1.0]) * u * scale
        return scale @ dual_sums - 0.5 * self.space.square(signed), scale
