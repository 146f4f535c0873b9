"""The sweep: problems from levels, training through folds, candidates, and the choice."""

from pseudolinear.sweep._bar import Bar, HopelessError
from pseudolinear.sweep._checkpoint import Checkpoint
from pseudolinear.sweep._cutter import Cutter, FoldCurves
from pseudolinear.sweep._frontier import Frontier
from pseudolinear.sweep._limits import Limits, OutOfTimeError
from pseudolinear.sweep._packing import pack_models, unpack_models
from pseudolinear.sweep._plan import Plan
from pseudolinear.sweep._population import log_odds_shift
from pseudolinear.sweep._result import SweepResult
from pseudolinear.sweep._rows import Rows, Split
from pseudolinear.sweep._splits import fold_shares, make_splits
from pseudolinear.sweep._sweep import search_levels, sweep
from pseudolinear.sweep._trainer import Trainer
from pseudolinear.sweep._validated import Validated, validate
from pseudolinear.sweep._workers import Workers

__all__ = [
    "Bar",
    "Checkpoint",
    "Cutter",
    "FoldCurves",
    "Frontier",
    "HopelessError",
    "Limits",
    "OutOfTimeError",
    "Plan",
    "Rows",
    "Split",
    "SweepResult",
    "Trainer",
    "Validated",
    "Workers",
    "fold_shares",
    "log_odds_shift",
    "make_splits",
    "pack_models",
    "search_levels",
    "sweep",
    "unpack_models",
    "validate",
]
