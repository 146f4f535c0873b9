"""Train classifiers for the measure people report."""

from pseudolinear._certificates import Certificate, ConeBound, Statement, certify
from pseudolinear._classifier import MeasureClassifier
from pseudolinear._comparison import METHODS, compare
from pseudolinear._frontier import Frontier
from pseudolinear._levels import Bisection, Bracket, Cone, Dinkelbach, Grid
from pseudolinear._measure import Coefficients, Measure
from pseudolinear._measures import (
    BalancedAccuracy,
    CohenKappa,
    FBeta,
    FBetaOverLabels,
    GowerLegendre,
    Jaccard,
    LinearFractional,
    Tversky,
    WeightedAccuracy,
    get_measure,
)
from pseudolinear._offsets import best_offsets
from pseudolinear._profiles import ErrorCurve, ErrorProfile
from pseudolinear._splits import IterativeKFold
from pseudolinear._thresholds import (
    Cut,
    FalseNegativesAtFalsePositives,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtPrecision,
    best_shared_threshold,
    best_threshold,
    best_thresholds,
)
from pseudolinear.learners import KernelLearner, LinearLearner

__all__ = [
    "METHODS",
    "BalancedAccuracy",
    "Bisection",
    "Bracket",
    "Certificate",
    "Coefficients",
    "CohenKappa",
    "Cone",
    "ConeBound",
    "Cut",
    "Dinkelbach",
    "ErrorCurve",
    "ErrorProfile",
    "FBeta",
    "FBetaOverLabels",
    "FalseNegativesAtFalsePositives",
    "Frontier",
    "GowerLegendre",
    "Grid",
    "IterativeKFold",
    "Jaccard",
    "KernelLearner",
    "LinearFractional",
    "LinearLearner",
    "Measure",
    "MeasureClassifier",
    "MinimalCost",
    "PrecisionAtRecall",
    "RecallAtPrecision",
    "Statement",
    "Tversky",
    "WeightedAccuracy",
    "best_offsets",
    "best_shared_threshold",
    "best_threshold",
    "best_thresholds",
    "certify",
    "compare",
    "get_measure",
]
