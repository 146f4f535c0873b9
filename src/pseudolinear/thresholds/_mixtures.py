"""The best mixture of cuts of each group under bounds, by one linear program."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from pseudolinear.measures import Measure
from pseudolinear.thresholds._group_curve import GroupCurve, Weights

NOTHING = 1e-9  # a share of draws that is rounding
TOLERANCE = 1e-10  # the least that the solver takes


def best_mixtures(
    curves: Sequence[GroupCurve], measure: Measure, rates: Sequence[str], within: float
) -> list[Weights]:
    """Choose a mixture of cuts in each group so that the measure is the largest possible.

    Errors and rates are linear in the weights of the cuts, and the measure is a ratio of two affine
    functions of the errors. Multiplied by a factor that makes the denominator 1, the weights are
    the variables of a linear program (Charnes and Cooper 1962), and a vertex of it mixes as few
    cuts as the bounds need.

    Parameters
    ----------
    curves : sequence of GroupCurve
        The cuts to mix.
    measure : Measure
        Of one label.
    rates : sequence of str
        Each must be within a common interval in all groups that have it.
    within : float
        Length of that interval.

    Returns
    -------
    list of ndarray
        For each group the weights of its cuts, which sum to 1.
    """
    sizes = [len(curve.fn) for curve in curves]
    of_group = np.repeat(np.arange(len(curves)), sizes)
    n_cuts, n = len(of_group), len(of_group) + 1 + len(rates)  # weights, factor, lower ends
    gain, unit = _ratio(curves, measure, n)
    sums = np.zeros((len(curves), n))
    sums[of_group, np.arange(n_cuts)] = 1.0
    sums[:, n_cuts] = -1.0
    bounds = [
        _bound(curve, of_group == g, rate, n_cuts + 1 + k, n_cuts, within, n)
        for k, rate in enumerate(rates)
        for g, curve in enumerate(curves)
    ]
    above = np.concatenate(bounds)
    found = linprog(
        -gain,
        A_ub=above,
        b_ub=np.zeros(len(above)),
        A_eq=np.vstack([sums, unit]),
        b_eq=np.append(np.zeros(len(curves)), 1.0),
        method="highs-ds",  # the simplex method: a vertex
        options={
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        },
    )
    if found.x is None:
        raise ValueError(
            f"{measure!r} has no largest value on these rows ({found.message}); its denominator "
            "must be positive."
        )
    parts = np.split(found.x[:n_cuts], np.cumsum(sizes)[:-1])
    return [_normal(part) for part in parts]


def _ratio(
    curves: Sequence[GroupCurve], measure: Measure, n: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return numerator and denominator as functions of the variables."""
    fn, fp = (np.concatenate([getattr(c, name) for c in curves]) for name in ("fn", "fp"))
    alpha0, gamma, alpha1, delta = measure.pair_coefficients(sum(c.positives for c in curves))
    scale = alpha1 if alpha1 > 0 else 1.0  # rare positives would make the factor large
    rows = np.zeros((2, n))
    for row, constant, factors in ((rows[0], alpha0, gamma), (rows[1], alpha1, delta)):
        row[: len(fn)] = (factors[0] * fn + factors[1] * fp) / scale
        row[len(fn)] = constant / scale
    return rows[0], rows[1]


def _bound(
    curve: GroupCurve,
    own: NDArray[np.bool_],
    rate: str,
    lower: int,
    factor: int,
    within: float,
    n: int,
) -> NDArray[np.float64]:
    """Return what must not be positive: the lower end less the rate, and the rate less the upper.

    A group without the rate has no bound.
    """
    values = curve.rate(rate)
    if values is None:
        return np.zeros((0, n))
    rows = np.zeros((2, n))
    rows[0, : len(own)][own], rows[1, : len(own)][own] = -values, values
    rows[:, lower] = 1.0, -1.0
    rows[1, factor] = -within
    return rows


def _normal(weights: Weights) -> Weights:
    share = weights / weights.sum()
    share = np.where(share > NOTHING, share, 0.0)
    return share / share.sum()
