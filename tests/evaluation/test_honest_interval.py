"""honest_interval_: what the rows of the fit tell of new ones."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from pseudolinear import ErrorProfile, FBeta, MeasureClassifier
from pseudolinear.evaluation import honest_interval


def test_honest_interval_is_shorter_with_more_rows_and_knows_weights():
    """By the square root of their number; weights of 0 and 1 are rows left out."""
    X, y = make_classification(2000, weights=[0.8], flip_y=0.1, random_state=0)
    fits = [MeasureClassifier("linear", random_state=0).fit(X[:n], y[:n]) for n in (500, 2000)]
    few, many = (np.ptp(clf.honest_interval_) for clf in fits)
    assert few == pytest.approx(2 * many, rel=0.2)
    weight = np.repeat([1.0, 0.0], [500, 1500])
    weighted = MeasureClassifier("linear", random_state=0).fit(X, y, sample_weight=weight)
    assert np.ptp(weighted.honest_interval_) == pytest.approx(few, rel=0.2)


@pytest.mark.parametrize(("errors", "value"), [(0.0, 1.0), (0.002, 0.995)])
def test_few_errors_are_no_reason_to_know_nothing(errors, value):
    """Of 400 rows with 100 positives; an interval from 0 to 1 would say less than the rows do."""
    profile = ErrorProfile(fn=errors, fp=0.0, prevalence=0.25)
    low, high = honest_interval(value, value, FBeta(), profile, 400)
    assert 0.94 < low < value
    assert value <= high <= 1
    low, high = honest_interval(0.0, 0.0, FBeta(), ErrorProfile(0.25, 0.25, 0.25), 400)
    assert low == 0
    assert high < 0.06


def test_no_honest_interval_without_an_honest_score():
    """It says why."""
    X, y = make_classification(200, random_state=0)
    clf = MeasureClassifier("linear", cv="holdout", random_state=0).fit(X, y)
    with pytest.raises(AttributeError, match="no honest_score_"):
        _ = clf.honest_interval_
    assert clf.slim().predict(X).shape == (200,)
