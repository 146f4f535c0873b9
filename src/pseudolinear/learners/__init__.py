"""What can be trained with costs."""

from pseudolinear.learners._base import Learner, Model, Problem
from pseudolinear.learners._estimator import EstimatorLearner

__all__ = ["EstimatorLearner", "Learner", "Model", "Problem"]
