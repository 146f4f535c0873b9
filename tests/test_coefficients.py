"""Coefficients and importances, as scikit-learn's own classifiers have them."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE, RFECV, SelectFromModel
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from pseudolinear import Grid, KernelLearner, LinearLearner, MeasureClassifier

X, y = make_classification(
    300, 8, n_informative=3, n_redundant=0, shuffle=False, weights=[0.8], random_state=0
)
X = X * 10.0 ** np.arange(-4, 4) + 100.0 * np.arange(8)  # columns of any scale
SCALED = (X - X.mean(axis=0)) / X.std(axis=0)
CLASSES = np.array(["a", "b", "c"])[y + (X[:, 0] > 0)]
LABELS = np.stack([y, X[:, 1] > 100, np.ones(len(y))], axis=1).astype(int)


def measured(estimator="linear", **params):
    return MeasureClassifier(estimator, search=Grid(2), cv=2, random_state=0, **params)


def assert_linear(clf, X):
    """What scikit-learn's linear classifiers promise."""
    decision = clf.decision_function(X)
    found = (X @ clf.coef_.T + clf.intercept_).reshape(decision.shape)
    np.testing.assert_allclose(found, decision, rtol=1e-6, atol=1e-6)


@pytest.mark.filterwarnings("ignore:Label 2 has the same value")
@pytest.mark.parametrize(
    "target",
    [y, np.where(y, "bad", "good"), CLASSES, LABELS],
    ids=["0/1", "first class positive", "classes", "labels"],
)
def test_coefficients_of_the_columns_give_the_decision_function(target):
    """The scaling is folded in, and the thresholds are in the intercepts."""
    measure = "f1" if target.ndim == 1 and target is not CLASSES else "f1_macro"
    clf = measured(measure=measure).fit(X, target)
    assert clf.coef_.shape == (len(clf.intercept_), X.shape[1])
    assert_linear(clf, X)


def test_two_classes_of_a_mean_over_classes():
    """The lead of the second class is linear as well."""
    assert_linear(measured(measure="f1_macro").fit(X, y), X)
    assert_linear(measured(LogisticRegression(), measure="f1_macro").fit(SCALED, y), SCALED)


def test_sparse_columns():
    """They are divided by their largest value."""
    rows = sparse.csr_array(np.where(np.abs(SCALED) > 1.0, X, 0.0))
    assert_linear(measured().fit(rows, y), rows)


@pytest.mark.parametrize(
    "estimator",
    [
        LinearLearner("hinge"),
        LogisticRegression(fit_intercept=False),
        RidgeClassifier(),
        LinearSVC(),
        SVC(kernel="linear"),
        SGDClassifier(loss="log_loss"),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_coefficients_of_other_linear_classifiers(estimator):
    """On columns as they are given."""
    assert_linear(
        measured(estimator).fit((X - X.mean(0)) / X.std(0), y), (X - X.mean(0)) / X.std(0)
    )


def test_coefficients_without_costs():
    """Discriminants take no weights."""
    clf = measured(LinearDiscriminantAnalysis(), cost_sensitive=False).fit(SCALED, y)
    assert_linear(clf, SCALED)


def test_several_classes_by_decision_values():
    """One row per class, in their order."""
    assert_linear(measured(LinearSVC(), measure="f1_macro").fit(SCALED, CLASSES), SCALED)


FRAME = pd.DataFrame(X, columns=list("abcdefgh")).assign(kind=np.where(X[:, 0] > 0, "u", "v"))


@pytest.mark.parametrize(
    ("estimator", "rows", "target", "match"),
    [
        (["linear", LogisticRegression()], SCALED, y, "portfolio"),
        (SVC(), SCALED, y, "scores of SVC are not linear"),
        (SGDClassifier(loss="modified_huber"), SCALED, y, "not linear"),
        (LogisticRegression(), SCALED, CLASSES, "not linear"),
        (SVC(kernel="linear"), SCALED, CLASSES, "not linear"),
        (make_pipeline(StandardScaler(), LogisticRegression()), X, y, "last step"),
        (KernelLearner(C=0.1), SCALED, y, "KernelModel is not linear"),
        (KernelLearner(C=0.1), SCALED, CLASSES, "KernelModel is not linear"),
        ("lifted", X, y, "view 'nystroem'"),
        ("linear", FRAME, y, "categories"),
        ("linear", np.where(SCALED > 2.0, np.nan, X), y, "missing"),
    ],
)
def test_what_has_no_coefficients_says_why(estimator, rows, target, match):
    """An AttributeError, so that hasattr is False and scikit-learn looks elsewhere."""
    measure = "f1" if target is y else "f1_macro"
    clf = measured(estimator, measure=measure).fit(rows, target)
    with pytest.raises(AttributeError, match=match):
        clf.coef_  # noqa: B018
    assert not hasattr(clf, "intercept_")
    assert not hasattr(clf, "feature_importances_")


def test_before_fit():
    """Nothing is there yet."""
    with pytest.raises(NotFittedError):
        MeasureClassifier("linear").coef_  # noqa: B018
    assert not hasattr(MeasureClassifier(), "feature_importances_")


@pytest.mark.parametrize("estimator", ["forest", "boosting", RandomForestClassifier(20)])
def test_importances_of_trees(estimator):
    """The first three columns are informative; shares sum to one."""
    if estimator == "boosting":
        pytest.importorskip("lightgbm")
    found = measured(estimator).fit(X, y).feature_importances_
    assert found.shape == (8,)
    assert found.sum() == pytest.approx(1.0)
    assert set(np.argsort(found)[-3:]) == {0, 1, 2}


def test_importances_are_those_of_the_classifier():
    """A forest has its own; of two forests and of several labels it is the mean."""
    forest = measured(RandomForestClassifier(10)).fit(X, y)
    own = forest.models_[0].estimator.feature_importances_
    np.testing.assert_allclose(forest.feature_importances_, own)
    blend = measured([RandomForestClassifier(10), ExtraTreesClassifier(10)]).fit(X, y)
    parts = [m.estimator.feature_importances_ for m in blend.models_[0].models]
    np.testing.assert_allclose(blend.feature_importances_, np.mean(parts, axis=0))
    rows, Y = make_multilabel_classification(200, 10, n_classes=3, random_state=0)
    several = measured("forest", measure="f1_macro").fit(rows, Y)
    joint = several.models_[0].estimator.feature_importances_
    np.testing.assert_allclose(several.feature_importances_, joint)


@pytest.mark.slow
def test_importances_of_a_table_are_in_its_columns():
    """Categories come after numbers inside, and dates are several numbers there."""
    rng = np.random.default_rng(0)
    kind = rng.choice(["u", "v", "w"], 300)
    frame = pd.DataFrame({"kind": kind, "noise": rng.normal(size=300), "x": X[:, 0]})
    assert measured("forest").fit(frame, kind == "u").feature_importances_.argmax() == 0
    pytest.importorskip("skrub")
    day = pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 900, 300), "D")
    dated = pd.DataFrame({"kind": kind, "day": day, "x": X[:, 0]})
    late = measured("forest").fit(dated, day > pd.to_datetime("2025-01-01"))
    assert late.feature_importances_.argmax() == 1
    text = frame.assign(text=[f"word{i} and another one" for i in range(300)])
    with pytest.raises(AttributeError, match="topics"):
        measured("forest").fit(text, y).feature_importances_  # noqa: B018


@pytest.mark.slow
def test_selection_of_features():
    """RFE and SelectFromModel find the informative columns by coefficients and importances."""
    by_coef = RFE(measured(), n_features_to_select=3).fit(SCALED, y)
    assert by_coef.get_support().sum() == 3
    strongest = np.argsort(np.abs(measured().fit(SCALED, y).coef_[0]))
    assert by_coef.get_support()[strongest[-1]]
    assert set(SelectFromModel(measured("forest")).fit(X, y).get_support(True)) <= {0, 1, 2}
    assert RFECV(measured(), min_features_to_select=7, cv=2).fit(SCALED, y).n_features_ >= 7
