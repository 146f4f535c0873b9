"""Loops over rows and lanes that are compiled for a loss, from its functions of one margin.

A loss states plain functions of numbers, see :class:`~pseudolinear.learners.losses.SmoothLoss`;
they are inlined into the loops below, whose layout and flags are those of ``_smooth``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from pseudolinear.loops import _compile
from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import compiled

Array = np.ndarray
MIXTURE_STEPS = 12
inlined = njit(inline="always")  # before anything has types: not compiled for itself
compiled_sums = _compile.compiled(error_model="numpy", fastmath=_compile.ANY_ORDER)


def evaluation(pointwise: Callable[..., Any]) -> Callable[..., None]:
    """Compile the evaluation of a loss from ``(margin, cost) -> loss, fall, curvature``."""
    of_margin = inlined(pointwise)

    @compiled
    def evaluate(
        V: Array,
        S: Array,
        tau: Array,
        b: Array,
        pos: Array,
        cost_fn: Array,
        cost_fp: Array,
        weight: Array,
        classes: Array,
        class_costs: Array,
        Vnew: Array,
        R: Array,
        sums: Array,
    ) -> None:
        """Evaluate the loss at the scores ``V + tau * S + b``.

        ``Vnew`` receives ``V + tau * S``, ``R`` the derivative of the weighted loss by the score
        and ``sums`` each lane's sums of loss, first and second derivative, and derivative times
        ``S``.
        """
        for k in range(sums.shape[0]):
            for j in range(sums.shape[1]):
                sums[k, j] = 0.0
        for i in range(V.shape[0]):
            w, k = weight[i], classes[i]
            for j in range(V.shape[1]):
                q, s = pos[i, j], S[i, j]
                v = V[i, j] + tau[j] * s
                Vnew[i, j] = v
                y = 2.0 * q - 1.0
                c = w * class_costs[k, j] * (cost_fn[j] if q else cost_fp[j])
                value, fall, bend = of_margin(y * (v + b[j]), c)
                r = -y * fall
                R[i, j] = r
                sums[0, j] += value
                sums[1, j] += r
                sums[2, j] += bend
                sums[3, j] += r * s

    return evaluate


def derivation(pointwise: Callable[..., Any]) -> Callable[..., None]:
    """Compile both derivatives of a loss from ``(margin, cost) -> loss, fall, curvature``."""
    of_margin = inlined(pointwise)

    @compiled
    def derivatives(
        V: Array,
        pos: Array,
        cost_fn: Array,
        cost_fp: Array,
        weight: Array,
        classes: Array,
        class_costs: Array,
        R: Array,
        D: Array,
        losses: Array,
    ) -> None:
        """Write the derivatives of the weighted loss by the scores V, and each lane's sum of it."""
        for j in range(V.shape[1]):
            losses[j] = 0.0
        for i in range(V.shape[0]):
            w, k = weight[i], classes[i]
            for j in range(V.shape[1]):
                q = pos[i, j] > 0  # to choose by it takes less time than a factor of 1 or -1
                c = w * class_costs[k, j] * (cost_fn[j] if q else cost_fp[j])
                value, fall, bend = of_margin(V[i, j] if q else -V[i, j], c)
                R[i, j] = -fall if q else fall
                D[i, j] = bend
                losses[j] += value

    return derivatives


def curvature(of_fall: Callable[..., float]) -> Callable[..., None]:
    """Compile the second derivatives of a loss from ``(fall, cost) -> curvature``."""
    at_fall = inlined(of_fall)

    @compiled
    def second_derivative(
        R: Array,
        pos: Array,
        cost_fn: Array,
        cost_fp: Array,
        weight: Array,
        classes: Array,
        class_costs: Array,
        out: Array,
    ) -> None:
        """Second derivative of the weighted loss by the score, recovered from the first, ``R``."""
        for i in range(R.shape[0]):
            w, k = weight[i], classes[i]
            for j in range(R.shape[1]):
                c = w * class_costs[k, j] * (cost_fn[j] if pos[i, j] else cost_fp[j])
                r = abs(R[i, j])
                out[i, j] = at_fall(r, c) if r > 0.0 else 0.0

    return second_derivative


def mixture(pointwise: Callable[..., Any]) -> Callable[..., float]:
    """Compile the search for the best mixture of two scores and an intercept.

    Sums of a single problem are reordered, as vector registers need it.
    """
    of_margin = inlined(pointwise)

    @compiled_sums
    def lowest_mixture(
        one: Array,
        other: Array,
        x: Array,
        pos: Array,
        cost: Array,
        Q: Array,
        free: bool,
        exact: float,
    ) -> float:
        """Minimise ``x Q x / 2`` plus the loss at the scores ``x[0] * one + x[1] * other + x[2]``.

        By Newton's method from x, which receives the best mixture, until the step promises less
        than ``exact`` of the objective, which is returned.
        """
        x0, x1, x2 = x[0], x[1], x[2]
        lowest = np.inf
        for _step in range(MIXTURE_STEPS):
            value, g0, g1, g2 = 0.0, 0.0, 0.0, 0.0
            a, b, c, e, f, k = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for i in range(len(one)):
                u, v = one[i], other[i]
                y = 2.0 * pos[i] - 1.0
                loss, fall, bend = of_margin(y * (x0 * u + x1 * v + x2), cost[i])
                r = -y * fall
                value += loss
                g0 += r * u
                g1 += r * v
                g2 += r
                a += bend * u * u
                b += bend * u * v
                c += bend * u
                e += bend * v * v
                f += bend * v
                k += bend
            q0, q1 = Q[0, 0] * x0 + Q[0, 1] * x1, Q[1, 0] * x0 + Q[1, 1] * x1
            value += 0.5 * (x0 * q0 + x1 * q1 + Q[2, 2] * x2 * x2)
            if value > lowest:  # too far: half of the way
                x0, x1, x2 = 0.5 * (x0 + x[0]), 0.5 * (x1 + x[1]), 0.5 * (x2 + x[2])
                continue
            x[0], x[1], x[2], lowest = x0, x1, x2, value
            g0, g1, g2 = g0 + q0, g1 + q1, g2 + Q[2, 2] * x2
            a, b, e, k = a + Q[0, 0], b + Q[0, 1], e + Q[1, 1], k + Q[2, 2]
            small = 1e-12 * (a + e + k) + TINY
            a, e, k = a + small, e + small, k + small
            if not free:
                g2, c, f, k = 0.0, 0.0, 0.0, 1.0
            # Gauss' elimination, intercept first
            a, b, e = a - c * c / k, b - c * f / k, e - f * f / k
            h0, h1, area = g0 - c * g2 / k, g1 - f * g2 / k, max(a * e - b * b, TINY)
            s0, s1 = (h0 * e - h1 * b) / area, (h1 * a - h0 * b) / area
            s2 = (g2 - c * s0 - f * s1) / k
            if 0.5 * (g0 * s0 + g1 * s1 + g2 * s2) <= exact * value:
                break
            x0, x1, x2 = x0 - s0, x1 - s1, x2 - s2
        return lowest

    return lowest_mixture
