"""At most k labels for every row: against all choices, and against what cannot be exceeded."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from pseudolinear import ErrorProfile, best_labels, get_measure
from pseudolinear.thresholds._expected_ratio import ExpectedRatio
from pseudolinear.thresholds._label_ceiling import _shared_price

MEANS = ["f1_macro", "f2_weighted", "jaccard_macro", "balanced_accuracy_macro"]
SEEDS = range(10)


def probabilities_of(seed, shape=(3, 3)):
    return np.random.default_rng(seed).beta(0.5, 1.0, size=shape)


def value_of(measure, p, chosen):
    """Evaluate a choice by the measure itself, on the profile of the expected errors."""
    fn, fp = (p * ~chosen).mean(axis=0), ((1 - p) * chosen).mean(axis=0)
    return get_measure(measure).value(ErrorProfile(fn, fp, p.mean(axis=0)))


def best_of_all(measure, p, k):
    """Evaluate every choice of at most k labels for each row."""
    n_labels = p.shape[1]
    sets = [list(s) for size in range(k + 1) for s in combinations(range(n_labels), size)]
    options = np.zeros((len(sets), n_labels), dtype=bool)
    for option, one in zip(options, sets, strict=True):
        option[one] = True
    choices = product(range(len(sets)), repeat=len(p))
    return max(value_of(measure, p, options[list(choice)]) for choice in choices)


@pytest.mark.parametrize("measure", ["f1_micro", "f0.5_micro", "jaccard_micro"])
@pytest.mark.parametrize("k", [1, 2])
def test_micro_averages_are_the_best_of_all_choices(measure, k):
    """Dinkelbach's iteration is exact: the best labels of a row at a level are known."""
    for seed in SEEDS:
        p = probabilities_of(seed)
        plan = best_labels(p, k, measure)
        assert plan.value == pytest.approx(best_of_all(measure, p, k), abs=1e-12)
        assert plan.gap == 0


@pytest.mark.parametrize("measure", MEANS)
def test_best_of_all_choices_lies_between_value_and_ceiling(measure):
    """Of means over labels, what is reached and what cannot be exceeded enclose the best."""
    reached = 0
    for seed in SEEDS:
        p, k = probabilities_of(seed), 1 + seed % 2
        plan, best = best_labels(p, k, measure), best_of_all(measure, p, k)
        assert plan.value <= best + 1e-12
        assert plan.ceiling >= best - 1e-12
        reached += plan.value >= best - 1e-12
    assert reached >= 0.9 * len(SEEDS)


@pytest.mark.parametrize("measure", ["f1_micro", *MEANS])
def test_value_is_that_of_the_measure(measure):
    """The value of a plan is the measure of the expected errors."""
    p = probabilities_of(1, (40, 6))
    plan = best_labels(p, 2, measure)
    assert plan.value == pytest.approx(value_of(measure, p, plan.labels), abs=1e-12)


def test_gap_is_small_for_more_rows():
    """The price of a row between its last label and the next one leaves little open."""
    for k in (1, 3):
        assert best_labels(probabilities_of(0, (400, 12)), k, "f1_macro").gap < 1e-3


def test_ceiling_by_one_price_holds_as_well():
    """One price for all rows bounds less tightly than a price for each."""
    p = probabilities_of(2, (60, 5))
    plan = best_labels(p, 1, "f1_macro")
    assert plan.ceiling <= _shared_price(ExpectedRatio.of(plan.measure, p), p, 1) + 1e-12


@given(
    arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(1, 6)), elements=st.floats(0, 1)),
    st.sampled_from(["f1_micro", *MEANS]),
    st.integers(1, 6),
)
def test_no_row_has_more_than_k_labels_and_nothing_exceeds_the_ceiling(p, measure, k):
    """Whatever the probabilities are, certain ones and equal ones included."""
    k, p = min(k, p.shape[1]), np.where(p < 1e-100, 0.0, p)  # smaller ones count as none
    plan = best_labels(p, k, measure)
    likeliest = np.zeros(p.shape, dtype=bool)
    np.put_along_axis(likeliest, np.argsort(-p, axis=1)[:, :k], True, axis=1)
    assert plan.labels.sum(axis=1).max() <= k
    assert plan.ceiling >= value_of(measure, p, likeliest) - 1e-9


def test_without_a_limit_micro_f1_is_cut_at_half_its_value():
    """The textbook: predict what is likelier than half of the largest F1."""
    p = probabilities_of(3, (50, 7))
    plan = best_labels(p, 7, "f1_micro")
    assert_array_equal(plan.labels, p > plan.value / 2)


def test_rule_gives_the_same_labels_to_the_same_rows():
    """At the level that is reached, a micro average is a fixed rule for every row."""
    p = probabilities_of(4, (50, 7))
    plan = best_labels(p, 2, "f1_micro")
    gains = plan.weights * p - plan.offsets
    third = -np.sort(-gains, axis=1)[:, 2:3]
    assert_array_equal(plan.labels, gains > np.maximum(third, 0))


def test_plan_says_what_is_possible():
    """Printed and as data."""
    plan = best_labels(probabilities_of(5, (20, 4)), 2, "f1_macro")
    assert "macro-F1 with at most 2 of 4 labels for each of 20 rows" in str(plan)
    assert plan.to_dict()["gap"] == pytest.approx(plan.ceiling - plan.value)


@pytest.mark.parametrize(
    ("k", "measure", "text"),
    [
        (0, "f1_micro", "k must be a whole number of at least 1, got 0"),
        (1.5, "f1_micro", "whole number of at least 1, got 1.5"),
        (True, "f1_micro", "whole number"),
        (4, "f1_micro", "k=4 labels for each row are no limit, as there are 3 labels"),
        (1, "f1", "need an average over labels such as 'f1_micro'"),
        (1, "mcc", "is not a ratio"),
    ],
)
def test_what_makes_no_sense_is_refused(k, measure, text):
    """One sentence each."""
    with pytest.raises(ValueError, match=text):
        best_labels(probabilities_of(0), k, measure)


@pytest.mark.parametrize(
    ("p", "text"),
    [([0.1, 0.2], "has the shape"), ([[0.1, np.nan]], "NaN"), ([[0.1, 2.0]], "between 0 and 1")],
)
def test_what_are_no_probabilities_is_refused(p, text):
    """Scores are the usual mistake."""
    with pytest.raises(ValueError, match=text):
        best_labels(p, 1)


@pytest.mark.parametrize("measure", MEANS)
def test_probabilities_at_the_end_of_the_floats_count_as_none(measure):
    """Counts that are divided by must not overflow: no number of rows makes up for 1e-308."""
    p = np.array([[0.0, 0.5], [1.1e-308, 0.9], [5e-324, 0.2], [1e-160, 0.1]])
    plan = best_labels(p, 1, measure)
    assert plan.value == best_labels(np.where(p < 0.1, 0.0, p), 1, measure).value
