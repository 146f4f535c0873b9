"""Proportions: Wilson and Clopper-Pearson against SciPy, and exact coverage for F1."""

import numpy as np
import pytest
from evaluation.enumeration import coverage, samples
from scipy import stats

from pseudolinear import ErrorProfile, FBeta, Jaccard, WeightedAccuracy, evaluate
from pseudolinear.evaluation import clopper_pearson, wilson

QUANTILE = stats.norm.ppf(0.975)


@pytest.mark.parametrize("n", [1, 7, 40])
def test_intervals_are_those_of_scipy(n):
    """Of every number of hits."""
    for hits in range(n + 1):
        test = stats.binomtest(hits, n)
        theirs = test.proportion_ci(method="wilson")
        assert wilson(hits / n, n, QUANTILE) == pytest.approx(np.array(theirs), abs=1e-9)
        theirs = test.proportion_ci(method="exact")
        assert clopper_pearson(hits, n, 0.05) == pytest.approx(np.array(theirs), abs=1e-9)


def test_f1_has_the_interval_of_the_jaccard_index():
    """F1 = 2J / (1 + J), and J is the share of true positives among the rows of the union."""
    y_true, y_pred = [1] * 12 + [0] * 20, [1] * 9 + [0] * 3 + [1] * 4 + [0] * 16
    for method, theirs in (("wilson", "wilson"), ("exact", "exact")):
        ends = np.array(stats.binomtest(9, 16).proportion_ci(method=theirs))
        jaccard = evaluate(y_true, y_pred, Jaccard(), method=method).interval
        assert jaccard == pytest.approx(ends)
        f1 = evaluate(y_true, y_pred, FBeta(), method=method).interval
        assert f1 == pytest.approx(2 * ends / (1 + ends))


def test_accuracy_and_default_class_are_proportions_too():
    """The right rows of all; and rows of other classes among those that are or are given one."""
    y_true, y_pred = list("aabbcc") * 5, list("abbbca") * 5
    ends = np.array(stats.binomtest(20, 30).proportion_ci(method="exact"))
    for measure in ("accuracy", "f1_micro"):
        assert evaluate(y_true, y_pred, measure, method="exact").interval == pytest.approx(ends)
    # Of "a", 5 of 10 rows stay out of the union; 15 of the 25 rows in it are right.
    ends = np.array(stats.binomtest(15, 25).proportion_ci(method="exact"))
    measure = Jaccard(average="micro", default_class="a")
    assert evaluate(y_true, y_pred, measure, method="exact").interval == pytest.approx(ends)


@pytest.mark.parametrize("measure", [FBeta(), WeightedAccuracy()], ids=repr)
def test_exact_interval_covers_as_promised(measure):
    """Computed over all samples of 7 rows, not simulated."""
    counts = samples(7)
    rows = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
    draws = [np.repeat(rows, count.astype(int), axis=0).T for count in counts]
    intervals = np.array([evaluate(*draw, measure, method="exact").interval for draw in draws])
    for tp, fn, fp, tn in [(0.3, 0.1, 0.2, 0.4), (0.1, 0.3, 0.05, 0.55), (0.8, 0.1, 0.0, 0.1)]:
        truth = measure.value(ErrorProfile(fn, fp, tp + fn))
        assert coverage(counts, intervals, truth, (tp, fn, fp, tn)) >= 0.95
