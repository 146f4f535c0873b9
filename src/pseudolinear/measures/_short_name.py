"""What people call a measure."""

from __future__ import annotations

from pseudolinear.measures._expected_cost import ExpectedCost
from pseudolinear.measures._f_beta import FBeta
from pseudolinear.measures._measure import Measure
from pseudolinear.measures._objective import Objective
from pseudolinear.measures._weighted_accuracy import WeightedAccuracy

WORDS = {  # where the class is called otherwise than people say
    "BalancedAccuracy": "balanced accuracy",
    "CohenKappa": "Cohen's kappa",
    "ExpectedCost": "mean cost (negative)",
    "GowerLegendre": "Gower-Legendre",
    "WeightedAccuracy": "accuracy",
}


def short_name(measure: str | Measure | Objective, n_labels: int = 1) -> str:
    """Name a measure as people write it, and a constraint in a few words.

    Parameters
    ----------
    measure : str, Measure or Objective
        A name is left as it is.
    n_labels : int, default=1
        Number of labels, on which it depends what a budget limits.

    Returns
    -------
    str
        The class, or how it was made, where nothing else is known.

    Examples
    --------
    >>> short_name(FBeta(average="micro")), short_name(Jaccard()), short_name(CohenKappa())
    ('micro-F1', 'Jaccard', "Cohen's kappa")
    >>> short_name(RecallAtPrecision(0.9))
    'recall with a precision of at least 0.9'
    """
    if isinstance(measure, str):
        return measure
    if isinstance(measure, Objective):
        return measure.in_words(n_labels)
    stem = _stem(measure)
    if measure.average in ("binary", "multiclass") or isinstance(measure, ExpectedCost):
        return stem
    return f"{measure.average}{' ' if ' ' in stem else '-'}{stem}"


def _stem(measure: Measure) -> str:
    if isinstance(measure, FBeta):
        return f"F{measure.beta:g}"
    name = type(measure).__name__
    if isinstance(measure, WeightedAccuracy) and not measure.cost_fn == measure.cost_fp == 1:
        return f"accuracy with costs {measure.cost_fn:g} and {measure.cost_fp:g}"
    return WORDS.get(name, name)
