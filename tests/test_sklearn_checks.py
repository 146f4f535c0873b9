"""scikit-learn's own checks of its conventions, without exemption."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import FBeta, Grid, MeasureClassifier


@parametrize_with_checks(
    [
        MeasureClassifier(),
        MeasureClassifier(measure="f1_micro", search=Grid(3)),
        MeasureClassifier(measure=FBeta(2, average="macro"), search=Grid(3)),
    ]
)
def test_scikit_learn_conventions(estimator, check):
    """A classifier that passes can go wherever scikit-learn's own can."""
    check(estimator)
