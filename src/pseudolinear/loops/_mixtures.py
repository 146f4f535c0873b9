"""Loops over the rows of dual points that are mixed."""

import math

import numpy as np

from pseudolinear.loops._smooth import compiled

Array = np.ndarray


@compiled
def squared_hinge_moments(one: Array, other: Array, cost: Array, out: Array) -> None:
    """``out`` receives the sums of both, and of their products over twice the costs."""
    a, b, aa, ab, bb = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(one)):
        if cost[i] > 0.0:
            half = 0.5 / cost[i]
            a += one[i]
            b += other[i]
            aa += one[i] * one[i] * half
            ab += one[i] * other[i] * half
            bb += other[i] * other[i] * half
    out[0], out[1], out[2], out[3], out[4] = a, b, aa, ab, bb


@compiled
def entropy_of_mixture(one: Array, other: Array, cost: Array, a: float, b: float) -> float:
    """Sum of ``cost * entropy(q)``, where ``q = (a * one + b * other) / cost``."""
    total = 0.0
    for i in range(len(one)):
        if cost[i] > 0.0:
            q = min((a * one[i] + b * other[i]) / cost[i], 1.0)
            if 0.0 < q < 1.0:
                total -= cost[i] * (q * math.log(q) + (1.0 - q) * math.log1p(-q))
    return total
