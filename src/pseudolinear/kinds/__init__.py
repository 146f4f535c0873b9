"""The kinds of problem: how y is read, labels are grouped, scores cut and decisions decoded."""

from pseudolinear.kinds._binary import Binary
from pseudolinear.kinds._goal import ClassGoal, Goal
from pseudolinear.kinds._iterative_folds import IterativeKFold
from pseudolinear.kinds._kind import Kind
from pseudolinear.kinds._multiclass import Multiclass
from pseudolinear.kinds._multilabel import Multilabel
from pseudolinear.kinds._positive import name_positive
from pseudolinear.kinds._reading import measure_for, read_target

__all__ = [
    "Binary",
    "ClassGoal",
    "Goal",
    "IterativeKFold",
    "Kind",
    "Multiclass",
    "Multilabel",
    "measure_for",
    "name_positive",
    "read_target",
]
