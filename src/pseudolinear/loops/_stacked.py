"""A compiled loop of systems whose factors lie in a stack."""

import numpy as np

from pseudolinear.loops._compile import compiled
from pseudolinear.loops._stale import substitute

Array = np.ndarray


@compiled
def substitute_lanes(factors: Array, place: Array, G: Array, U: Array) -> None:
    """Write the solutions of ``R' R u = g`` for all lanes, R being ``factors[place[lane]]``.

    Lanes of a place below 0 get zero.
    """
    d, p = G.shape
    column = np.empty(d, factors.dtype)
    for j in range(p):
        if place[j] < 0:
            for i in range(d):
                U[i, j] = 0.0
            continue
        for i in range(d):
            column[i] = G[i, j]
        substitute(factors[place[j]], column)
        for i in range(d):
            U[i, j] = column[i]
