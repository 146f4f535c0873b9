"""What verbs share: options, output, files, columns and models."""

from pseudolinear.cli.shared._budget import aim_of, budget_options
from pseudolinear.cli.shared._columns import (
    LabelledRows,
    Roles,
    check_column,
    labelled_rows,
    read_target,
    warn_of_separator,
    weight_column,
)
from pseudolinear.cli.shared._costs import cost_options, read_costs
from pseudolinear.cli.shared._interrupts import InterruptedByUser, interruptible, shield_workers
from pseudolinear.cli.shared._judging import rows_to_judge
from pseudolinear.cli.shared._models import (
    describe,
    features_of,
    load_evidence,
    load_model,
    predicted,
    save_retargeted,
    string_columns,
    target_of,
)
from pseudolinear.cli.shared._options import (
    Columns,
    columns_option,
    confidence_option,
    estimator_option,
    file_argument,
    format_option,
    jobs_option,
    measure_option,
    model_argument,
    numbers_option,
    out_option,
    seed_option,
)
from pseudolinear.cli.shared._output import Output, one_line, plain_warnings, table
from pseudolinear.cli.shared._parts import open_rows, positive_in
from pseudolinear.cli.shared._paths import check_output
from pseudolinear.cli.shared._positive import choose_positive, find_positive
from pseudolinear.cli.shared._score_files import (
    name_positive_class,
    open_parts,
    parts_argument,
    several_parts,
)
from pseudolinear.cli.shared._streamed_threshold import (
    headline,
    streamed_thresholds,
    threshold_table,
)
from pseudolinear.cli.shared._verb import COMPLETION, Verb
from pseudolinear.cli.shared._writers import OUTPUT_FORMATS, open_writer, output_format

__all__ = [
    "COMPLETION",
    "OUTPUT_FORMATS",
    "Columns",
    "InterruptedByUser",
    "LabelledRows",
    "Output",
    "Roles",
    "Verb",
    "aim_of",
    "budget_options",
    "check_column",
    "check_output",
    "choose_positive",
    "columns_option",
    "confidence_option",
    "cost_options",
    "describe",
    "estimator_option",
    "features_of",
    "file_argument",
    "find_positive",
    "format_option",
    "headline",
    "interruptible",
    "jobs_option",
    "labelled_rows",
    "load_evidence",
    "load_model",
    "measure_option",
    "model_argument",
    "name_positive_class",
    "numbers_option",
    "one_line",
    "open_parts",
    "open_rows",
    "open_writer",
    "out_option",
    "output_format",
    "parts_argument",
    "plain_warnings",
    "positive_in",
    "predicted",
    "read_costs",
    "read_target",
    "rows_to_judge",
    "save_retargeted",
    "seed_option",
    "several_parts",
    "shield_workers",
    "streamed_thresholds",
    "string_columns",
    "table",
    "target_of",
    "threshold_table",
    "warn_of_separator",
    "weight_column",
]
