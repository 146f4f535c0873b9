"""Features are fitted on the training rows of a fold, once, and on nothing else."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.preprocessing import StandardScaler

from pseudolinear import MeasureClassifier
from pseudolinear.features import FoldFeatures, View, describe

TRAIN, TEST = np.arange(60), np.arange(60, 90)


def folds(X, weight=None):
    return FoldFeatures(describe(X), X, weight)


def test_a_category_of_validation_rows_has_no_column():
    """It is unknown to the fold, and all zero or among the rare."""
    values = ["a"] * 20 + ["b"] * 20 + ["c"] * 20 + ["late"] * 30
    X = pd.DataFrame({"where": values})
    view = folds(X).view("scaled", TEST, TRAIN)
    assert view.shape == (30, 3)
    assert not view.any()
    everything = np.arange(90)
    assert folds(X).view("scaled", TEST, everything).shape == (30, 4)


def test_a_word_of_validation_rows_has_no_column():
    """The same for texts."""
    texts = ["one two three four"] * 60 + ["five six seven eight"] * 30
    view = folds(texts).view("scaled", TEST, TRAIN)
    assert view.nnz == 0


def test_scales_are_those_of_the_training_rows():
    """As scikit-learn's scaler has them; validation rows do not move them."""
    X = np.random.RandomState(0).randn(90, 3) * [1e-6, 1.0, 1e6]
    X[60:] += 1e9
    expected = StandardScaler().fit(X[:60])
    found = folds(X)
    assert_allclose(found.view("scaled", TRAIN, TRAIN), expected.transform(X[:60]))
    assert_allclose(found.view("scaled", TEST, TRAIN), expected.transform(X[60:]))


def test_similarities_are_to_training_rows():
    """Landmarks are drawn among them."""
    X = np.random.RandomState(0).randn(90, 3)
    found = folds(X)
    scaled = {tuple(row) for row in found.view("scaled", TRAIN, TRAIN)}
    (features,) = {id(f): f for f in [found.fitted(["nystroem"], TRAIN)]}.values()
    for lift in features.views["nystroem"].lifts:
        assert {tuple(row) for row in lift.components_} <= scaled


@pytest.fixture
def counted(monkeypatch):
    """Count how often each view is fitted."""
    counts = {}

    def counting(name, fit):
        def counted_fit(self, *args):
            counts[name] = counts.get(name, 0) + 1
            return fit(self, *args)

        return counted_fit

    for name, view in View.known.items():
        monkeypatch.setattr(view, "fit", counting(name, view.fit))
    return counts


def test_a_view_is_fitted_once_per_fold(counted):
    """Whatever the number of learners, settings and levels: three folds and all rows."""
    X = np.random.RandomState(0).randn(120, 4)
    clf = MeasureClassifier(random_state=0, effort="balanced").fit(X, X[:, 0] > 0.5)
    assert len(clf.portfolio_) > 1
    assert set(counted.values()) <= {3, 4}
    assert counted["scaled"] == counted["numbers"] == 4


def test_rows_without_weight_teach_nothing():
    """Features are those of the other rows."""
    X = pd.DataFrame({"a": np.arange(90.0), "b": ["x", "y", "z"] * 30})
    weight = np.r_[np.ones(60), np.zeros(30)]
    one = folds(X, weight).view("scaled", TEST, np.arange(90))
    other = folds(X).view("scaled", TEST, TRAIN)
    assert_allclose(one, other)
