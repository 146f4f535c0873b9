"""Cuts: what a page knows of a label along its thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.measures import has_row_costs
from pseudolinear.report._rows import LabelRows

MOST_CUTS, FEWEST_CUTS = 500, 40  # of a label
ALL_CUTS = 80_000  # of all labels together: a page of 1,000 labels has less than 2 MB


@dataclass(frozen=True, eq=False)
class Cuts:
    """Exact errors of a label at some of its thresholds.

    Attributes
    ----------
    thresholds : ndarray of shape (n_cuts,)
        Ascending. Rows with a score of at least the threshold are flagged.
    fn, fp : ndarray of shape (n_cuts,)
        Missed cases and false alarms at each threshold: rows, or their weights.
    positives, total : float
        Cases, and rows.
    chosen : int
        Position of the threshold in use.
    n_possible : int
        Number of different cuts that the scores allow.
    weighted : bool
        Whether rows are known to have weights.

    Examples
    --------
    >>> from pseudolinear.report import Cuts
    >>> curve = ErrorCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> cuts = Cuts.of_curve(curve, chosen=2, total=4)
    >>> cuts.fn, cuts.fp, cuts.chosen
    (array([0., 0., 1., 2.]), array([2., 1., 0., 0.]), 1)
    """

    thresholds: NDArray[np.float64]
    fn: NDArray[np.float64]
    fp: NDArray[np.float64]
    positives: float
    total: float
    chosen: int
    n_possible: int
    weighted: bool = False

    @classmethod
    def of_curve(
        cls,
        curve: ErrorCurve,
        chosen: int,
        total: float,
        most: int = MOST_CUTS,
        *,
        weighted: bool = False,
    ) -> Self:
        """Keep some cuts of a curve, the chosen one among them."""
        kept = spread_cuts(curve, chosen, most)[::-1]
        return cls(
            curve.thresholds[kept],
            _counts(curve.fn[kept, 0] * total),
            _counts(curve.fp[kept, 0] * total),
            float(_counts(curve.prevalence * total)[0]),
            float(_counts(np.array(total))),
            int(np.flatnonzero(kept == chosen)[0]),
            len(curve),
            weighted,
        )

    @property
    def profile(self) -> ErrorProfile:
        """The errors in use, as proportions."""
        errors = np.array([self.fn[self.chosen], self.fp[self.chosen], self.positives])
        return ErrorProfile(*(errors / self.total))

    @property
    def counted(self) -> bool:
        """Whether errors are numbers of rows; those of a fit with weights are not whole."""
        numbers = np.concatenate([self.fn, self.fp, [self.positives, self.total]])
        return not self.weighted and bool((numbers % 1 == 0).all())


def label_curves(rows: LabelRows) -> list[tuple[ErrorCurve, int]]:
    """Cut every label of rows everywhere; return the curves, and the cut in use of each.

    Thresholds are as short as predictions allow, so that one read from a page does what it says.
    """
    weight = rows.weight
    some = slice(None) if weight is None else weight > 0
    curves = []
    for true, flagged, score, threshold in zip(
        rows.true.T, rows.flagged.T, rows.scores.T, rows.thresholds, strict=True
    ):
        curve = ErrorCurve.from_scores(true, score, weight)
        chosen = np.unique(score[some][flagged[some]]).size
        distinct = np.unique(score[some])[::-1]
        wanted = curve.thresholds.copy()
        wanted[chosen] = threshold
        short = _shorten(wanted, np.append(distinct, -np.inf), np.append(np.inf, distinct))
        short = np.where(np.isnan(short), curve.thresholds, short)
        curves.append((ErrorCurve(curve.fn, curve.fp, curve.prevalence, short), chosen))
    return curves


def cost_values(objective: Any, rows: LabelRows, label: int, cuts: Cuts) -> tuple[float, ...]:
    """Return minus the mean cost at every cut of a label; nothing without costs by row.

    Parameters
    ----------
    objective : Measure or Objective
        With costs by row as arrays, or without.
    rows : LabelRows
        Their scores and classes.
    label : int
        Column.
    cuts : Cuts
        Where the label is cut.

    Returns
    -------
    tuple of float
        One per threshold.
    """
    if not has_row_costs(objective):
        return ()
    costs = objective.rows(len(rows.true))
    true, score = rows.true[:, label], rows.scores[:, label]
    order = np.argsort(-score, kind="stable")
    flagged, not_flagged = (
        costs.of_outcomes(true[:, None], np.full((len(true), 1), side))[:, 0] * rows.weights
        for side in (True, False)
    )
    saved = np.append(0.0, np.cumsum((not_flagged - flagged)[order]))
    n_flagged = np.searchsorted(-score[order], -cuts.thresholds, side="right")
    values = (saved[n_flagged] - not_flagged.sum()) / rows.weights.sum()
    return tuple(values.tolist())


def spread_cuts(curve: ErrorCurve, chosen: int, most: int) -> NDArray[np.intp]:
    """Choose some cuts of a curve: those of the hull, and others at every rate of flagged rows.

    Examples
    --------
    >>> from pseudolinear.report import spread_cuts
    >>> rng = np.random.default_rng(0)
    >>> curve = ErrorCurve.from_scores(rng.random(1000) < 0.1, rng.random(1000))
    >>> cuts = spread_cuts(curve, chosen=17, most=100)
    >>> len(cuts) <= 100 and 17 in cuts
    True
    """
    if len(curve) <= most:
        return np.arange(len(curve))
    hull = curve.hull()
    if len(hull) > most // 2:
        hull = hull[np.linspace(0, len(hull) - 1, most // 2).astype(np.intp)]
    flagged = curve.prevalence[0] - curve.fn[:, 0] + curve.fp[:, 0]
    n = (most - len(hull) - 1) // 2
    rates = np.concatenate([np.linspace(0, 1, n), np.geomspace(flagged[1], 1, n)])
    others = np.searchsorted(flagged, rates - 1e-12).clip(max=len(curve) - 1)
    return np.unique(np.concatenate([hull, others, [chosen]])).astype(np.intp)


def cuts_per_label(n_labels: int) -> int:
    """Say how many cuts of each label fit on a page."""
    return int(np.clip(ALL_CUTS // n_labels, FEWEST_CUTS, MOST_CUTS))


def _shorten(
    wanted: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Round numbers to the fewest decimals that keep them in (lower, upper]; NaN if none do."""
    spread = np.ptp(wanted)
    first = 3 - int(np.floor(np.log10(spread))) if spread > 0 else 3
    short = np.full(len(wanted), np.nan)
    for decimals in range(first, first + 15):
        rounded = np.round(wanted, decimals)
        fits = np.isnan(short) & (lower < rounded) & (rounded <= upper)
        short[fits] = rounded[fits]
    return short


def _counts(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round away what proportions have added to counts; weights keep six decimals."""
    return np.round(weights, 6)
