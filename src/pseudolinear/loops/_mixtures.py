"""Loops over the rows of dual points that are mixed."""

import numpy as np

from pseudolinear.loops._smooth import compiled

Array = np.ndarray


@compiled
def sums_of_classes(R: Array, plus: Array, minus: Array) -> None:
    """Each lane's sums of what R has below zero, without the sign, and above it."""
    for j in range(R.shape[1]):
        plus[j] = 0.0
        minus[j] = 0.0
    for i in range(R.shape[0]):
        r = R[i]
        for j in range(R.shape[1]):
            plus[j] -= r[j] if r[j] < 0.0 else 0.0
            minus[j] += r[j] if r[j] > 0.0 else 0.0


@compiled
def balance(R: Array, up: Array, down: Array, duals: Array) -> None:
    """``R = -R`` times ``up`` where that is positive, else ``down``; sizes to rows of ``duals``."""
    for i in range(R.shape[0]):
        r = R[i]
        for j in range(R.shape[1]):
            r[j] *= -up[j] if r[j] < 0.0 else -down[j]
        for j in range(R.shape[1]):
            duals[j, i] = r[j] if r[j] > 0.0 else -r[j]
