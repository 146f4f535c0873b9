"""ModelCombination: the best combination of what the models say, label by label."""

from itertools import product

import numpy as np
import pytest
from data import load
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear import FBeta, LinearLearner, best_threshold, best_thresholds
from pseudolinear.rivals._model_combination import ModelCombination, combined_scores
from pseudolinear.rivals._soft_f_loss import SoftFLoss


class Column(ClassifierMixin, BaseEstimator):
    """A model that learns nothing: its score is a column."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return X[:, self.column]

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


@parametrize_with_checks([ModelCombination(slopes=(1.0,), cv=2)])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def experts():
    """Two experts, each with one half of the truth."""
    rng = np.random.RandomState(0)
    X = rng.standard_normal((600, 2))
    y = (X.sum(axis=1) + 0.7 * rng.standard_normal(600) > 1.5).astype(int)
    return X, y


def test_the_scores_are_a_linear_map_and_its_transpose():
    logits = np.random.RandomState(0).standard_normal((2, 5, 3))
    design = combined_scores(logits)
    dense = design.matmat(np.eye(5))
    expected = np.concatenate(
        [logits.reshape(2, -1), np.tile(np.eye(3), (5, 1)).T]  # models, then offsets of labels
    ).T
    assert_allclose(dense, expected)
    assert_allclose(design.rmatmat(np.eye(15)), expected.T)


def test_the_best_combination_is_found(experts):
    """No direction of two columns with its exact best threshold is better by a point."""
    X, y = experts
    clf = ModelCombination([Column(0), Column(1)], slopes=(1, 2, 4, 8, 16), alpha=0.0)
    clf.fit(X, y)
    angles = np.linspace(0, np.pi, 361)
    values = [best_threshold(y, X @ [np.cos(a), np.sin(a)]).value for a in angles]
    assert max(values) - 0.01 <= clf.score(X, y) <= max(values) + 0.005
    assert_allclose(clf.weights_[0], clf.weights_[1], rtol=0.2)
    assert clf.score(X, y) > max(best_threshold(y, X[:, j]).value for j in (0, 1)) + 0.1


@pytest.mark.parametrize("average", ["micro", "macro", "samples"])
def test_never_worse_than_one_model_or_their_mean(average, experts):
    """Each with its exact best thresholds, in the soft F of the held-out rows."""
    X, y = experts
    Y = np.stack([y, X[:, 0] > X[:, 1] + 0.5], axis=1).astype(int)
    clf = ModelCombination([Column(0), Column(1)], average=average, alpha=0.0).fit(X, Y)
    measure = FBeta(average="micro" if average == "samples" else average)
    loss = SoftFLoss(Y, average=average)
    for weights in ([1.0, 0.0], [0.0, 1.0], [0.5, 0.5]):
        scores = np.repeat((X @ weights)[:, None], 2, axis=1)
        thresholds = best_thresholds(Y, scores, measure).threshold
        alone = 1 - loss(clf.slopes[-1] * (scores - thresholds))[0]
        assert clf.soft_f_ >= alone - 1e-9


@pytest.mark.parametrize("shift", [0.0, 3.0])
@pytest.mark.parametrize("average", ["micro", "macro", "samples"])
def test_offsets_are_thresholds(average, shift):
    """One model leaves only thresholds to choose; none of a fine grid is better by a point."""
    rng = np.random.RandomState(0)
    logits = rng.standard_normal((400, 2)) * 2 - 1
    Y = (rng.random_sample((400, 2)) < 1 / (1 + np.exp(-logits))).astype(int)
    logits[:, 1] += shift  # as if the model were wrong about one label

    def value(thresholds):
        return f1_score(Y, logits > thresholds, average=average, zero_division=0)

    grid = np.arange(-3, 3, 0.4)
    best = max(value([one, two + shift]) for one, two in product(grid, grid))
    clf = ModelCombination(average=average, alpha=0.0, slopes=(1, 2, 4, 8, 16))
    clf._combine(logits[None], Y, None)
    assert value(-clf.offsets_ / clf.weights_) > best - 0.01


def test_the_prior_holds_the_mean_of_the_models(experts):
    """With a strong prior nothing but the mean is left, times the last slope."""
    X, y = experts
    clf = ModelCombination([Column(0), Column(1)], alpha=1e6, slopes=(1.0, 2.0)).fit(X, y)
    assert_allclose(clf.weights_, [1.0, 1.0], atol=1e-4)
    assert_allclose(clf.offsets_, 0.0, atol=1e-4)


@pytest.mark.parametrize("average", ["micro", "macro", "samples"])
def test_real_labels(average):
    """On new rows of the yeast data it is better than logistic regression."""
    (X, Y), (X_test, Y_test) = load("yeast"), load("yeast", "test")
    models = [LinearLearner(), LinearLearner("squared_hinge")]
    clf = ModelCombination(models, average=average, random_state=0).fit(X, Y)
    plain = OneVsRestClassifier(LogisticRegression(max_iter=1000)).fit(X, Y).predict(X_test)
    plain = f1_score(Y_test, plain, average=average, zero_division=0)
    assert clf.score(X_test, Y_test) > plain + 0.02


def test_what_is_refused():
    X, y = make_classification(30, random_state=0)
    with pytest.raises(ValueError, match="estimators is empty"):
        ModelCombination([]).fit(X, y)
    with pytest.raises(ValueError, match="alpha must not be negative"):
        ModelCombination(alpha=-1.0).fit(X, y)
    with pytest.raises(TypeError, match="no sample_weight"):
        ModelCombination([KNeighborsClassifier()]).fit(X, y)
