"""The other published ways to the same goal, each a scikit-learn estimator or a function."""

from pseudolinear.rivals._asymmetric_svm import AsymmetricSVM
from pseudolinear.rivals._bisection import BisectionClassifier
from pseudolinear.rivals._confusion import GMean, HMean, LinearRatio, QMean
from pseudolinear.rivals._cost_path import CostPath, CostPathSVC, svm_cost_path
from pseudolinear.rivals._expected_f import ExpectedF, expected_f, maximize_expected_f
from pseudolinear.rivals._frank_wolfe import FrankWolfeClassifier
from pseudolinear.rivals._gfm import GFMClassifier, gfm
from pseudolinear.rivals._model_combination import ModelCombination
from pseudolinear.rivals._online_f import OnlineFClassifier
from pseudolinear.rivals._plug_in import PlugInClassifier, plug_in_fixed_point, plug_in_threshold
from pseudolinear.rivals._soft_f import SoftFClassifier
from pseudolinear.rivals._svm_perf import SVMPerf
from pseudolinear.rivals._threshold_strategy import ThresholdStrategy

__all__ = [
    "AsymmetricSVM",
    "BisectionClassifier",
    "CostPath",
    "CostPathSVC",
    "ExpectedF",
    "FrankWolfeClassifier",
    "GFMClassifier",
    "GMean",
    "HMean",
    "LinearRatio",
    "ModelCombination",
    "OnlineFClassifier",
    "PlugInClassifier",
    "QMean",
    "SVMPerf",
    "SoftFClassifier",
    "ThresholdStrategy",
    "expected_f",
    "gfm",
    "maximize_expected_f",
    "plug_in_fixed_point",
    "plug_in_threshold",
    "svm_cost_path",
]
