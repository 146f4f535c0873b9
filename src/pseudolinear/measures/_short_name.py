"""What people call a measure."""

from __future__ import annotations

from pseudolinear.measures._f_beta import FBeta
from pseudolinear.measures._measure import Measure
from pseudolinear.measures._objective import Objective


def short_name(measure: Measure | Objective) -> str:
    """Name a measure as people write it; a constraint is written in full.

    Examples
    --------
    >>> short_name(FBeta(average="micro")), short_name(Jaccard())
    ('micro-F1', 'Jaccard')
    >>> short_name(RecallAtPrecision(0.9))
    'RecallAtPrecision(min_precision=0.9)'
    """
    if not isinstance(measure, Measure):
        return repr(measure).removesuffix("()")
    stem = f"F{measure.beta:g}" if isinstance(measure, FBeta) else type(measure).__name__
    return stem if measure.average == "binary" else f"{measure.average}-{stem}"
