"""The kinds of problem: how y is read, labels are grouped, scores cut and decisions decoded."""

from pseudolinear.kinds._binary import Binary
from pseudolinear.kinds._goal import ClassGoal, Goal, standard_error
from pseudolinear.kinds._iterative_folds import IterativeKFold
from pseudolinear.kinds._kind import Kind
from pseudolinear.kinds._label_kind import LabelKind
from pseudolinear.kinds._many_labels import ManyLabels
from pseudolinear.kinds._multiclass import Multiclass
from pseudolinear.kinds._multilabel import Multilabel
from pseudolinear.kinds._positive import CONVENTIONS, name_positive
from pseudolinear.kinds._prevalence import check_label_shift, read_prevalence
from pseudolinear.kinds._reading import measure_for, read_target

__all__ = [
    "CONVENTIONS",
    "Binary",
    "ClassGoal",
    "Goal",
    "IterativeKFold",
    "Kind",
    "LabelKind",
    "ManyLabels",
    "Multiclass",
    "Multilabel",
    "check_label_shift",
    "measure_for",
    "name_positive",
    "read_prevalence",
    "read_target",
    "standard_error",
]
