"""The interval around an honest value, from the errors on the validation rows."""

from __future__ import annotations

import numpy as np
from scipy import stats

from pseudolinear.errors import ErrorProfile
from pseudolinear.evaluation._delta import EXTRA, around
from pseudolinear.evaluation._label_values import limits_of
from pseudolinear.evaluation._statistic import ProfileStatistic
from pseudolinear.measures import Measure

FOLDS = 4 / 3  # by how much the variance is larger for models of folds than for a given model


def honest_interval(
    value: float,
    seen: float,
    measure: Measure,
    profile: ErrorProfile,
    n_rows: float,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """Return an interval around a value that was corrected for choosing, by the delta method.

    Rows are taken to be independent, and so are labels, since of several only the errors of each
    are known, not which rows share them. The correction of the value is taken to be as uncertain as
    it is large, and the variance over rows is a third larger than for a model that was given, since
    other models than that of all rows were validated (docs/guide/trust.md).

    Parameters
    ----------
    value : float
        The corrected value.
    seen : float
        The value on the validation rows, before it was corrected.
    measure : Measure
        What they are values of.
    profile : ErrorProfile
        Errors on the validation rows.
    n_rows : float
        Number of the rows, or the effective one.
    confidence : float, default=0.95
        Probability of covering, nearly.

    Returns
    -------
    tuple of float
        Lower and upper end.

    Examples
    --------
    >>> from pseudolinear.evaluation import honest_interval
    >>> profile = ErrorProfile(fn=0.02, fp=0.02, prevalence=0.1)
    >>> tuple(round(end, 3) for end in honest_interval(0.78, 0.8, FBeta(), profile, 1000))
    (0.69, 0.849)
    """
    tp = np.maximum(profile.prevalence - profile.fn, 0.0)
    sums = n_rows * np.concatenate([tp, profile.fn, profile.fp, [1.0]])
    statistic = ProfileStatistic(measure, sums[None], np.ones(1))
    more = sums + EXTRA * statistic.one_of_each
    gradient = statistic.gradient(more)[:-1]
    of_labels = (gradient * more[:-1]).reshape(3, -1).sum(axis=0)
    variance = gradient**2 @ more[:-1] - (of_labels**2).sum() / more[-1]
    error = np.sqrt(FOLDS * variance + (seen - value) ** 2)
    quantile = float(stats.norm.ppf((1 + confidence) / 2))
    limits = limits_of(measure)
    smoothed = float(statistic.values(more[None])[0])  # at a limit itself, nothing would vary
    inner = min(value, smoothed, key=lambda at: abs(at - sum(limits) / 2))
    low, high = around(value, error, inner, quantile, limits)
    return float(low), float(high)
