"""The other published ways to the same goal, each a scikit-learn estimator or a function."""

from pseudolinear.rivals._asymmetric_svm import AsymmetricSVM
from pseudolinear.rivals._bisection import BisectionClassifier
from pseudolinear.rivals._compare import compare
from pseudolinear.rivals._comparison import Comparison
from pseudolinear.rivals._cost_path import CostPath, svm_cost_path
from pseudolinear.rivals._cost_path_svc import CostPathSVC
from pseudolinear.rivals._expected_f import ExpectedF, expected_f, maximize_expected_f
from pseudolinear.rivals._frank_wolfe import FrankWolfeClassifier
from pseudolinear.rivals._gfm import gfm
from pseudolinear.rivals._gfm_classifier import GFMClassifier
from pseudolinear.rivals._linear_ratio import LinearRatio
from pseudolinear.rivals._methods import METHODS, Task
from pseudolinear.rivals._model_combination import ModelCombination
from pseudolinear.rivals._online_f import OnlineFClassifier
from pseudolinear.rivals._plug_in import PlugInClassifier
from pseudolinear.rivals._plug_in_threshold import plug_in_fixed_point, plug_in_threshold
from pseudolinear.rivals._recall_means import GMean, HMean, QMean
from pseudolinear.rivals._soft_f import SoftFClassifier
from pseudolinear.rivals._svm_perf import SVMPerf
from pseudolinear.rivals._threshold_strategy import ThresholdStrategy

__all__ = [
    "METHODS",
    "AsymmetricSVM",
    "BisectionClassifier",
    "Comparison",
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
    "Task",
    "ThresholdStrategy",
    "compare",
    "expected_f",
    "gfm",
    "maximize_expected_f",
    "plug_in_fixed_point",
    "plug_in_threshold",
    "svm_cost_path",
]
