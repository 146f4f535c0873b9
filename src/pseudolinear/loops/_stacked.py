"""Compiled loops of systems whose factors lie in a stack.

Rows of a triangle are taken in fours, for which the vector that is read or written beside them
passes through the registers once. The size of the triangles is a multiple of that.
"""

import numpy as np

from pseudolinear.loops._compile import ANY_ORDER, compiled

Array = np.ndarray
FOUR = 4
FLAGS = {"plain": True, "error_model": "numpy", "fastmath": ANY_ORDER}


@compiled(**FLAGS)
def invert_triangles(triangles: Array, row: Array) -> None:
    """Replace lower triangles, zero above, by their inverses; ``row`` is room for one row."""
    n = triangles.shape[1]
    for k in range(len(triangles)):
        L = triangles[k]
        for i in range(n):
            own = L[i]
            scale, own[i] = 1.0 / own[i], 0.0  # what is beyond counts for nothing in the last four
            for j in range(n):
                row[j] = 0.0
            row[i] = 1.0
            for m in range(0, i, FOUR):
                a, b, c, d = L[m], L[m + 1], L[m + 2], L[m + 3]
                s, t, u, v = own[m], own[m + 1], own[m + 2], own[m + 3]
                for j in range(m + FOUR):
                    row[j] -= s * a[j] + t * b[j] + u * c[j] + v * d[j]
            for j in range(i + 1):
                own[j] = row[j] * scale


@compiled(**FLAGS)
def solve_lanes(inverses: Array, place: Array, G: Array, U: Array, g: Array, u: Array) -> None:
    """Write the solutions of ``L L' u = g`` for all lanes, from ``inverses[place[lane]]`` of L.

    Lanes of a place below 0 get zero. ``g`` and ``u`` are room for a column, zero beyond its end.
    """
    d, p = G.shape
    n = inverses.shape[1]
    for j in range(p):
        if place[j] < 0:
            for i in range(d):
                U[i, j] = 0.0
            continue
        L = inverses[place[j]]
        for i in range(d):
            g[i], u[i] = G[i, j], 0.0
        for i in range(0, n, FOUR):
            a, b, c, e = L[i], L[i + 1], L[i + 2], L[i + 3]
            q = r = s = t = 0.0
            for k in range(i + FOUR):
                q += a[k] * g[k]
                r += b[k] * g[k]
                s += c[k] * g[k]
                t += e[k] * g[k]
            for k in range(i + FOUR):
                u[k] += q * a[k] + r * b[k] + s * c[k] + t * e[k]
        for i in range(d):
            U[i, j] = u[i]
