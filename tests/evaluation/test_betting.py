"""What holds at every number of rows: betting, and the box of three proportions."""

import numpy as np
import pytest
from evaluation.enumeration import coverage, samples

from pseudolinear import (
    BalancedAccuracy,
    CohenKappa,
    ErrorProfile,
    FBeta,
    GeometricMean,
    Jaccard,
    MatthewsCorrelation,
    Tversky,
    evaluate,
)
from pseudolinear.evaluation import betting_interval, box_interval, clopper_pearson, ratio_of

CELLS = np.eye(4)
SHARES = [(0.3, 0.1, 0.2, 0.4), (0.1, 0.3, 0.05, 0.55), (0.02, 0.01, 0.01, 0.96)]


def truth(measure, shares):
    tp, fn, fp, _ = shares
    return measure.value(ErrorProfile(fn, fp, tp + fn))


@pytest.mark.parametrize("measure", [FBeta(2.0), FBeta(0.5), Tversky(0.2, 1.5)], ids=repr)
@pytest.mark.parametrize("shares", SHARES)
def test_betting_covers_as_promised(measure, shares):
    """Computed over all samples of 12 rows; of each side half the error."""
    counts = samples(12)
    intervals = betting_interval(counts, CELLS, CELLS, ratio_of(measure), 0.2)
    assert coverage(counts, intervals, truth(measure, shares), shares) >= 0.8


@pytest.mark.parametrize(
    "measure", [CohenKappa(), BalancedAccuracy(), MatthewsCorrelation(), GeometricMean()], ids=repr
)
@pytest.mark.parametrize("shares", SHARES)
def test_box_covers_as_promised(measure, shares):
    """Computed over all samples of 12 rows."""
    counts = samples(12)
    intervals = box_interval(counts, measure, 0.2)
    assert coverage(counts, intervals, truth(measure, shares), shares) >= 0.8


def test_betting_is_not_much_longer_than_what_is_exact_for_a_proportion():
    """Markov's inequality costs about half of the length."""
    counts = np.array([800.0, 100.0, 100.0, 5000.0])
    low, high = betting_interval(counts, CELLS, CELLS, ratio_of(Jaccard()), 0.05)
    exact = clopper_pearson(800, 1000, 0.05)
    assert low < exact[0] < exact[1] < high
    assert high - low < 1.7 * (exact[1] - exact[0])


def test_rows_that_do_not_count_change_nothing():
    """True negatives are neither in numerator nor denominator of F-beta."""
    few, many = np.array([30.0, 5, 9, 0]), np.array([30.0, 5, 9, 10_000])
    both = [betting_interval(c, CELLS, CELLS, ratio_of(FBeta(2.0)), 0.05) for c in (few, many)]
    assert both[0] == pytest.approx(both[1])


def test_micro_average_counts_rows_not_labels():
    """A row repeated in every label is one draw: the interval is not shorter than of one label."""
    rng = np.random.RandomState(0)
    true = rng.uniform(size=300) < 0.4
    predicted = true ^ (rng.uniform(size=300) < 0.2)
    one = evaluate(true, predicted, "f1", method="betting").interval
    four = [np.repeat(y[:, None], 4, axis=1) for y in (true, predicted)]
    assert evaluate(*four, "f1_micro", method="exact").interval == pytest.approx(one, abs=1e-6)
    assert evaluate(*four, "f1_micro", method="delta").interval == pytest.approx(
        evaluate(true, predicted, "f1", method="delta").interval, abs=2e-3
    )
