"""Over twenty draws of rows: what is stated about other rows holds there, within noise."""

import warnings

import numpy as np
import pytest

from pseudolinear import MeasureClassifier, evaluate

pytestmark = pytest.mark.slow
SEEDS = range(20)


def draw(seed, n):
    """Draw rows of one population."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    return X, (X[:, 0] + X[:, 1] + 1.5 * rng.normal(size=n) > 2.0).astype(int)


FRESH = draw(10_000, 20_000)


@pytest.fixture(scope="module")
def fits():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [MeasureClassifier("linear", random_state=0).fit(*draw(s, 400)) for s in SEEDS]


def test_no_candidate_is_above_a_certificate(fits):
    """No cut of any candidate is better in validation than what is said to be possible."""
    for clf in fits:
        reached = max(
            float(np.max(goal.measure.value(candidate.curve)))
            for goal, own in zip(clf.sweep_.goals, clf.sweep_.by_goal, strict=True)
            for candidate in own
        )
        assert clf.best_score_ <= reached <= clf.certificate_["cone"].ceiling + 1e-12


def test_honest_values_are_unbiased(fits):
    """The mean of what they are off is within three standard errors."""
    truth = np.array([clf.score(*FRESH) for clf in fits])
    honest = np.array([clf.honest_score_ for clf in fits]) - truth
    assert abs(honest.mean()) < 3 * honest.std(ddof=1) / np.sqrt(len(SEEDS)) + 0.005


def test_promises_keep_their_level(fits):
    """At most one in ten may fail; of twenty, more than six would be one in four hundred."""
    failed = made = 0
    for seed, clf in zip(SEEDS, fits, strict=True):
        try:
            kept = clf.guarantee("recall >= 0.7", *draw(500 + seed, 400), error=0.1)
        except ValueError:  # no threshold can be promised to do
            continue
        made += 1
        predicted = kept.predict(FRESH[0])
        failed += predicted[FRESH[1] == 1].mean() < 0.7
    assert made >= 10
    assert failed <= 6


def test_intervals_hold_the_value(fits):
    """Of twenty intervals of 95 %, five that miss would be one in four hundred."""
    missed = 0
    for seed, clf in zip(SEEDS, fits, strict=True):
        rows, classes = draw(1000 + seed, 400)
        low, high = evaluate(classes, clf.predict(rows), "f1").interval
        missed += not low <= clf.score(*FRESH) <= high
    assert missed <= 4
