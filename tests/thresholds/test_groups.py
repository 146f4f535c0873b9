"""Thresholds per group: against brute force, and what bounds, weights and slack do to them."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudolinear import (
    BalancedAccuracy,
    ErrorCurve,
    ErrorProfile,
    best_group_thresholds,
    best_threshold,
    get_measure,
)
from pseudolinear.loops._curves import window_minima
from pseudolinear.thresholds import RATES

MEASURES = ["f1", "f2", "jaccard", "accuracy", "balanced_accuracy", "cohen_kappa"]
ODDS = ("recall", "false_positive_rate")


def rows(n=24, n_groups=2, seed=0, noise=1.0):
    """Few rows with ties, both classes in every group, some groups harder than others."""
    rng = np.random.default_rng(seed)
    groups = np.arange(n) % n_groups
    y = rng.random(n) < 0.3 + 0.15 * groups
    y[:n_groups], y[n_groups : 2 * n_groups] = True, False
    score = np.round(y + noise * (1 + groups) * rng.normal(size=n), 1)
    return y, score, groups


def cuts_of(y, score, groups):
    """For every group, (fn, fp, recall, false_positive_rate, selection_rate) at all its cuts."""
    found = []
    for group in np.unique(groups):
        own = groups == group
        curve = ErrorCurve.from_scores(y[own], score[own])
        p, (fn, fp) = curve.prevalence[0], (curve.fn[:, 0], curve.fp[:, 0])
        rates = [1 - fn / p, fp / (1 - p), p - fn + fp]
        found.append(np.stack([own.mean() * fn, own.mean() * fp, *rates], axis=1))
    return found


def values_of(points, measure, y):
    """Evaluate sums of errors."""
    profile = ErrorProfile(points[:, [0]], points[:, [1]], np.mean(y))
    return get_measure(measure).value(profile)


def combinations(parts, rates, within):
    """Add up one point of every group, for all that keep the bounds."""
    columns = [2 + RATES.index(rate) for rate in rates]
    places = np.indices([len(part) for part in parts]).reshape(len(parts), -1)
    points = np.stack([part[place] for part, place in zip(parts, places, strict=True)])
    kept = (np.ptp(points[:, :, columns], axis=0) <= within + 1e-12).all(axis=1)
    return points[:, kept, :2].sum(axis=0)


def mixtures(cuts, grid=9):
    """Mix every two cuts in steps."""
    pairs = itertools.combinations(range(len(cuts)), 2)
    return np.unique(
        [(1 - w) * cuts[i] + w * cuts[j] for i, j in pairs for w in np.linspace(0, 1, grid)],
        axis=0,
    )


def gaps(cut, rates):
    return [cut.gap(rate) for rate in rates]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("rate", RATES)
def test_single_cuts_are_the_best_of_all_combinations(measure, rate):
    """Without draws, two and three groups."""
    for n_groups, within, seed in ((2, 0.0, 0), (2, 0.1, 1), (3, 0.15, 2)):
        y, score, groups = rows(18, n_groups, seed)
        cut = best_group_thresholds(
            y, score, groups, measure, rate=rate, within=within, randomise=False
        )
        all_of_them = combinations(cuts_of(y, score, groups), [rate], within)
        assert cut.value == pytest.approx(values_of(all_of_them, measure, y).max(), abs=1e-12)
        assert cut.gap(rate) <= within + 1e-9
        assert not cut.randomised


@pytest.mark.parametrize("measure", ["f1", "accuracy", "cohen_kappa"])
@pytest.mark.parametrize("rate", ["recall", "selection_rate", ODDS], ids=str)
@pytest.mark.parametrize("within", [0.0, 0.1])
def test_no_mixture_of_a_fine_grid_is_better(measure, rate, within):
    """With draws the value is at least that of every mixture of two cuts per group."""
    y, score, groups = rows(12, 2, seed=3)
    rates = [rate] if isinstance(rate, str) else rate
    cut = best_group_thresholds(y, score, groups, measure, rate=rate, within=within)
    parts = [mixtures(cuts) for cuts in cuts_of(y, score, groups)]
    best = values_of(combinations(parts, rates, within), measure, y).max()
    assert cut.value >= best - 1e-9
    assert max(gaps(cut, rates)) <= within + 1e-8


@pytest.mark.parametrize("noise", [1.0, 4.0, -1.0])
def test_three_groups_beat_all_combinations_of_single_cuts(noise):
    """Also of scores that are worse than none, where mixtures are all that is left."""
    y, score, groups = rows(18, 3, seed=5, noise=noise)
    score = score if noise > 0 else -score
    cut = best_group_thresholds(y, score, groups, rate=ODDS, within=0.2)
    single = combinations(cuts_of(y, score, groups), ODDS, 0.2)
    assert cut.value >= values_of(single, "f1", y).max() - 1e-9
    assert max(gaps(cut, ODDS)) <= 0.2 + 1e-8


@pytest.mark.parametrize("measure", MEASURES)
def test_without_a_bound_every_group_is_cut_for_all_together(measure):
    """A bound of 1 gives the joint optimum over the cuts of all groups, without draws."""
    y, score, groups = rows(24, 3, seed=1)
    cut = best_group_thresholds(y, score, groups, measure, rate=RATES, within=1.0)
    all_of_them = combinations(cuts_of(y, score, groups), RATES, 1.0)
    assert cut.value == pytest.approx(values_of(all_of_them, measure, y).max(), abs=1e-9)
    assert cut.value >= best_threshold(y, score, measure).value - 1e-12
    assert not cut.randomised


@pytest.mark.parametrize("rate", [*RATES, ODDS], ids=str)
def test_no_slack_gives_equal_rates(rate):
    """Within 0, to the accuracy of the program."""
    y, score, groups = rows(400, 3, seed=2)
    cut = best_group_thresholds(y, score, groups, rate=rate, within=0.0)
    assert max(gaps(cut, [rate] if isinstance(rate, str) else rate)) <= 1e-8


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000), n_groups=st.integers(2, 4), rate=st.sampled_from([*RATES, ODDS])
)
def test_more_slack_never_lowers_the_value(seed, n_groups, rate):
    """And draws never do worse than single cuts."""
    y, score, groups = rows(60, n_groups, seed)
    values = [
        best_group_thresholds(y, score, groups, rate=rate, within=within).value
        for within in (0.0, 0.05, 0.2, 1.0)
    ]
    assert (np.diff(values) >= -1e-9).all()
    if isinstance(rate, str):
        single = best_group_thresholds(y, score, groups, rate=rate, within=0.05, randomise=False)
        assert single.value <= values[1] + 1e-9


@pytest.mark.parametrize("randomise", [True, False])
def test_weights_are_repeated_rows(randomise):
    """Weights of 0, 1 and 2 give what rows left out and rows twice give."""
    y, score, groups = rows(120, 2, seed=4)
    weight = np.random.default_rng(0).integers(0, 3, 120)
    weighted = best_group_thresholds(
        y, score, groups, randomise=randomise, sample_weight=weight.astype(float)
    )
    y, score, groups = (np.repeat(a, weight) for a in (y, score, groups))
    repeated = best_group_thresholds(y, score, groups, randomise=randomise)
    assert weighted.value == pytest.approx(repeated.value, abs=1e-9)
    for one, other in zip(weighted.groups, repeated.groups, strict=True):
        assert one.thresholds == pytest.approx(other.thresholds)
        assert one.recall == pytest.approx(other.recall)


def test_draws_keep_what_is_promised():
    """Rows cut by the thresholds that draws choose have the rates that are promised, nearly."""
    y, score, groups = rows(20_000, 2, seed=6)
    cut = best_group_thresholds(y, score, groups, rate=ODDS, within=0.0)
    draws = np.random.default_rng(0).random(len(y))
    assert cut.randomised
    for k, group in enumerate(cut.groups):
        own = groups == k
        assert sum(group.probabilities) == pytest.approx(1.0)
        predicted = score[own] >= group.at(draws[own])
        for rate, within in (("recall", y[own]), ("false_positive_rate", ~y[own])):
            assert predicted[within].mean() == pytest.approx(getattr(group, rate), abs=0.02)


def test_single_cuts_are_preferred_where_draws_gain_nothing():
    """Scores that tell everything need no draws, whatever the bound."""
    y, _, groups = rows(50, 2)
    for rate in (*RATES[:2], ODDS):
        cut = best_group_thresholds(y, y.astype(float), groups, rate=rate, within=0.0)
        assert cut.value == 1.0
        assert not cut.randomised


def test_a_group_without_positives_has_no_recall_and_no_bound():
    """It takes part in the measure alone."""
    y, score, groups = rows(60, 3, seed=7)
    y = y & (groups != 2)
    for randomise in (True, False):
        cut = best_group_thresholds(y, score, groups, within=0.0, randomise=randomise)
        assert np.isnan(cut.groups[2].recall)
        assert cut.gap("recall") <= 1e-8
        assert cut.to_dict()["groups"][2]["recall"] is None


def test_rare_positives_do_not_blur_the_bound():
    """At a prevalence of 1 in 2,000 the bound is kept as exactly."""
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 2, 40_000)
    y = rng.random(40_000) < 0.0005
    score = 3 * y + rng.normal(size=40_000) * (1 + groups)
    cut = best_group_thresholds(y, score, groups, within=0.0)
    single = best_group_thresholds(y, score, groups, within=0.0, randomise=False)
    assert cut.gap("recall") <= 1e-7
    assert cut.value >= single.value - 1e-9


def test_least_costs_in_windows_are_those_of_numpy():
    """The loop finds the first least cost of every window."""
    rng = np.random.default_rng(0)
    costs = rng.integers(0, 9, 50).astype(float)
    starts = np.sort(rng.integers(0, 50, 30))
    ends = np.sort(np.maximum(starts, np.minimum(starts + rng.integers(0, 9, 30), 50)))
    for start, end, found in zip(starts, ends, window_minima(costs, starts, ends), strict=True):
        assert found == (start + costs[start:end].argmin() if end > start else -1)


@pytest.mark.parametrize("kind", ["text", "number", "bool", "category", "polars"])
def test_groups_may_be_anything(kind):
    """Texts, numbers, booleans, pandas' categories and polars' columns name the same groups."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    y, score, groups = rows(60, 2)
    text = np.where(groups == 1, "b", "a")
    given_as = {
        "text": list(text),
        "number": groups.astype(float),
        "bool": groups == 1,
        "category": pd.Series(text, dtype="category"),
        "polars": pl.Series(text),
    }[kind]
    cut, plain = (best_group_thresholds(y, score, g) for g in (given_as, groups))
    assert cut.value == plain.value
    assert [one.thresholds for one in cut.groups] == [one.thresholds for one in plain.groups]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"groups": ["a"] * 24}, "single value 'a'"),
        ({"groups": ["a"] * 23}, "groups has 23 entries, but there are 24 rows"),
        ({"groups": ["a", None] * 12}, "missing in 12 of 24 rows"),
        ({"groups": [1.0, np.nan] * 12}, "missing in 12 of 24 rows"),
        ({"groups": np.zeros((24, 2))}, "one value per row"),
        ({"measure": "f1_macro"}, "thresholds of groups are for one label"),
        ({"measure": "mcc"}, "not a ratio"),
        ({"rate": "precision"}, "rate must be one or several of recall"),
        ({"rate": ()}, "rate must be one or several of recall"),
        ({"within": -0.1}, "within must be a difference between 0 and 1"),
        ({"rate": 3}, "rate must be one or several of recall"),
        ({"within": None}, "within must be a difference between 0 and 1"),
        ({"within": np.nan}, "within must be a difference between 0 and 1"),
        ({"rate": ODDS, "randomise": False}, "randomise=False is for one rate"),
        ({"y_true": [0] * 24}, "no positive row"),
        ({"y_true": np.zeros((24, 2))}, "for one label"),
        ({"sample_weight": [0.0, 1.0] * 12}, "the group 0 have the weight 0"),
    ],
)
def test_errors_say_what_is_wrong(change, message):
    """In one sentence each."""
    y, score, groups = rows(24, 2)
    call = {"y_true": y, "y_score": score, "groups": groups} | change
    with pytest.raises(ValueError, match=message):
        best_group_thresholds(**call)


def test_more_than_fifty_groups_are_refused():
    """A column of numbers is no column of groups."""
    y, score, _ = rows(60)
    with pytest.raises(ValueError, match="60 different values"):
        best_group_thresholds(y, score, np.arange(60))


def test_a_measure_of_ones_own_will_do():
    """Anything with coefficients of one pair, as balanced accuracy given as an object."""
    y, score, groups = rows(60)
    by_name = best_group_thresholds(y, score, groups, "balanced_accuracy")
    assert best_group_thresholds(y, score, groups, BalancedAccuracy()).value == by_name.value


def test_what_is_shown():
    """A line per group, which ones are drawn, and a table."""
    pytest.importorskip("pandas")
    y, score, groups = rows(400, 2, seed=2)
    cut = best_group_thresholds(y, score, groups, rate=ODDS, within=0.0)
    text = str(cut)
    assert "recall and false_positive_rate within 0 between groups" in text
    assert "drawn row by row" in text
    assert list(cut.frame()["group"]) == [0, 1]
    assert "2 groups" in repr(cut)
