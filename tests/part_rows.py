"""Rows for the tests of rows in parts."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_classification

from pseudolinear import MeasureClassifier


def table(n=4000, seed=0):
    """Return rows of a rare class."""
    return make_classification(n, 8, n_informative=5, weights=[0.9], flip_y=0.03, random_state=seed)


def texts(n=3000, d=900, seed=0):
    """Return sparse rows, more columns than are factorised."""
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, 0.02, format="csr", random_state=seed)
    y = (X @ rng.normal(size=d) + 0.3 * rng.normal(size=n) > 0.8).astype(int)
    return X, y


def linear(**params):
    """Return a classifier of linear models, which parts and memory train alike."""
    return MeasureClassifier("linear", random_state=0, **params)


def assert_same(one, other, X, rel=1e-6):
    """Assert that two classifiers decide alike, up to rounding."""
    assert one.best_score_ == pytest.approx(other.best_score_, rel=1e-9)
    assert one.threshold_ == pytest.approx(other.threshold_, rel=rel)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))
