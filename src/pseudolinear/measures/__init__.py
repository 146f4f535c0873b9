"""What is maximised: ratios of two affine functions of the error profile, and their relatives."""

from pseudolinear._discovery import import_modules
from pseudolinear.measures._balanced_accuracy import BalancedAccuracy
from pseudolinear.measures._coefficients import Coefficients
from pseudolinear.measures._cohen_kappa import CohenKappa
from pseudolinear.measures._cost_policy import CostPolicy
from pseudolinear.measures._error_function import ErrorFunction
from pseudolinear.measures._expected_cost import ExpectedCost, has_row_costs
from pseudolinear.measures._f_beta import FBeta
from pseudolinear.measures._f_beta_over_labels import FBetaOverLabels
from pseudolinear.measures._geometric_mean import GeometricMean
from pseudolinear.measures._gower_legendre import GowerLegendre
from pseudolinear.measures._jaccard import Jaccard
from pseudolinear.measures._label_mean import label_mean
from pseudolinear.measures._linear_fractional import LinearFractional
from pseudolinear.measures._matthews_correlation import MatthewsCorrelation
from pseudolinear.measures._measure import Measure
from pseudolinear.measures._names import get_measure, get_ratio
from pseudolinear.measures._objective import Objective
from pseudolinear.measures._rounding import ROUNDING, first_best, rounding
from pseudolinear.measures._row_costs import RowCosts
from pseudolinear.measures._short_name import short_name
from pseudolinear.measures._tversky import Tversky
from pseudolinear.measures._weighted_accuracy import WeightedAccuracy

__all__ = [
    "ROUNDING",
    "BalancedAccuracy",
    "Coefficients",
    "CohenKappa",
    "CostPolicy",
    "ErrorFunction",
    "ExpectedCost",
    "FBeta",
    "FBetaOverLabels",
    "GeometricMean",
    "GowerLegendre",
    "Jaccard",
    "LinearFractional",
    "MatthewsCorrelation",
    "Measure",
    "Objective",
    "RowCosts",
    "Tversky",
    "WeightedAccuracy",
    "first_best",
    "get_measure",
    "get_ratio",
    "has_row_costs",
    "label_mean",
    "rounding",
    "short_name",
]

import_modules(__name__)  # so that a new measure is known by its name
