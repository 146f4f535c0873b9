"""From a data frame, texts or numbers to what each learner likes."""

from pseudolinear._discovery import import_modules
from pseudolinear.features._features import Encoded, Features
from pseudolinear.features._folds import FoldFeatures, row_key
from pseudolinear.features._given import check_given, without_mask
from pseudolinear.features._number_sums import NumberSums
from pseudolinear.features._schema import MatrixSchema, Schema, TextSchema, as_rows, describe
from pseudolinear.features._suspects import warn_of_suspects
from pseudolinear.features._table import Table
from pseudolinear.features._view import GIVEN, View

import_modules(__name__)

__all__ = [
    "GIVEN",
    "Encoded",
    "Features",
    "FoldFeatures",
    "MatrixSchema",
    "NumberSums",
    "Schema",
    "Table",
    "TextSchema",
    "View",
    "as_rows",
    "check_given",
    "describe",
    "row_key",
    "warn_of_suspects",
    "without_mask",
]
