"""What a classifier gets wrong: of one decision, and at every threshold of a score."""

from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.errors._outcomes import Outcomes
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.errors._score_counter import MOST_DISTINCT, ScoreCounter
from pseudolinear.errors._score_counts import ScoreCounts, count_columns, sample_edges
from pseudolinear.errors._score_curve import ScoreCurve
from pseudolinear.errors._sparse_outcomes import SparseOutcomes

__all__ = [
    "MOST_DISTINCT",
    "ErrorCurve",
    "ErrorProfile",
    "Outcomes",
    "ScoreCounter",
    "ScoreCounts",
    "ScoreCurve",
    "SparseOutcomes",
    "count_columns",
    "sample_edges",
]
