"""OnlineFClassifier: the threshold goes where theory puts it, in any number of pieces."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, fbeta_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from pseudolinear.rivals._online_f import OnlineFClassifier


class Oracle(ClassifierMixin, BaseEstimator):
    """Knows the probability of each row: it is the only feature."""

    def partial_fit(self, X, y, classes=None):
        self.classes_ = np.asarray(classes)
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


@parametrize_with_checks([OnlineFClassifier()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def stream(n, a, b, seed=0):
    rng = np.random.RandomState(seed)
    eta = rng.beta(a, b, n)
    return eta[:, None], (rng.random_sample(n) < eta).astype(int)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("shape", [(0.5, 2.0), (1.0, 4.0)])
def test_the_threshold_of_known_probabilities(shape, beta):
    """After 200,000 rows it is within 1 % of F* / (1 + beta^2)."""
    X, y = stream(200_000, *shape)
    clf = OnlineFClassifier(Oracle(), beta=beta).fit(X, y)
    eta = np.sort(X[:, 0])[::-1]
    # F of the population: rows with the k largest probabilities are predicted positive.
    predicted = np.arange(1, eta.size + 1)
    best = ((1 + beta**2) * eta.cumsum() / (beta**2 * eta.sum() + predicted)).max()
    assert_allclose(clf.threshold_, best / (1 + beta**2), rtol=0.01)
    assert_allclose(clf.online_f_, best, rtol=0.01)


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_the_f_so_far_is_that_of_the_predictions_made(beta):
    """Replayed row by row with the definition of F in place of the counters."""
    X, y = stream(150, 1.0, 3.0)
    clf = OnlineFClassifier(Oracle(), beta=beta, block_size=7).fit(X, y)
    made, f = [], 0.0
    for i, eta in enumerate(X[:, 0]):
        known = i >= 7 and np.unique(y[: i - i % 7]).size == 2
        made.append(int((eta if known else 0.5) >= f / (1 + beta**2)))
        f = fbeta_score(y[: i + 1], made, beta=beta, zero_division=0)
    assert_allclose(clf.online_f_, f)
    assert_allclose(clf.threshold_, f / (1 + beta**2))


@pytest.fixture(scope="module")
def data():
    return make_classification(3000, 10, weights=[0.9], flip_y=0.05, class_sep=0.7, random_state=0)


def test_pieces_are_the_whole(data):
    """Where pieces end with a block, nothing differs from one fit."""
    X, y = data
    whole = OnlineFClassifier(block_size=50, random_state=0).fit(X, y)
    pieces = OnlineFClassifier(block_size=50, random_state=0)
    for start, end in ((0, 100), (100, 1050), (1050, 3000)):
        pieces.partial_fit(X[start:end], y[start:end], classes=[0, 1])
    assert pieces.counters_ == whole.counters_
    assert_array_equal(pieces.class_count_, np.bincount(y))
    assert_array_equal(pieces.estimator_.coef_, whole.estimator_.coef_)
    assert_array_equal(pieces.predict(X), whole.predict(X))
    assert whole.fit(X, y).counters_ == pieces.counters_  # fit starts anew


def test_better_than_the_same_model_at_one_half():
    """The model is the same; only the threshold differs."""
    rng = np.random.RandomState(0)
    X = rng.standard_normal((20_000, 3))
    y = (X.sum(axis=1) + 2 * rng.standard_normal(20_000) > 4).astype(int)
    train, test = slice(10_000), slice(10_000, None)
    clf = OnlineFClassifier(random_state=0).fit(X[train], y[train])
    plain = clf.estimator_.predict(X[test])
    assert clf.threshold_ < 0.3
    assert f1_score(y[test], clf.predict(X[test])) > f1_score(y[test], plain) + 0.03


def test_memory_does_not_grow_with_the_rows(data):
    X, y = data
    clf = OnlineFClassifier(random_state=0)
    sizes = []
    for _ in range(3):
        sizes.append(len(pickle.dumps(clf.partial_fit(X, y))))
    assert max(sizes) - min(sizes) < 50


def test_sparse_rows(data):
    X, y = data
    clf = OnlineFClassifier(random_state=0).fit(sparse.csr_matrix(X), y)
    assert_array_equal(clf.predict(sparse.csr_matrix(X)), clf.predict(X))
    assert clf.score(X, y) > 0.8


def test_names_of_classes(data):
    """Of two names the later one is positive."""
    X, y = data
    named = OnlineFClassifier(random_state=0).fit(X, np.where(y == 1, "spam", "ham"))
    coded = OnlineFClassifier(random_state=0).fit(X, y)
    assert_array_equal(named.predict(X) == "spam", coded.predict(X) == 1)


def test_what_is_refused(data):
    X, y = data
    clf = OnlineFClassifier(random_state=0)
    with pytest.raises(ValueError, match="only one class"):
        clf.partial_fit(X[:2], [0, 0])
    clf.partial_fit(X[:2], [0, 0], classes=[0, 1])
    with pytest.raises(ValueError, match="none of the classes"):
        clf.partial_fit(X[:2], [0, 2])
    with pytest.raises(ValueError, match="on the first call"):
        clf.partial_fit(X, y, classes=[1, 2])
    with pytest.raises(TypeError, match="LogisticRegression has no partial_fit"):
        OnlineFClassifier(LogisticRegression()).fit(X, y)
    with pytest.raises(ValueError, match="block_size must be"):
        OnlineFClassifier(block_size=0).fit(X, y)
    with pytest.raises(ValueError, match="outside"):
        OnlineFClassifier(Oracle()).fit(X, y)
