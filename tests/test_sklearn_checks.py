"""scikit-learn's own checks of its conventions, without exemption."""

from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import FBeta, Grid, KernelLearner, LinearLearner, MeasureClassifier


@parametrize_with_checks(
    [
        MeasureClassifier(),
        MeasureClassifier("linear", measure="f1_micro"),
        MeasureClassifier("linear", measure=FBeta(2, average="macro")),
        MeasureClassifier("linear", measure="f1_weighted"),
        MeasureClassifier("linear", measure="balanced_accuracy"),
        MeasureClassifier("linear", measure="mcc"),
        MeasureClassifier(LogisticRegression(), search=Grid(3)),
        MeasureClassifier(KernelLearner(), search=Grid(3)),
        MeasureClassifier([LogisticRegression(), DecisionTreeClassifier(max_depth=3)]),
        LinearLearner(),
        LinearLearner("squared_hinge"),
        LinearLearner("hinge"),
        KernelLearner(),
        KernelLearner(kernel="precomputed"),
    ]
)
def test_scikit_learn_conventions(estimator, check):
    """A classifier that passes can go wherever scikit-learn's own can."""
    check(estimator)
