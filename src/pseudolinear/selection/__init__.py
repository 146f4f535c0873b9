"""Which candidates, cut where, make the classifier: one object per rule."""

from pseudolinear._discovery import import_modules
from pseudolinear.selection._both import Both
from pseudolinear.selection._candidate import Candidate
from pseudolinear.selection._choice import Choice, cheapest, goal_weights
from pseudolinear.selection._constrained import Constrained
from pseudolinear.selection._joint import Joint
from pseudolinear.selection._label_table import LabelTable
from pseudolinear.selection._largest_value import LargestValue
from pseudolinear.selection._least_cost import LeastCost
from pseudolinear.selection._names import get_rule
from pseudolinear.selection._rule import Rule
from pseudolinear.selection._shrunk import TRUST, Shrunk, shrink

__all__ = [
    "TRUST",
    "Both",
    "Candidate",
    "Choice",
    "Constrained",
    "Joint",
    "LabelTable",
    "LargestValue",
    "LeastCost",
    "Rule",
    "Shrunk",
    "cheapest",
    "get_rule",
    "goal_weights",
    "shrink",
]

import_modules(__name__)  # so that a new rule is known by its name
