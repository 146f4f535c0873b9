"""What people read of a fitted classifier: a few lines, or one self-contained page."""

from pseudolinear.report._calibration import Bin, reliability
from pseudolinear.report._cuts import Cuts, cuts_per_label, label_curves, spread_cuts
from pseudolinear.report._features import Features
from pseudolinear.report._label import LabelPart
from pseudolinear.report._others import OtherMeasure, other_label_measures
from pseudolinear.report._page import make_page
from pseudolinear.report._report import Headline, Report, report_on_evidence, report_on_rows
from pseudolinear.report._rows import LabelRows
from pseudolinear.report._summarise import summarise
from pseudolinear.report._summary import Summary
from pseudolinear.report._words import error_words, measure_words, share

__all__ = [
    "Bin",
    "Cuts",
    "Features",
    "Headline",
    "LabelPart",
    "LabelRows",
    "OtherMeasure",
    "Report",
    "Summary",
    "cuts_per_label",
    "error_words",
    "label_curves",
    "make_page",
    "measure_words",
    "other_label_measures",
    "reliability",
    "report_on_evidence",
    "report_on_rows",
    "share",
    "spread_cuts",
    "summarise",
]
