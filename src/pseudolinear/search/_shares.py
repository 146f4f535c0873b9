"""Levels by the share of false positives in their costs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorProfile
from pseudolinear.measures import Measure
from pseudolinear.search._level_search import Levels


def trivial_values(measure: Measure, prevalence: NDArray[np.float64]) -> tuple[float, float]:
    """Return the values of predicting nothing and everything."""
    p = np.asarray(prevalence, dtype=np.float64)
    nothing, everything = ErrorProfile(p, 0.0 * p, p), ErrorProfile(0.0 * p, 1.0 - p, p)
    return measure.value(nothing), measure.value(everything)


def value_range(measure: Measure, prevalence: NDArray[np.float64]) -> tuple[float, float]:
    """Return a range that holds the best value: up to that of no error, from zero or below."""
    p = np.asarray(prevalence, dtype=np.float64)
    perfect = measure.value(ErrorProfile(0.0 * p, 0.0 * p, p))
    return min(0.0, *trivial_values(measure, prevalence)), perfect


def ratio_is_constant(measure: Measure, prevalence: NDArray[np.float64]) -> bool:
    _, gamma, _, delta = measure.pair_coefficients(prevalence)
    one, other = float(gamma[0] * delta[1]), float(gamma[1] * delta[0])
    return abs(one - other) <= 1e-15 + 1e-12 * abs(other)


def share_of(measure: Measure, prevalence: NDArray[np.float64], level: float) -> float:
    """Return the share of false positives in the costs of a level."""
    _, gamma, _, delta = measure.pair_coefficients(prevalence)
    fn, fp = level * delta - gamma
    return float(fp / (fn + fp))


def share_range(measure: Measure, prevalence: NDArray[np.float64]) -> tuple[float, float]:
    """Return the shares at the ends of the range of levels: 0 and 1 for a single pair."""
    if measure.collapses or ratio_is_constant(measure, prevalence):
        return 0.0, 1.0
    _, _, _, delta = measure.pair_coefficients(prevalence)
    low, high = (
        share_of(measure, prevalence, end) if np.isfinite(end) else float(delta[1] / delta.sum())
        for end in measure.level_range(prevalence)
    )
    return low, high


def level_at(measure: Measure, prevalence: NDArray[np.float64], shares: Levels) -> Levels:
    """Solve ``cost_fp(t) = share * (cost_fn(t) + cost_fp(t))`` for the level t."""
    if ratio_is_constant(measure, prevalence):
        low, high = measure.level_range(prevalence)
        return np.array([(max(low, 0.0) + min(high, 1.0)) / 2])
    _, gamma, _, delta = measure.pair_coefficients(prevalence)
    return (gamma[1] - shares * gamma.sum()) / (delta[1] - shares * delta.sum())
