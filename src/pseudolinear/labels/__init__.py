"""y as people have it: read into an array, and predictions back in the same form."""

from pseudolinear.labels._form import LabelForm
from pseudolinear.labels._frame import LabelFrame
from pseudolinear.labels._reading import check_classes, column_name, match_labels, read_labels
from pseudolinear.labels._separated import is_list, split_labels, suspect_separator
from pseudolinear.labels._sets import LabelSets
from pseudolinear.labels._sparse import SparseLabels
from pseudolinear.labels._sparse_reading import (
    count_labels,
    match_sparse_labels,
    read_sparse_labels,
)

__all__ = [
    "LabelForm",
    "LabelFrame",
    "LabelSets",
    "SparseLabels",
    "check_classes",
    "column_name",
    "count_labels",
    "is_list",
    "match_labels",
    "match_sparse_labels",
    "read_labels",
    "read_sparse_labels",
    "split_labels",
    "suspect_separator",
]
