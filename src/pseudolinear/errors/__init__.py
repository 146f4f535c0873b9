"""What a classifier gets wrong: of one decision, and at every threshold of a score."""

from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.errors._outcomes import Outcomes
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.errors._score_counter import MOST_DISTINCT, ScoreCounter
from pseudolinear.errors._score_counts import ScoreCounts, count_columns, sample_edges
from pseudolinear.errors._score_curve import ScoreCurve

__all__ = [
    "MOST_DISTINCT",
    "ErrorCurve",
    "ErrorProfile",
    "Outcomes",
    "ScoreCounter",
    "ScoreCounts",
    "ScoreCurve",
    "count_columns",
    "sample_edges",
]
