"""What can be trained with costs."""

from pseudolinear.learners._base import Learner, Model, Problem
from pseudolinear.learners._estimator import EstimatorLearner
from pseudolinear.learners._joint import JointLearner
from pseudolinear.learners._kernel import KernelLearner
from pseudolinear.learners._linear import LinearLearner

__all__ = [
    "EstimatorLearner",
    "JointLearner",
    "KernelLearner",
    "Learner",
    "LinearLearner",
    "Model",
    "Problem",
]
