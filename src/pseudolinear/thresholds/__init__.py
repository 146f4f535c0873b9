"""Exact cuts of scores: of labels, of classes, under constraints."""

from pseudolinear.thresholds._classes import best_offsets
from pseudolinear.thresholds._cut import Cut
from pseudolinear.thresholds._labels import best_shared_threshold, best_threshold, best_thresholds
from pseudolinear.thresholds._objectives import (
    FalseNegativesAtFalsePositives,
    MinimalCost,
    Objective,
    PrecisionAtRecall,
    RecallAtPrecision,
)

__all__ = [
    "Cut",
    "FalseNegativesAtFalsePositives",
    "MinimalCost",
    "Objective",
    "PrecisionAtRecall",
    "RecallAtPrecision",
    "best_offsets",
    "best_shared_threshold",
    "best_threshold",
    "best_thresholds",
]
