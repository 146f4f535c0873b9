"""Exact cuts of scores: of labels, of classes, under constraints."""

from pseudolinear.measures import ROUNDING, Objective, first_best
from pseudolinear.thresholds._classes import best_offsets
from pseudolinear.thresholds._curves import (
    class_curve,
    label_curve,
    natural_class_curve,
    natural_label_curve,
)
from pseudolinear.thresholds._cut import Cut, combine
from pseudolinear.thresholds._labels import (
    best_shared_threshold,
    best_threshold,
    best_thresholds,
    joint_cuts,
)
from pseudolinear.thresholds._objectives import (
    FalseNegativesAtFalsePositives,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtBudget,
    RecallAtPrecision,
)
from pseudolinear.thresholds._resampling import ResampledCut, resampled_threshold

__all__ = [
    "ROUNDING",
    "Cut",
    "FalseNegativesAtFalsePositives",
    "MinimalCost",
    "Objective",
    "PrecisionAtRecall",
    "RecallAtBudget",
    "RecallAtPrecision",
    "ResampledCut",
    "best_offsets",
    "best_shared_threshold",
    "best_threshold",
    "best_thresholds",
    "class_curve",
    "combine",
    "first_best",
    "joint_cuts",
    "label_curve",
    "natural_class_curve",
    "natural_label_curve",
    "resampled_threshold",
]
