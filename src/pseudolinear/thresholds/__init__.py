"""Exact cuts of scores: of labels, of classes, under constraints."""

from pseudolinear.measures import ROUNDING, Objective, first_best
from pseudolinear.thresholds._best_labels import LabelPlan, best_labels, largest
from pseudolinear.thresholds._budget import Budget, batch_codes
from pseudolinear.thresholds._classes import best_offsets
from pseudolinear.thresholds._curves import (
    class_curve,
    label_curve,
    natural_class_curve,
    natural_label_curve,
)
from pseudolinear.thresholds._cut import Cut, combine
from pseudolinear.thresholds._group_cut import RATES, GroupCut, GroupThreshold
from pseudolinear.thresholds._groups import best_group_thresholds
from pseudolinear.thresholds._hopes import hopeful, hopes, worth
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
from pseudolinear.thresholds._streamed import StreamedCut, streamed_threshold

__all__ = [
    "RATES",
    "ROUNDING",
    "Budget",
    "Cut",
    "FalseNegativesAtFalsePositives",
    "GroupCut",
    "GroupThreshold",
    "LabelPlan",
    "MinimalCost",
    "Objective",
    "PrecisionAtRecall",
    "RecallAtBudget",
    "RecallAtPrecision",
    "ResampledCut",
    "StreamedCut",
    "batch_codes",
    "best_group_thresholds",
    "best_labels",
    "best_offsets",
    "best_shared_threshold",
    "best_threshold",
    "best_thresholds",
    "class_curve",
    "combine",
    "first_best",
    "hopeful",
    "hopes",
    "joint_cuts",
    "label_curve",
    "largest",
    "natural_class_curve",
    "natural_label_curve",
    "resampled_threshold",
    "streamed_threshold",
    "worth",
]
