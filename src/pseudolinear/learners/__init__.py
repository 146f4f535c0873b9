"""What can be trained with costs."""

from pseudolinear._problem import ClassesProblem, LabelProblem, Problem
from pseudolinear.learners._boosting import BoostedModel, BoostingLearner, import_lightgbm
from pseudolinear.learners._early_stopping import EarlyStoppingLearner
from pseudolinear.learners._estimator import EstimatorLearner
from pseudolinear.learners._joint import JointLearner
from pseudolinear.learners._kernel import KernelLearner, scale_of
from pseudolinear.learners._learner import Abilities, Learner, Model, Scorer
from pseudolinear.learners._linear import LinearLearner, LinearModel
from pseudolinear.learners._matching import as_learner, check_match
from pseudolinear.learners._metadata import has_requests, requested
from pseudolinear.learners._prefit import PrefitLearner, freeze
from pseudolinear.learners._wrapped import WrappedLearner

__all__ = [
    "Abilities",
    "BoostedModel",
    "BoostingLearner",
    "ClassesProblem",
    "EarlyStoppingLearner",
    "EstimatorLearner",
    "JointLearner",
    "KernelLearner",
    "LabelProblem",
    "Learner",
    "LinearLearner",
    "LinearModel",
    "Model",
    "PrefitLearner",
    "Problem",
    "Scorer",
    "WrappedLearner",
    "as_learner",
    "check_match",
    "freeze",
    "has_requests",
    "import_lightgbm",
    "requested",
    "scale_of",
]
