"""A measure with its interval."""

from pseudolinear.evaluation._betting import betting_interval
from pseudolinear.evaluation._box import box_interval
from pseudolinear.evaluation._case import Case
from pseudolinear.evaluation._difference import Difference, evaluate_difference
from pseudolinear.evaluation._evaluate import assess, evaluate
from pseudolinear.evaluation._evaluation import Evaluation
from pseudolinear.evaluation._honest import honest_interval
from pseudolinear.evaluation._label_evaluation import LabelEvaluation
from pseudolinear.evaluation._label_intervals import label_intervals
from pseudolinear.evaluation._label_values import label_values
from pseudolinear.evaluation._proportion import clopper_pearson, wilson
from pseudolinear.evaluation._ratio import ratio_of
from pseudolinear.evaluation._units import Units

__all__ = [
    "Case",
    "Difference",
    "Evaluation",
    "LabelEvaluation",
    "Units",
    "assess",
    "betting_interval",
    "box_interval",
    "clopper_pearson",
    "evaluate",
    "evaluate_difference",
    "honest_interval",
    "label_intervals",
    "label_values",
    "ratio_of",
    "wilson",
]
