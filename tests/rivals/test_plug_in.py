"""Plug-in thresholds: against all classifiers of small distributions, and the known formulas."""

from itertools import product

import numpy as np
import pytest
from data import load
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import (
    BalancedAccuracy,
    CohenKappa,
    ErrorProfile,
    FBeta,
    GowerLegendre,
    Jaccard,
    LinearFractional,
    MeasureClassifier,
    Tversky,
    WeightedAccuracy,
)
from pseudolinear.rivals._plug_in import PlugInClassifier
from pseudolinear.rivals._plug_in_threshold import plug_in_fixed_point, plug_in_threshold

BINARY = [FBeta(), FBeta(0.5), FBeta(2.0), Jaccard(), Tversky(0.2, 2.0), CohenKappa()]
BINARY += [BalancedAccuracy(), WeightedAccuracy(2.0, 1.0), GowerLegendre()]
BINARY += [LinearFractional(1.0, [-0.5, 0], 1.0, [-0.25, 1])]
SEVERAL = [FBeta(average="micro"), FBeta(2.0, average="macro"), Jaccard(average="micro")]
SEVERAL += [CohenKappa(average="micro"), BalancedAccuracy(average="macro")]
SEVERAL += [LinearFractional(1.0, [-0.5, 0, -0.1, -0.2], 1.0, [-0.25, 0.5, 0, 0.3])]
POINTS = st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(0.05, 1.0)), min_size=1, max_size=7)


class Known(ClassifierMixin, BaseEstimator):
    """A classifier whose probability of the positive class is the first feature."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.stack([1 - X[:, 0], X[:, 0]], axis=1)

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0.5).astype(int)]


def expected_errors(probability, mass, positive):
    """Give the profile of a classifier on a finite distribution."""
    mass = (mass / mass.sum())[:, None]
    probability = probability.reshape(len(mass), -1)
    positive = positive.reshape(probability.shape)
    return ErrorProfile(
        (mass * probability * ~positive).sum(axis=0),
        (mass * (1 - probability) * positive).sum(axis=0),
        (mass * probability).sum(axis=0),
    )


def best_of_all(probability, mass, measure):
    """Try every classifier: any set of points may be predicted."""
    values = [
        measure.value(expected_errors(probability, mass, np.array(positive)))
        for positive in product([False, True], repeat=probability.size)
    ]
    return max(values)


@pytest.mark.parametrize("measure", BINARY, ids=repr)
@settings(max_examples=25)
@given(points=POINTS)
def test_fixed_point_is_the_best_of_all_classifiers(measure, points):
    """Its value is the largest one, and its threshold makes the predictions that have it."""
    probability, mass = np.array(points).T
    cut = plug_in_fixed_point(probability, measure, sample_weight=mass)
    assert cut.value == pytest.approx(best_of_all(probability, mass, measure), abs=1e-12)
    predicted = expected_errors(probability, mass, probability > cut.threshold)
    assert measure.value(predicted) == pytest.approx(cut.value, abs=1e-12)
    assert cut.threshold == plug_in_threshold(measure, cut.profile.prevalence[0], cut.value)


@pytest.mark.parametrize("measure", SEVERAL, ids=repr)
def test_fixed_point_of_several_labels_is_the_best_of_all_classifiers(measure):
    """Micro averages are optimised jointly, macro averages label by label."""
    rng = np.random.default_rng(0)
    for _ in range(6):
        probability, mass = rng.uniform(0.02, 0.98, (4, 2)), rng.uniform(0.1, 1, 4)
        cut = plug_in_fixed_point(probability, measure, sample_weight=mass)
        assert cut.value == pytest.approx(best_of_all(probability, mass, measure), abs=1e-12)
        predicted = expected_errors(probability, mass, probability > cut.threshold)
        assert measure.value(predicted) == pytest.approx(cut.value, abs=1e-12)


def test_known_thresholds():
    """F-beta: v / (1 + beta^2); Jaccard: v / (1 + v); balanced accuracy: P; accuracy: 1/2."""
    assert plug_in_threshold("f1", 0.3, 0.8) == pytest.approx(0.4)
    assert plug_in_threshold("f2", 0.3, 0.8) == pytest.approx(0.16)
    assert plug_in_threshold("jaccard", 0.3, 0.6) == pytest.approx(0.375)
    assert plug_in_threshold("balanced_accuracy", 0.3, 0.9) == pytest.approx(0.3)
    assert plug_in_threshold("accuracy", 0.3, 0.9) == pytest.approx(0.5)
    assert plug_in_threshold(GowerLegendre(), 0.3, 0.9) == pytest.approx(0.5)
    macro = plug_in_threshold("f1_macro", [0.3, 0.1], [0.8, 0.4])
    np.testing.assert_allclose(macro, [0.4, 0.2])


def test_koyejo_formula():
    """The published closed form with tp, fp, fn and tn agrees, for kappa and Tversky too."""
    rng = np.random.default_rng(1)
    for measure in BINARY[:-1]:
        p, value = rng.uniform(0.1, 0.9), rng.uniform(0.05, 0.95)
        _, gamma, _, delta = measure.coefficients(p)
        # tp = P - fn and tn = 1 - P - fp, so a ratio in (fn, fp) has a11 = a00 = 0.
        c1, c2 = -gamma[1] - gamma[0], gamma[1]
        d1, d2 = -delta[1] - delta[0], delta[1]
        published = (d2 * value - c2) / (c1 - d1 * value)
        assert plug_in_threshold(measure, p, value) == pytest.approx(published)


@pytest.mark.parametrize("p", [0.01, 0.2, 0.7])
def test_without_information_everything_is_positive(p):
    """Lipton's warning: with equal probabilities the best F1 is 2P / (1 + P)."""
    cut = plug_in_fixed_point(np.full(10, p))
    assert cut.value == pytest.approx(2 * p / (1 + p))
    assert cut.threshold < p
    assert cut.profile.fn == 0


def test_true_frequencies_as_probabilities_make_observed_and_expected_errors_equal():
    """Probabilities that are the shares of positives in groups are calibrated exactly."""
    rng = np.random.default_rng(2)
    group = rng.integers(0, 6, 300)
    y = rng.random(300) < (group + 0.5) / 8
    share = np.array([y[group == g].mean() for g in range(6)])[group]
    for measure in BINARY:
        observed = plug_in_fixed_point(share, measure, y_true=y)
        expected = plug_in_fixed_point(share, measure)
        assert observed.value == pytest.approx(expected.value)
        assert observed.value == pytest.approx(measure.score(y, share > observed.threshold))


def test_a_row_at_the_threshold_is_not_predicted():
    """The profile counts what `probability > threshold` predicts."""
    p = np.array([0.5, 0.5, 0.9, 0.2])
    cut = plug_in_fixed_point(p, "accuracy")
    assert cut.threshold == 0.5
    predicted = expected_errors(p, np.ones(4), p > cut.threshold)
    np.testing.assert_allclose([cut.profile.fn, cut.profile.fp], [predicted.fn, predicted.fp])


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32 - 1))
def test_wrong_probabilities_end_at_the_best_threshold_that_was_seen(seed):
    """The iteration stops and reports what its threshold gives, whatever the labels."""
    rng = np.random.default_rng(seed)
    y, p = rng.random(25) < 0.4, rng.random(25)
    y[0] = True
    cut = plug_in_fixed_point(p, y_true=y)
    assert cut.value == pytest.approx(FBeta().score(y, p > cut.threshold))


@pytest.mark.parametrize(
    ("probabilities", "options", "match"),
    [
        ([0.5, 1.2], {}, "between 0 and 1, got 1.2"),
        ([0.5, -0.1], {}, "between 0 and 1, got -0.1"),
        ([0.5, np.nan], {}, "between 0 and 1, got nan"),
        ([], {}, "shape"),
        ([0.5, 0.5], {"y_true": [1, 0, 1]}, "must be equal"),
        ([0.5, 0.5], {"y_true": [0, 0]}, "No row carries the label"),
        ([0.5, 0.5], {"max_iter": 0}, "max_iter must be positive"),
        ([[0.5, 0.5]], {"measure": "f1"}, "one label"),
    ],
)
def test_bad_input_is_refused(probabilities, options, match):
    with pytest.raises(ValueError, match=match):
        plug_in_fixed_point(probabilities, **options)


def test_a_threshold_needs_costs():
    with pytest.raises(ValueError, match="costs that are not negative"):
        plug_in_threshold("f1", 0.3, 2.5)


def imbalanced(n=600, n_labels=None, seed=0):
    """Rows whose labels follow a logistic model."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    weights = rng.normal(size=(5, n_labels or 1))
    Y = (rng.random((n, n_labels or 1)) < 1 / (1 + np.exp(2.0 - X @ weights))).astype(int)
    return X, (Y if n_labels else Y[:, 0])


@parametrize_with_checks([PlugInClassifier()])
def test_scikit_learn_conventions(estimator, check):
    """A classifier that passes can go wherever scikit-learn's own can."""
    check(estimator)


@pytest.mark.parametrize("errors", ["observed", "expected"])
@pytest.mark.parametrize("measure", ["f1_micro", "f2_macro"])
def test_threshold_is_that_of_cross_validated_probabilities(measure, errors):
    """The same by scikit-learn's cross_val_predict, for several labels."""
    X, Y = imbalanced(n_labels=3)
    cv = KFold(4)
    clf = PlugInClassifier(LogisticRegression(), measure=measure, errors=errors, cv=cv).fit(X, Y)
    p = np.stack(
        [
            cross_val_predict(LogisticRegression(), X, y, cv=cv, method="predict_proba")[:, 1]
            for y in Y.T
        ],
        axis=1,
    )
    cut = plug_in_fixed_point(p, measure, y_true=Y if errors == "observed" else None)
    np.testing.assert_allclose(clf.threshold_, cut.threshold, rtol=1e-9)
    assert clf.best_score_ == pytest.approx(cut.value)
    model = LogisticRegression().fit(X, Y[:, 1])
    np.testing.assert_array_equal(
        clf.predict(X)[:, 1], model.predict_proba(X)[:, 1] > clf.threshold_[1]
    )


def test_positive_class_may_be_the_smaller_one():
    """Names of classes do not matter, nor which one is positive."""
    X, y = imbalanced()
    names = np.where(y == 1, "bad", "good")
    by_name = PlugInClassifier(measure=FBeta(pos_label="bad"), random_state=0).fit(X, names)
    by_code = PlugInClassifier(measure=FBeta(), random_state=0).fit(X, y)
    np.testing.assert_array_equal(by_name.predict(X) == "bad", by_code.predict(X) == 1)
    assert by_name.score(X, names) == by_code.score(X, y)
    assert by_code.threshold_ == pytest.approx(by_code.best_score_ / 2)


def test_calibration_helps_overconfident_probabilities():
    """Naive Bayes takes copies of a feature for evidence; corrected, its threshold is better."""
    X, y = imbalanced(4000)
    X = np.repeat(X, 12, axis=1)
    train, test = slice(0, 2000), slice(2000, None)
    off = {}
    for calibration in (None, "isotonic", "sigmoid"):
        clf = PlugInClassifier(
            GaussianNB(), calibration=calibration, errors="expected", random_state=0
        ).fit(X[train], y[train])
        off[calibration] = abs(clf.best_score_ - clf.score(X[test], y[test]))
    assert off["isotonic"] < off[None] / 2
    assert off["sigmoid"] < off[None] / 2


def test_classifiers_without_weights_or_probabilities():
    X, y = imbalanced(200)
    clf = PlugInClassifier(KNeighborsClassifier(), random_state=0).fit(X, y)
    assert 0 < clf.score(X, y) <= 1
    with pytest.raises(TypeError, match="takes no sample_weight"):
        PlugInClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=np.ones(200))
    with pytest.raises(TypeError, match="gives no probabilities"):
        PlugInClassifier(LinearSVC()).fit(X, y)
    PlugInClassifier(LinearSVC(), calibration="sigmoid", random_state=0).fit(X, y)


def test_probabilities_of_the_classifier_are_checked():
    X, y = imbalanced(60)
    with pytest.raises(ValueError, match="Known gives must lie between 0 and 1"):
        PlugInClassifier(Known()).fit(X, y)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"errors": "none"}, "errors must be one of observed, expected"),
        ({"calibration": "beta"}, "calibration must be one of sigmoid, isotonic"),
        ({"measure": FBeta(average="micro", default_class=0)}, "use BisectionClassifier"),
    ],
)
def test_bad_parameters_are_refused(options, match):
    with pytest.raises(ValueError, match=match):
        PlugInClassifier(**options).fit(*imbalanced(60))


def test_adult_as_good_as_the_exact_threshold():
    """Logistic probabilities of adult are good: both thresholds are within half a point of F1."""
    X, Y = load("adult")
    train, test = slice(0, 8000), slice(8000, 16000)
    scores = [
        clf.fit(X[train], Y[train, 0]).score(X[test], Y[test, 0])
        for clf in (
            PlugInClassifier(random_state=0),
            MeasureClassifier(cost_sensitive=False, random_state=0),
        )
    ]
    assert scores[0] == pytest.approx(scores[1], abs=0.005)
    assert scores[0] > 0.66
