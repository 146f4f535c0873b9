"""A measure with its interval."""

from pseudolinear.evaluation._adaptation import Adaptation, LabelAdaptation
from pseudolinear.evaluation._aim import Aim
from pseudolinear.evaluation._betting import betting_interval
from pseudolinear.evaluation._box import box_interval
from pseudolinear.evaluation._case import Case
from pseudolinear.evaluation._class_pairs import ClassPairs
from pseudolinear.evaluation._difference import Difference, evaluate_difference
from pseudolinear.evaluation._evaluate import assess, evaluate
from pseudolinear.evaluation._evaluate_batches import evaluate_batches
from pseudolinear.evaluation._evaluation import Evaluation
from pseudolinear.evaluation._fixed_sequence import count_cells, find_cut, order_cuts, take_accepted
from pseudolinear.evaluation._gap import Gap
from pseudolinear.evaluation._group_evaluations import GroupEvaluation, GroupEvaluations, Rate
from pseudolinear.evaluation._honest import honest_interval
from pseudolinear.evaluation._influences import Influences
from pseudolinear.evaluation._label_evaluation import LabelEvaluation
from pseudolinear.evaluation._label_intervals import label_intervals
from pseudolinear.evaluation._label_promise import LabelPromise
from pseudolinear.evaluation._label_values import label_values
from pseudolinear.evaluation._lower_bounds import lower_bounds
from pseudolinear.evaluation._prevalence import (
    check_shift,
    estimate_by_confusion,
    estimate_by_likelihood,
)
from pseudolinear.evaluation._promise import Promise
from pseudolinear.evaluation._promising import make_promise
from pseudolinear.evaluation._proportion import clopper_pearson, wilson
from pseudolinear.evaluation._ratio import ratio_of
from pseudolinear.evaluation._reading import cut_scores
from pseudolinear.evaluation._score_bins import ScoreBins
from pseudolinear.evaluation._share import read_measure
from pseudolinear.evaluation._units import Units

__all__ = [
    "Adaptation",
    "Aim",
    "Case",
    "ClassPairs",
    "Difference",
    "Evaluation",
    "Gap",
    "GroupEvaluation",
    "GroupEvaluations",
    "Influences",
    "LabelAdaptation",
    "LabelEvaluation",
    "LabelPromise",
    "Promise",
    "Rate",
    "ScoreBins",
    "Units",
    "assess",
    "betting_interval",
    "box_interval",
    "check_shift",
    "clopper_pearson",
    "count_cells",
    "cut_scores",
    "estimate_by_confusion",
    "estimate_by_likelihood",
    "evaluate",
    "evaluate_batches",
    "evaluate_difference",
    "find_cut",
    "honest_interval",
    "label_intervals",
    "label_values",
    "lower_bounds",
    "make_promise",
    "order_cuts",
    "ratio_of",
    "read_measure",
    "take_accepted",
    "wilson",
]
