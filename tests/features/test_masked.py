"""Masked values are missing ones."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from pseudolinear import MeasureClassifier
from pseudolinear.labels import read_labels

RNG = np.random.default_rng(0)
Y = RNG.random(120) < 0.4
X = np.round(Y[:, None] + RNG.normal(size=(120, 3)), 1)
MASK = RNG.random(X.shape) < 0.2
GAPS = np.where(MASK, np.nan, X)


@pytest.mark.parametrize("hidden", [0.0, 1e6])
@pytest.mark.parametrize("dtype", [float, int, object])
def test_masked_values_are_missing(dtype, hidden):
    """What is below the mask does not count, in fit and in predict."""
    rows = np.where(MASK, hidden, 10 * X).astype(dtype)
    masked, gaps = np.ma.array(rows, mask=MASK), np.where(MASK, np.nan, rows.astype(float))
    clf = MeasureClassifier("linear", random_state=0).fit(masked, Y)
    expected = MeasureClassifier("linear", random_state=0).fit(gaps, Y)
    np.testing.assert_allclose(clf.decision_function(masked), expected.decision_function(gaps))


def test_masked_words_are_missing():
    """Categories have a gap there."""
    words = np.array([["yes", "no"][k % 2] for k in range(120)])[:, None]
    masked = np.ma.array(words, mask=MASK[:, :1])
    gaps = np.where(MASK[:, :1], None, words.astype(object))
    clf = MeasureClassifier("linear", random_state=0).fit(masked, Y)
    expected = MeasureClassifier("linear", random_state=0).fit(gaps, Y)
    np.testing.assert_allclose(clf.decision_function(masked), expected.decision_function(gaps))


def test_a_mask_of_nothing_changes_nothing():
    """Whole numbers stay whole."""
    clf = MeasureClassifier("linear", random_state=0).fit(np.ma.array(X), Y)
    expected = MeasureClassifier("linear", random_state=0).fit(X, Y)
    np.testing.assert_allclose(clf.decision_function(X), expected.decision_function(X))


def test_who_takes_no_gaps_says_so():
    """As of NaN."""
    with pytest.raises(ValueError, match="contains NaN"):
        MeasureClassifier(LogisticRegression()).fit(np.ma.array(X, mask=MASK), Y)


def test_masked_classes_are_missing():
    """A row without a class is refused."""
    with pytest.raises(ValueError, match="missing values; give every row a class"):
        read_labels(np.ma.array([0, 1, 1], mask=[False, True, False]))
    assert read_labels(np.ma.array([0, 1, 1]))[0].tolist() == [0, 1, 1]
