"""What a classifier gets wrong: of one decision, and at every threshold of a score."""

from pseudolinear.errors._curve import LIMITS, ErrorCurve
from pseudolinear.errors._curves import ErrorCurves
from pseudolinear.errors._fold_curves import fold_curves
from pseudolinear.errors._outcomes import Outcomes
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.errors._score_counter import MOST_DISTINCT, ScoreCounter
from pseudolinear.errors._score_counts import ScoreCounts, count_columns, sample_edges
from pseudolinear.errors._score_curve import ScoreCurve
from pseudolinear.errors._sparse_outcomes import SparseOutcomes

__all__ = [
    "LIMITS",
    "MOST_DISTINCT",
    "ErrorCurve",
    "ErrorCurves",
    "ErrorProfile",
    "Outcomes",
    "ScoreCounter",
    "ScoreCounts",
    "ScoreCurve",
    "SparseOutcomes",
    "count_columns",
    "fold_curves",
    "sample_edges",
]
