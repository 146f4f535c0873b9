"""Loops over rows and lanes that are compiled for a loss, from its functions of one margin.

A loss states plain functions of numbers, see :class:`~pseudolinear.learners.losses.SmoothLoss`;
they are inlined into the loops below, whose layout and flags are those of ``_smooth``.

Numba keeps compiled code on disk by the loop's file and by the values the loop closes over, and it
knows the function of a loss by name only. The function's code is therefore one of these values:
without it, a changed loss would go on running as it was.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import register_jitable

from pseudolinear.loops._smooth import compiled

Array = np.ndarray


def evaluation(pointwise: Callable[..., Any]) -> Callable[..., None]:
    """Compile the evaluation of a loss from ``(margin, cost) -> loss, fall, curvature``."""
    register_jitable(inline="always")(pointwise)
    code = code_of(pointwise)

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
        _ = code
        n, p = V.shape
        sums[:] = 0.0
        loss, first, second, along = sums[0], sums[1], sums[2], sums[3]
        for i in range(n):
            vi, si, qi, vo, ro = V[i], S[i], pos[i], Vnew[i], R[i]
            s, k = weight[i], class_costs[classes[i]]
            for j in range(p):
                v = vi[j] + tau[j] * si[j]
                vo[j] = v
                y = 2.0 * qi[j] - 1.0
                c = s * k[j] * (cost_fn[j] if qi[j] else cost_fp[j])
                value, fall, bend = pointwise(y * (v + b[j]), c)
                r = -y * fall
                loss[j] += value
                ro[j] = r
                first[j] += r
                along[j] += r * si[j]
                second[j] += bend

    return evaluate


def curvature(of_fall: Callable[..., float]) -> Callable[..., None]:
    """Compile the second derivatives of a loss from ``(fall, cost) -> curvature``."""
    register_jitable(inline="always")(of_fall)
    code = code_of(of_fall)

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
        _ = code
        n, p = R.shape
        for i in range(n):
            ri, qi, o, s, k = R[i], pos[i], out[i], weight[i], class_costs[classes[i]]
            for j in range(p):
                c = s * k[j] * (cost_fn[j] if qi[j] else cost_fp[j])
                r = abs(ri[j])
                o[j] = of_fall(r, c) if r > 0.0 else 0.0

    return second_derivative


def code_of(function: Callable[..., Any]) -> str:
    """Return a function's code and the constants it uses, as text that no process changes."""
    code = function.__code__
    used = [function.__globals__.get(name) for name in code.co_names]
    constants = [value for value in used if isinstance(value, int | float)]
    return f"{code.co_code.hex()} {code.co_consts} {constants}"
