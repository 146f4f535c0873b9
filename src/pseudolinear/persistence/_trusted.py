"""The types that a saved model may hold, besides what skops trusts itself.

Our own are filled with attributes and never called on loading; a new class that can be part of a
decision or of its evidence is one more name here.
"""

from __future__ import annotations


def _names(module: str, classes: str) -> list[str]:
    return [f"{module}.{name}" for name in classes.split()]


OBJECTS = [
    *_names("pseudolinear._calibration", "Calibration"),
    *_names("pseudolinear._classifier", "MeasureClassifier"),
    *_names("pseudolinear._decision", "Decision"),
    *_names("pseudolinear._group_thresholds", "GroupThresholds"),
    *_names("pseudolinear._label_budget", "LabelBudget LabelRule"),
    *_names("pseudolinear._problem", "ClassesProblem LabelProblem"),
    *_names("pseudolinear._row_budget", "RowBudget"),
    *_names("pseudolinear.bounds._certificate", "Certificate Statement"),
    *_names("pseudolinear.bounds._cone_bound", "ConeBound"),
    *_names("pseudolinear.errors._curve", "ErrorCurve"),
    *_names("pseudolinear.errors._profile", "ErrorProfile"),
    *_names("pseudolinear.evaluation._label_promise", "LabelPromise"),
    *_names("pseudolinear.evaluation._promise", "Promise"),
    *_names("pseudolinear.evaluation._adaptation", "Adaptation LabelAdaptation"),
    *_names("pseudolinear.extreme._label_curves", "LabelCurves"),
    *_names("pseudolinear.extreme._label_weights", "LabelWeights"),
    *_names("pseudolinear.extreme._many_decision", "ManyDecision"),
    *_names("pseudolinear.extreme._many_labels_fit", "ManyLabelsFit"),
    *_names("pseudolinear.extreme._truncation", "Truncation"),
    *_names("pseudolinear.features._columns", "Categories Dates Numbers Texts"),
    *_names("pseudolinear.features._dense", "DenseView"),
    *_names("pseudolinear.features._features", "Features"),
    *_names("pseudolinear.features._indicators", "IndicatorsView"),
    *_names("pseudolinear.features._numbers", "NumbersView"),
    *_names("pseudolinear.features._nystroem", "NystroemView"),
    *_names("pseudolinear.features._scaled", "ScaledView"),
    *_names("pseudolinear.features._schema", "ColumnSchema MatrixSchema TextSchema"),
    *_names("pseudolinear.features._splines", "SplinesView"),
    *_names("pseudolinear.features._topics", "TopicsView"),
    *_names("pseudolinear.features._trees", "TreesView"),
    *_names("pseudolinear.features._words", "WordsView"),
    *_names("pseudolinear.kinds._binary", "Binary"),
    *_names("pseudolinear.kinds._goal", "ClassGoal Goal"),
    *_names("pseudolinear.kinds._iterative_folds", "IterativeKFold"),
    *_names("pseudolinear.kinds._many_labels", "ManyLabels"),
    *_names("pseudolinear.kinds._multiclass", "Multiclass"),
    *_names("pseudolinear.kinds._multilabel", "Multilabel"),
    *_names("pseudolinear.labels._form", "LabelForm"),
    *_names("pseudolinear.labels._frame", "LabelFrame"),
    *_names("pseudolinear.labels._holders", "ArrayHolder ColumnHolder ListHolder"),
    *_names("pseudolinear.labels._sets", "LabelSets"),
    *_names("pseudolinear.labels._sparse", "SparseLabels"),
    *_names("pseudolinear.learners._boosting", "BoostedModel BoostingLearner"),
    *_names("pseudolinear.learners._early_stopping", "EarlyStoppingLearner"),
    *_names("pseudolinear.learners._estimator", "EstimatorLearner EstimatorModel"),
    *_names("pseudolinear.learners._joint", "JointLearner JointModel"),
    *_names("pseudolinear.learners._kernel", "KernelLearner KernelModel"),
    *_names("pseudolinear.learners._linear", "LinearLearner LinearModel"),
    *_names("pseudolinear.learners._native", "ClassModel"),
    *_names("pseudolinear.learners._prefit", "PrefitLearner PrefitModel"),
    *_names("pseudolinear.measures._balanced_accuracy", "BalancedAccuracy"),
    *_names("pseudolinear.measures._coefficients", "Coefficients"),
    *_names("pseudolinear.measures._cohen_kappa", "CohenKappa"),
    *_names("pseudolinear.measures._cost_policy", "CostPolicy"),
    *_names("pseudolinear.measures._expected_cost", "ExpectedCost"),
    *_names("pseudolinear.measures._f_beta", "FBeta"),
    *_names("pseudolinear.measures._f_beta_over_labels", "FBetaOverLabels"),
    *_names("pseudolinear.measures._geometric_mean", "GeometricMean"),
    *_names("pseudolinear.measures._gower_legendre", "GowerLegendre"),
    *_names("pseudolinear.measures._jaccard", "Jaccard"),
    *_names("pseudolinear.measures._linear_fractional", "LinearFractional"),
    *_names("pseudolinear.measures._matthews_correlation", "MatthewsCorrelation"),
    *_names("pseudolinear.measures._tversky", "Tversky"),
    *_names("pseudolinear.measures._weighted_accuracy", "WeightedAccuracy"),
    *_names("pseudolinear.portfolio._blend", "Blend BlendProblem BlendScorer Share"),
    *_names("pseudolinear.portfolio._scale", "Scale"),
    *_names("pseudolinear.search._bisection", "Bisection"),
    *_names("pseudolinear.search._bracket", "Bracket"),
    *_names("pseudolinear.search._cone", "Cone"),
    *_names("pseudolinear.search._dinkelbach", "Dinkelbach"),
    *_names("pseudolinear.search._grid", "Grid"),
    *_names("pseudolinear.selection._both", "Both"),
    *_names("pseudolinear.selection._candidate", "Candidate"),
    *_names("pseudolinear.selection._choice", "Choice"),
    *_names("pseudolinear.selection._constrained", "Constrained"),
    *_names("pseudolinear.selection._joint", "Joint"),
    *_names("pseudolinear.selection._largest_value", "LargestValue"),
    *_names("pseudolinear.selection._least_cost", "LeastCost"),
    *_names("pseudolinear.selection._shrunk", "Shrunk"),
    *_names("pseudolinear.selection._smoothed", "Smoothed"),
    *_names("pseudolinear.sweep._result", "SweepResult"),
    *_names("pseudolinear.thresholds._budget", "Budget"),
    *_names("pseudolinear.thresholds._cut", "Cut"),
    *_names("pseudolinear.thresholds._group_cut", "GroupCut GroupThreshold"),
    *_names(
        "pseudolinear.thresholds._objectives",
        "FalseNegativesAtFalsePositives MinimalCost PrecisionAtRecall RecallAtBudget "
        "RecallAtPrecision",
    ),
    *_names("lightgbm.basic", "Booster"),
    *_names("lightgbm.sklearn", "LGBMClassifier"),
    *_names("polars.datatypes.classes", "Date Datetime"),
    *_names("sklearn.calibration", "_CalibratedClassifier _SigmoidCalibration"),
    *_names("sklearn.ensemble._hist_gradient_boosting.predictor", "TreePredictor"),
    *_names("sklearn.neural_network._stochastic_optimizers", "AdamOptimizer SGDOptimizer"),
    *_names(
        "sklearn.model_selection._split",
        "GroupKFold GroupShuffleSplit KFold ShuffleSplit StratifiedGroupKFold StratifiedKFold "
        "StratifiedShuffleSplit TimeSeriesSplit",
    ),
    *_names("skrub._datetime_encoder", "DatetimeEncoder"),
    *_names("skrub._to_datetime", "ToDatetime"),
]

VALUES = [  # built by calling them, which does nothing but make a value
    *_names("builtins", "frozenset"),
    *_names("collections", "OrderedDict"),
    *_names("datetime", "timedelta timezone"),
    *_names("numpy", "dtype"),
    *_names("pandas", "DatetimeTZDtype"),
    *_names("pandas.core.dtypes.dtypes", "DatetimeTZDtype"),
    *_names("scipy.sparse._csr", "csr_array csr_matrix"),
    *_names("sklearn.tree._tree", "Tree"),
    *_names("zoneinfo", "ZoneInfo"),
]

#: Every type that a saved model may hold besides what skops trusts itself, by name. It is what
#: `skops.io.load` takes as `trusted`, and MLflow as `skops_trusted_types`.
TRUSTED: list[str] = [*OBJECTS, *VALUES]
