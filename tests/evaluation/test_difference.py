"""Two classifiers on the same rows."""

import numpy as np
import pytest

from pseudolinear import evaluate, evaluate_difference


def rows(n=1000, seed=0):
    rng = np.random.RandomState(seed)
    true = rng.uniform(size=n) < 0.3
    common = true ^ (rng.uniform(size=n) < 0.15)
    return true, common, common ^ (rng.uniform(size=n) < 0.02)


def f1(true, predicted):
    return 2 * (true & predicted).sum(axis=-1) / (true.sum(axis=-1) + predicted.sum(axis=-1))


def test_interval_is_that_of_resamples():
    """The standard deviation of the difference over resampled rows."""
    true, one, other = rows()
    found = evaluate_difference(true, one, other)
    assert found.value == pytest.approx(f1(true, other) - f1(true, one))
    draws = np.random.RandomState(1).randint(1000, size=(2000, 1000))
    spread = np.std(f1(true[draws], other[draws]) - f1(true[draws], one[draws]))
    assert np.ptp(found.interval) == pytest.approx(2 * 1.96 * spread, rel=0.08)


def test_pairing_is_shorter_than_two_intervals():
    """What both find difficult does not count."""
    true, one, other = rows()
    paired = np.ptp(evaluate_difference(true, one, other).interval)
    assert paired < 0.6 * np.ptp(evaluate(true, other).interval)


def test_the_same_classifier_is_no_better_than_itself():
    """No difference, and nothing speaks against that."""
    true, one, _ = rows()
    found = evaluate_difference(true, one, one, "f1_macro")
    assert (found.value, found.interval, found.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_p_value_and_interval_agree():
    """0 is outside the interval exactly where p is below the error."""
    for seed in range(20):
        found = evaluate_difference(*rows(200, seed), "f2")
        low, high = found.interval
        assert (found.p_value < 0.05) == (not low <= 0 <= high)


def test_nothing_right_is_worse_than_everything_right():
    """Where a classifier has no true positive, its value depends on no single row; still it is
    told from a perfect one.
    """
    true = np.array([0, 1, 1, 0] * 25)
    for worst in (1 - true, 0 * true):
        found = evaluate_difference(true, worst, true)
        assert found.value == 1.0
        assert found.p_value < 1e-6


def test_a_difference_stays_within_what_is_possible():
    """F1 differs by 1 at most, Cohen's kappa by 2."""
    for measure, most in (("f1", 1.0), ("cohen_kappa", 2.0)):
        for n in (1, 2, 3):
            found = evaluate_difference([1] * n, [1] * n, [0] * n, measure)
            assert -most <= found.interval[0] <= found.value <= found.interval[1] <= most


def test_one_group_is_one_draw():
    """From which nothing follows for other groups."""
    true, one, other = rows(100)
    found = evaluate_difference(true, one, other, groups=np.zeros(100))
    assert (found.interval, found.p_value) == ((-1.0, 1.0), 1.0)
    assert found.note.startswith("These rows are a single draw")


def test_an_empty_union_says_nothing_of_the_difference():
    """Nor does one of the first classifier alone."""
    none, some = [0] * 20, [0, 1] * 10
    for pair in ((none, none), (none, some), (some, none)):
        found = evaluate_difference(none, *pair)
        assert (found.interval, found.p_value) == ((-1.0, 1.0), 1.0)
        assert found.note.startswith("With no positive row and no positive prediction")
        assert found.note.split()[0] in str(found)


def test_what_an_interval_without_length_means_is_said():
    """Rows that both decide alike, and labels that none of both has found."""
    true, one, _ = rows(50)
    assert "alike" in evaluate_difference(true, one, one).note
    Y = np.stack([true, one, 0 * true], axis=1).astype(int)
    found = evaluate_difference(Y, Y, Y[:, [1, 0, 2]], "f1_macro")
    assert "1 of 3 labels has no positive row" in found.note


def test_a_difference_says_how_and_on_what_it_rests():
    """As text, page, table and JSON."""
    true, one, other = rows(100)
    found = evaluate_difference(true, one, other, groups=np.arange(100) // 2)
    assert found.method == "delta"
    assert found.assumption.startswith("the groups were drawn alike")
    assert "Assuming that the groups" in str(found)
    assert "Assuming that the groups" in found._repr_html_()
    row = found.frame().iloc[0]
    assert (row["low"], row["high"]) == found.interval
    assert found.to_dict()["method"] == "delta"
