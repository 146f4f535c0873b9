"""The published experiments, and whatever else is written as a protocol."""

from pseudolinear.experiments._claims import Claim, check_claims
from pseudolinear.experiments._protocol import LearnerSetting, Protocol, Source, TableSetting
from pseudolinear.experiments._published import PUBLISHED, QUICK
from pseudolinear.experiments._reproduce import reproduce
from pseudolinear.experiments._results import Results, published_cells, tables
from pseudolinear.experiments._runner import run
from pseudolinear.experiments._store import Store

__all__ = [
    "PUBLISHED",
    "QUICK",
    "Claim",
    "LearnerSetting",
    "Protocol",
    "Results",
    "Source",
    "Store",
    "TableSetting",
    "check_claims",
    "published_cells",
    "reproduce",
    "run",
    "tables",
]
