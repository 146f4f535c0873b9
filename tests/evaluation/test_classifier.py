"""MeasureClassifier.evaluate: the measure of the fit, or another one, on other rows."""

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import MeasureClassifier, RecallAtPrecision


@pytest.mark.parametrize("measure", ["f1", "mcc", RecallAtPrecision(0.4)], ids=str)
def test_classifier_evaluates_what_it_scores(measure):
    """With the positive class and the objective of the fit; a class of no fit is negative."""
    X, y = make_classification(800, weights=[0.8], flip_y=0.1, random_state=0)
    y = np.array(["no", "yes"])[y]
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X[:400], y[:400])
    result = clf.evaluate(X[400:], y[400:])
    assert result.value == clf.score(X[400:], y[400:])
    assert result.labels[0].label == "yes"
    other = np.where(y == "no", "perhaps", y)
    with pytest.warns(UserWarning, match="y holds the class 'perhaps'"):
        assert clf.evaluate(X[400:], other[400:]).value == result.value


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro"])
def test_classifier_of_several_labels(measure):
    """The value is the score; the honest interval is around the honest score."""
    X, Y = make_multilabel_classification(600, n_classes=3, random_state=0)
    names = [[f"l{k}" for k in np.flatnonzero(row)] for row in Y]
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X[:300], names[:300])
    result = clf.evaluate(X[300:], names[300:])
    assert result.value == clf.score(X[300:], names[300:])
    assert [label.label for label in result.labels] == ["l0", "l1", "l2"]
    low, high = clf.honest_interval_
    assert low < clf.honest_score_ < high
    assert clf.slim().honest_interval_ == (low, high)
