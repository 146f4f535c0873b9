"""Names: what they stand for, and what is suggested in place of unknown ones."""

import pytest
from sklearn.metrics import get_scorer_names

from pseudolinear import FBeta, GeometricMean, MatthewsCorrelation, best_thresholds, get_measure


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("f1_weighted", FBeta(average="weighted")),
        ("mcc", MatthewsCorrelation()),
        ("g_mean", GeometricMean()),
    ],
)
def test_names_stand_for_measures(name, measure):
    """Ratios and other objectives alike; what is given as an object is returned."""
    assert get_measure(name) == measure
    assert get_measure(measure) is measure


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("f1-macro", "f1_macro"),
        ("macro_f1", "f1_macro"),
        ("weighted F1", "f1_weighted"),
        ("f1_score", "f1"),
        ("f1_binary", "f1"),
        ("matthews", "mcc"),
        ("matthews_corrcoef", "mcc"),
        ("mcc_macro", "mcc"),
        ("MCC", "mcc"),
        ("gmean", "g_mean"),
        ("G-Mean", "g_mean"),
        ("kappa", "cohen_kappa"),
        ("iou_macro", "jaccard_macro"),
        ("balanced_accuracy_score", "balanced_accuracy"),
    ],
)
def test_wrong_names_suggest_the_right_one(name, meant):
    """Order, case, punctuation and the names of other libraries."""
    with pytest.raises(ValueError, match=f"Unknown measure '{name}'; did you mean '{meant}'"):
        get_measure(name)


@pytest.mark.parametrize("name", ["roc_auc", "roc_auc_ovr", "average_precision", "neg_log_loss"])
def test_measures_of_rankings_are_told_apart(name):
    """No threshold changes them, so there is nothing to maximise."""
    with pytest.raises(ValueError, match="judges rankings or probabilities, not decisions"):
        get_measure(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fbeta", "say which beta, as in 'f2'"),
        ("precision_macro", "use RecallAtPrecision"),
        ("recall", "use PrecisionAtRecall"),
    ],
)
def test_other_names_say_what_to_do(name, message):
    """They mean something, but not yet a measure to maximise."""
    with pytest.raises(ValueError, match=message):
        get_measure(name)


def test_scorer_names_of_decisions_work_or_suggest():
    """Every name of scikit-learn that starts like a measure of ours is known or led to one."""
    stems = ("f1", "jaccard", "accuracy", "balanced_accuracy", "matthews")
    for name in get_scorer_names():
        if name.startswith(stems) and not name.endswith("_samples"):
            try:
                get_measure(name)
            except ValueError as error:
                assert "did you mean" in str(error), name  # noqa: PT017


def test_where_a_ratio_is_needed_its_relative_is_named():
    """Joint thresholds go by costs, which Matthews' correlation has not."""
    with pytest.raises(ValueError, match=r"'mcc' is not a ratio .* use CohenKappa\(\)"):
        best_thresholds([[1, 0]], [[1.0, 0.0]], "mcc")
