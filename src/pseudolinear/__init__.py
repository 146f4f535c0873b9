"""Train classifiers for the measure people report."""

from pseudolinear._classifier import MeasureClassifier
from pseudolinear.bounds._certificate import Certificate, Statement, certify
from pseudolinear.bounds._cone_bound import ConeBound
from pseudolinear.errors._curve import ErrorCurve
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.learners import KernelLearner, LinearLearner
from pseudolinear.measures._balanced_accuracy import BalancedAccuracy
from pseudolinear.measures._cohen_kappa import CohenKappa
from pseudolinear.measures._f_beta import FBeta
from pseudolinear.measures._f_beta_over_labels import FBetaOverLabels
from pseudolinear.measures._gower_legendre import GowerLegendre
from pseudolinear.measures._jaccard import Jaccard
from pseudolinear.measures._linear_fractional import LinearFractional
from pseudolinear.measures._measure import Coefficients, Measure
from pseudolinear.measures._names import get_measure
from pseudolinear.measures._tversky import Tversky
from pseudolinear.measures._weighted_accuracy import WeightedAccuracy
from pseudolinear.rivals._comparison import METHODS, compare
from pseudolinear.search._bisection import Bisection
from pseudolinear.search._bracket import Bracket
from pseudolinear.search._cone import Cone
from pseudolinear.search._dinkelbach import Dinkelbach
from pseudolinear.search._grid import Grid
from pseudolinear.sweep._frontier import Frontier
from pseudolinear.sweep._iterative_folds import IterativeKFold
from pseudolinear.thresholds._classes import best_offsets
from pseudolinear.thresholds._cut import Cut
from pseudolinear.thresholds._labels import best_shared_threshold, best_threshold, best_thresholds
from pseudolinear.thresholds._objectives import (
    FalseNegativesAtFalsePositives,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtPrecision,
)

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
