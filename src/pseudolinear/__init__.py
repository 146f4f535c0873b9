"""Train classifiers for the measure people report.

Rooms load when something of theirs is first asked for, so that importing the package costs little.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from pseudolinear._classifier import MeasureClassifier
    from pseudolinear._decision import Decision
    from pseudolinear.bounds import Certificate, ConeBound, Statement, certify
    from pseudolinear.errors import ErrorCurve, ErrorProfile
    from pseudolinear.evaluation import (
        Adaptation,
        Difference,
        Evaluation,
        Gap,
        GroupEvaluation,
        GroupEvaluations,
        LabelAdaptation,
        LabelEvaluation,
        LabelPromise,
        Promise,
        evaluate,
        evaluate_batches,
        evaluate_difference,
    )
    from pseudolinear.kinds import IterativeKFold
    from pseudolinear.learners import KernelLearner, LinearLearner
    from pseudolinear.measures import (
        BalancedAccuracy,
        Coefficients,
        CohenKappa,
        ExpectedCost,
        FBeta,
        FBetaOverLabels,
        GeometricMean,
        GowerLegendre,
        Jaccard,
        LinearFractional,
        MatthewsCorrelation,
        Measure,
        Objective,
        Tversky,
        WeightedAccuracy,
        get_measure,
    )
    from pseudolinear.persistence import load
    from pseudolinear.rivals import METHODS, Comparison, Task, compare
    from pseudolinear.search import Bisection, Bracket, Cone, Dinkelbach, Grid, LevelSearch
    from pseudolinear.selection import Rule
    from pseudolinear.sweep import Frontier, SweepResult
    from pseudolinear.thresholds import (
        Budget,
        Cut,
        FalseNegativesAtFalsePositives,
        GroupCut,
        GroupThreshold,
        LabelPlan,
        MinimalCost,
        PrecisionAtRecall,
        RecallAtBudget,
        RecallAtPrecision,
        ResampledCut,
        StreamedCut,
        best_group_thresholds,
        best_labels,
        best_offsets,
        best_shared_threshold,
        best_threshold,
        best_thresholds,
        resampled_threshold,
        streamed_threshold,
    )

_ROOMS = {
    "_classifier": "MeasureClassifier",
    "_decision": "Decision",
    "bounds": "Certificate ConeBound Statement certify",
    "errors": "ErrorCurve ErrorProfile",
    "evaluation": (
        "Adaptation Difference Evaluation Gap GroupEvaluation GroupEvaluations LabelAdaptation "
        "LabelEvaluation LabelPromise Promise evaluate evaluate_batches evaluate_difference"
    ),
    "kinds": "IterativeKFold",
    "learners": "KernelLearner LinearLearner",
    "measures": (
        "BalancedAccuracy Coefficients CohenKappa ExpectedCost FBeta FBetaOverLabels GeometricMean "
        "GowerLegendre Jaccard LinearFractional MatthewsCorrelation Measure Objective Tversky "
        "WeightedAccuracy get_measure"
    ),
    "persistence": "load",
    "rivals": "METHODS Comparison Task compare",
    "search": "Bisection Bracket Cone Dinkelbach Grid LevelSearch",
    "selection": "Rule",
    "sweep": "Frontier SweepResult",
    "thresholds": (
        "Budget Cut FalseNegativesAtFalsePositives GroupCut GroupThreshold LabelPlan MinimalCost "
        "PrecisionAtRecall RecallAtBudget RecallAtPrecision ResampledCut StreamedCut "
        "best_group_thresholds best_labels best_offsets "
        "best_shared_threshold best_threshold best_thresholds resampled_threshold "
        "streamed_threshold"
    ),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = [
    "METHODS",
    "Adaptation",
    "BalancedAccuracy",
    "Bisection",
    "Bracket",
    "Budget",
    "Certificate",
    "Coefficients",
    "CohenKappa",
    "Comparison",
    "Cone",
    "ConeBound",
    "Cut",
    "Decision",
    "Difference",
    "Dinkelbach",
    "ErrorCurve",
    "ErrorProfile",
    "Evaluation",
    "ExpectedCost",
    "FBeta",
    "FBetaOverLabels",
    "FalseNegativesAtFalsePositives",
    "Frontier",
    "Gap",
    "GeometricMean",
    "GowerLegendre",
    "Grid",
    "GroupCut",
    "GroupEvaluation",
    "GroupEvaluations",
    "GroupThreshold",
    "IterativeKFold",
    "Jaccard",
    "KernelLearner",
    "LabelAdaptation",
    "LabelEvaluation",
    "LabelPlan",
    "LabelPromise",
    "LevelSearch",
    "LinearFractional",
    "LinearLearner",
    "MatthewsCorrelation",
    "Measure",
    "MeasureClassifier",
    "MinimalCost",
    "Objective",
    "PrecisionAtRecall",
    "Promise",
    "RecallAtBudget",
    "RecallAtPrecision",
    "ResampledCut",
    "Rule",
    "Statement",
    "StreamedCut",
    "SweepResult",
    "Task",
    "Tversky",
    "WeightedAccuracy",
    "best_group_thresholds",
    "best_labels",
    "best_offsets",
    "best_shared_threshold",
    "best_threshold",
    "best_thresholds",
    "certify",
    "compare",
    "evaluate",
    "evaluate_batches",
    "evaluate_difference",
    "get_measure",
    "load",
    "resampled_threshold",
    "streamed_threshold",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its room, and the version from the installed package."""
    if name == "__version__":
        return import_module("importlib.metadata").version(__name__)
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
