"""Thousands of labels: a tree of labels, and what is chosen on its shortlists."""

from pseudolinear.extreme._label_tree import LabelTree
from pseudolinear.extreme._shortlist import Shortlist
from pseudolinear.extreme._tree_learner import TreeLearner
from pseudolinear.extreme._tree_model import TreeModel

__all__ = ["LabelTree", "Shortlist", "TreeLearner", "TreeModel"]
