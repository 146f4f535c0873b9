"""scikit-learn's own checks of its conventions, without exemption, with metadata routing or not."""

import pytest
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import FBeta, Grid, KernelLearner, LinearLearner, MeasureClassifier
from pseudolinear.rivals import ThresholdStrategy

ESTIMATORS = [
    MeasureClassifier(),
    MeasureClassifier("linear", measure="f1_micro"),
    MeasureClassifier("linear", measure=FBeta(2, average="macro")),
    MeasureClassifier("linear", measure="mcc"),
    MeasureClassifier(LogisticRegression(), search=Grid(3)),
    MeasureClassifier([LogisticRegression(), DecisionTreeClassifier(max_depth=3)]),
    LinearLearner(),
    LinearLearner("hinge"),
    KernelLearner(),
    KernelLearner(kernel="precomputed"),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_conventions(estimator, check):
    """A classifier that passes can go wherever scikit-learn's own can."""
    check(estimator)


@parametrize_with_checks([MeasureClassifier(LogisticRegression(), search=Grid(1), cv=2)])
def test_scikit_learn_conventions_with_routing(estimator, check):
    """The same where metadata is routed."""
    with sklearn.config_context(enable_metadata_routing=True):
        check(estimator)


@pytest.mark.slow
@parametrize_with_checks([ThresholdStrategy()])
def test_scikit_learn_conventions_of_a_rival_with_routing(estimator, check):
    """The same for a rival around another classifier."""
    with sklearn.config_context(enable_metadata_routing=True):
        check(estimator)
