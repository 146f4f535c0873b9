"""Bad input gets one clear sentence that says what is wrong and what to do."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from pseudolinear import FBeta, Grid, LinearLearner, MeasureClassifier

X = np.random.RandomState(0).normal(size=(30, 3))
Y = np.arange(30) % 2
LABELS = np.stack([Y, 1 - Y], axis=1)


def spoilt(value):
    bad = X.copy()
    bad[3, 1] = value
    return bad


@pytest.mark.parametrize(
    ("rows", "y", "parameters", "message"),
    [
        (spoilt(np.nan), Y, {"estimator": LinearLearner()}, "contains NaN"),
        (spoilt(np.nan), Y, {"estimator": LogisticRegression()}, "contains NaN"),
        (sparse.csr_array(spoilt(np.nan)), Y, {}, "contains NaN"),
        (spoilt(np.inf), Y, {}, "contains infinity"),
        (X, np.ones(30), {}, "y has only one class, 1.0; FBeta needs a positive and a negative"),
        (X, np.full(30, "ham"), {}, "y has only one class, 'ham'"),
        (
            X,
            np.zeros((30, 2), int),
            {"measure": "f1_macro"},
            "No label of y has both a positive and a negative row",
        ),
        (X, LABELS, {}, "y has 2 labels, but FBeta.. is for one; use the measure f1_micro or f1_m"),
        (X, np.arange(30) % 3, {}, "Only binary classification is supported"),
        (X, Y[:20], {}, "inconsistent numbers of samples"),
        (X[:, 0], Y, {}, "Expected 2D array"),
        (X, Y, {"search": Grid(levels=[])}, "Grid: there are no levels to try"),
        (X, Y, {"search": Grid(levels=[2.5])}, r"the level 2.5 is outside \(0, 2\)"),
        (X, Y, {"estimator": "linear", "param_grid": []}, "param_grid is empty"),
        (X, Y, {"estimator": "linear", "param_grid": {"C": []}}, "non-empty"),
        (
            X,
            Y,
            {"estimator": "linear", "param_grid": {"c": [1]}},
            "LinearLearner has no parameter 'c'",
        ),
        (X, Y, {"effort": "most"}, "effort must be one of fast, balanced, best, got 'most'"),
        (X, Y, {"estimator": "linear", "effort": "more"}, "effort must be one of fast, balanced"),
        (X, Y, {"estimator": "logistic"}, "'auto' or one of linear, .*, got 'logistic'"),
        (
            X,
            Y,
            {"search": "gird"},
            "search must be one of auto, bisection, .* grid or a level search, got 'gird'",
        ),
        (
            X,
            Y,
            {"selection": "best"},
            "selection must be one of auto, both, joint, largest_value, least_cost, shrunk",
        ),
        (X, Y, {"cv": "third"}, "cv must be 'holdout', 'prefit', a number of folds or a splitter"),
        (X, Y, {"cv": []}, "cv gives no split"),
        (X, Y, {"max_seconds": -1}, "max_seconds must be None or a positive number, got -1"),
        (X, Y, {"max_seconds": "60"}, "max_seconds must be None or a positive number, got '60'"),
        (X, Y, {"measure": "f1_macr"}, "Unknown measure 'f1_macr'; did you mean 'f1_macro'?"),
        (X, Y, {"measure": "f1_samples"}, "'f1_samples'; it is not a pseudo-linear measure"),
        (
            X,
            Y,
            {"measure": FBeta(default_class="O")},
            "default_class='O' is not one of the classes",
        ),
        (X, Y, {"measure": FBeta(pos_label=5)}, "pos_label=5 is not one of the classes"),
        (X, LABELS, {"measure": FBeta(default_class=0)}, "has a default class, which a multilabel"),
        (X, Y, {"measure": "f1_macro", "selection": "least_cost"}, "no cost at a level"),
        (X, np.stack([Y, Y + 1], 1), {"measure": "f1_macro"}, "one MeasureClassifier per column"),
    ],
)
def test_bad_values(rows, y, parameters, message):
    """Wrong values are refused before anything is trained."""
    with pytest.raises(ValueError, match=message):
        MeasureClassifier(**parameters).fit(rows, y)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.r_[-1.0, np.ones(29)], "sample_weight must not be negative, got -1"),
        (np.zeros(30), "sample_weight is zero for every row"),
        (np.ones(20), r"sample_weight has the shape \(20,\), but there are 30 rows"),
        (np.r_[np.nan, np.ones(29)], "sample_weight contains NaN"),
    ],
)
def test_bad_weights(weights, message):
    """Weights must be non-negative, one per row, and not all zero."""
    with pytest.raises(ValueError, match=message):
        MeasureClassifier().fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (KNeighborsClassifier(), "KNeighborsClassifier cannot be swept: its fit takes no sample_w"),
        (LinearRegression(), "LinearRegression gives no scores"),
        (None, "estimator must be a scikit-learn classifier, got None"),
    ],
)
def test_estimators_that_cannot_be_swept(estimator, message):
    """A learner needs weights and scores."""
    with pytest.raises(TypeError, match=message):
        MeasureClassifier(estimator).fit(X, Y)


def test_measure_of_a_wrong_type():
    """A measure is a name or a Measure."""
    with pytest.raises(TypeError, match="measure must be a name or a Measure"):
        MeasureClassifier(measure=f_one).fit(X, Y)


def f_one():
    """Stand for a scorer function, which is not a measure."""


def test_nothing_is_changed_by_a_failed_fit():
    """A classifier that was fitted stays usable when a later fit is refused."""
    clf = MeasureClassifier(LogisticRegression(), random_state=0).fit(X, Y)
    before = clf.predict(X)
    with pytest.raises(ValueError, match="only one class"):
        clf.fit(X, np.ones(30))
    np.testing.assert_array_equal(clf.predict(X), before)


@pytest.mark.parametrize("y", [["a", "b"] * 20, [2, 3] * 20], ids=str)
def test_a_y_in_other_words_than_those_of_the_fit_is_not_taken_for_negative(y):
    """A value of 0 would be believed."""
    X, own = np.arange(40.0)[:, None], np.arange(40) > 25
    clf = MeasureClassifier("linear", random_state=0).fit(X, own.astype(int))
    for method in (clf.score, clf.evaluate):
        with pytest.raises(ValueError, match=r"y holds .* none of the classes \[0, 1\]"):
            method(X, y)
    assert clf.score(X, own.astype(float)) == clf.score(X, own.astype(int))


@pytest.mark.parametrize(
    ("classes", "measure"), [(["keep", "churn"], "f1"), (["keep", "churn", "idle"], "f1_macro")]
)
def test_a_class_in_other_words_is_warned_of(classes, measure):
    """Rows of "Churn" are no negatives, and no errors either: somebody has to look."""
    X = np.arange(60.0)[:, None]
    y = np.array(classes)[np.arange(60) // 20 % len(classes)]
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X, y)
    other = np.where(y == "churn", "Churn", y)
    for method in (clf.score, clf.evaluate):
        with pytest.warns(UserWarning, match="y holds the class 'Churn', which training has not"):
            method(X + 0.5, other)


def test_what_needs_a_fit_says_so():
    clf = MeasureClassifier("linear")
    for name in ("threshold_", "pos_label_", "models_", "learner_"):
        with pytest.raises(NotFittedError):
            getattr(clf, name)
    with pytest.raises(NotFittedError):
        clf.score([[0.0]], [0])


@pytest.mark.parametrize("missing", [np.nan, None])
def test_a_truth_with_gaps_is_refused(missing):
    """A row of unknown class is neither right nor wrong."""
    X, y = make_classification(200, random_state=0)
    clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    gappy = y.astype(object)
    gappy[3] = missing
    for method in (clf.score, clf.evaluate):
        with pytest.raises(ValueError, match="missing values; leave out"):
            method(X, gappy)


@pytest.mark.parametrize("kind", ["numbers", "sparse numbers"])
def test_folds_without_weight_to_train_on_are_refused(kind):
    """Found by random inputs: medians of no rows."""
    X = np.random.RandomState(0).randn(4, 8)
    X = X if kind == "numbers" else sparse.csr_matrix(X)
    Y, weight = np.array([[0, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 1]]), np.array([0, 2, 0, 1])
    clf = MeasureClassifier("linear", measure="f1_macro", cv=3, random_state=0)
    with pytest.raises(ValueError, match="no row with a weight above 0 to train on"):
        clf.fit(X, Y, sample_weight=weight)
