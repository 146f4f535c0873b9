"""Thousands of labels: sparse from end to end, in blocks with a thin plan, or by a tree."""

from pseudolinear.extreme._best_listed import best_listed_labels
from pseudolinear.extreme._cut_columns import LabelCuts, choose_cuts, cut_columns
from pseudolinear.extreme._fit import N_STAGES, LabelRows, ManyFitted, fit_many
from pseudolinear.extreme._label_curves import LabelCurves
from pseudolinear.extreme._label_tree import LabelTree
from pseudolinear.extreme._label_weights import LabelWeights
from pseudolinear.extreme._listed_probabilities import listed_probabilities
from pseudolinear.extreme._many_decision import LabelModel, ManyDecision, decide_many
from pseudolinear.extreme._many_labels_fit import ManyLabelsFit
from pseudolinear.extreme._memory import ArrayStore, block_size, read_memory
from pseudolinear.extreme._routing import MANY_LABELS, takes_many
from pseudolinear.extreme._shortlist import Shortlist
from pseudolinear.extreme._splits import rarest_labels, split_labels
from pseudolinear.extreme._tree_fit import fit_tree
from pseudolinear.extreme._tree_learner import TreeLearner
from pseudolinear.extreme._tree_model import TreeModel
from pseudolinear.extreme._truncation import Truncation
from pseudolinear.extreme._weight_blocks import leave_out

__all__ = [
    "MANY_LABELS",
    "N_STAGES",
    "ArrayStore",
    "LabelCurves",
    "LabelCuts",
    "LabelModel",
    "LabelRows",
    "LabelTree",
    "LabelWeights",
    "ManyDecision",
    "ManyFitted",
    "ManyLabelsFit",
    "Shortlist",
    "TreeLearner",
    "TreeModel",
    "Truncation",
    "best_listed_labels",
    "block_size",
    "choose_cuts",
    "cut_columns",
    "decide_many",
    "fit_many",
    "fit_tree",
    "leave_out",
    "listed_probabilities",
    "rarest_labels",
    "read_memory",
    "split_labels",
    "takes_many",
]
