"""Smoothed: a cut that chance moves less, whatever the scores look like."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

from pseudolinear import ErrorCurve, MeasureClassifier
from pseudolinear.selection._smoothed import smoothed_curve


@pytest.mark.parametrize(
    "estimator",
    [RandomForestClassifier(30, random_state=0), KNeighborsClassifier(15)],
    ids=["forest", "neighbours"],
)
def test_certain_scores_are_cut_as_well_as_others(estimator):
    """Probabilities of 0 and 1 are infinite log-odds, which must not hide all other scores."""
    gains = []
    for seed in range(4):
        X, y = make_classification(
            3000, weights=[0.85], flip_y=0.1, class_sep=0.7, random_state=seed
        )
        fitted = estimator.fit(X[:400], y[:400])
        exact, smoothed = (
            MeasureClassifier(fitted, cv="prefit", selection=rule)
            .fit(X[400:800], y[400:800])
            .score(X[800:], y[800:])
            for rule in ("largest_value", "smoothed")
        )
        gains.append(smoothed - exact)
    assert np.mean(gains) > -0.01


@pytest.mark.parametrize("stretch", [np.sinh, np.cbrt], ids=lambda f: f.__name__)
def test_only_the_order_of_the_scores_counts(stretch):
    """As it does for every cut: an increasing function of the scores changes nothing."""
    rng = np.random.default_rng(0)
    y = rng.random(1000) < 0.2
    scores = 2.0 * y + rng.normal(size=1000)
    one, other = (
        smoothed_curve(ErrorCurve.from_scores(y, s), 1000) for s in (scores, stretch(scores))
    )
    assert_allclose(one.fn, other.fn)
    assert_allclose(one.fp, other.fp)


def test_what_is_positive_and_what_is_predicted_stays():
    """Positives are moved along the curve; their number and the predicted rates are the rows'."""
    rng = np.random.default_rng(1)
    y = rng.random(500) < 0.1
    curve = ErrorCurve.from_scores(y, y + rng.normal(size=500))
    smooth = smoothed_curve(curve, 500)
    assert_allclose(smooth.fp - smooth.fn, curve.fp - curve.fn, atol=1e-12)
    assert_allclose(smooth.fn[[0, -1]], curve.fn[[0, -1]], atol=1e-12)
    assert (np.diff(smooth.fn[:, 0]) <= 0).all()


def test_labels_that_are_tied_are_refused():
    """A micro average has one cut for several labels together."""
    X, y = make_classification(120, n_classes=3, n_informative=5, random_state=0)
    with pytest.raises(ValueError, match="for binary problems and macro averages over labels"):
        MeasureClassifier("linear", measure="f1_macro", selection="smoothed").fit(X, y)
