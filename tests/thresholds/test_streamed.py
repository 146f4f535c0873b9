"""Thresholds of a stream: those of all rows at once, whatever the partition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudolinear import (
    CohenKappa,
    ErrorProfile,
    ExpectedCost,
    FalseNegativesAtFalsePositives,
    LinearFractional,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtBudget,
    RecallAtPrecision,
    Tversky,
    best_threshold,
    best_thresholds,
    resampled_threshold,
    streamed_threshold,
)

GOALS = [
    *("f1", "f2", "f0.5", "jaccard", "accuracy", "balanced_accuracy", "mcc", "g_mean"),
    CohenKappa(),
    Tversky(0.3, 0.9),
    ExpectedCost(fn=5, fp=1),
    MinimalCost(2.0, 1.0),
    RecallAtPrecision(0.6),
    PrecisionAtRecall(0.7),
    FalseNegativesAtFalsePositives(0.1),
    RecallAtBudget(0.15),
]


def _rows(seed, n, digits, labels=None, weighted=True):
    rng = np.random.default_rng(seed)
    shape = n if labels is None else (n, labels)
    y = rng.random(shape) < rng.choice([0.05, 0.3, 0.7])
    y[0], y[1] = True, False
    scores = y * rng.choice([0.3, 1.0, 2.0]) + rng.normal(size=shape)
    scores = scores if digits is None else np.round(scores, digits)
    weight = rng.integers(0, 5, n) / 4
    weight[:2] = 1.0
    return y, scores, weight if weighted else None


def _batches(y, scores, weight, cuts):
    rows = np.split(np.arange(len(y)), sorted(c % len(y) for c in cuts))
    return [(y[r], scores[r]) if weight is None else (y[r], scores[r], weight[r]) for r in rows]


PARTITIONS = st.lists(st.integers(0, 10_000), max_size=6)


@pytest.mark.parametrize("goal", GOALS, ids=repr)
@settings(max_examples=10)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 300),
    digits=st.sampled_from([0, 1, 2, None]),
    weighted=st.booleans(),
    cuts=PARTITIONS,
    most=st.sampled_from([2, 7, 2**21]),
)
def test_streamed_is_in_memory(goal, seed, n, digits, weighted, cuts, most):
    """The same threshold, value and errors, bit for bit, or the same sentence."""
    y, scores, weight = _rows(seed, n, digits, weighted=weighted)
    batches = _batches(y, scores, weight, cuts)
    try:
        expected = best_threshold(y, scores, goal, weight)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)[:20]):
            streamed_threshold(batches, goal, most_distinct=most)
        return
    found = streamed_threshold(batches, goal, most_distinct=most)
    assert found.gaps[0] <= 1e-12
    assert found.cut.threshold == expected.threshold
    assert found.cut.value == pytest.approx(expected.value, abs=1e-14)
    assert np.array_equal(found.cut.profile.errors, expected.profile.errors)


@pytest.mark.parametrize("measure", ["f1_macro", "f1_weighted", "f1_micro", "jaccard_micro"])
@settings(max_examples=10)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 120),
    digits=st.sampled_from([0, 1, None]),
    cuts=PARTITIONS,
    most=st.sampled_from([2, 2**21]),
)
def test_streamed_labels_are_in_memory(measure, seed, n, digits, cuts, most):
    """Means over labels have the same thresholds, micro averages the same value."""
    y, scores, weight = _rows(seed, n, digits, labels=3)
    expected = best_thresholds(y, scores, measure, weight)
    found = streamed_threshold(_batches(y, scores, weight, cuts), measure, most_distinct=most)
    assert found.cut.value == pytest.approx(expected.value, abs=1e-12)
    if measure in ("f1_macro", "f1_weighted"):
        assert np.array_equal(found.cut.threshold, expected.threshold)
    reached = ErrorProfile.from_labels(y, scores >= found.cut.threshold, sample_weight=weight)
    assert np.allclose(reached.errors, found.cut.profile.errors, atol=1e-14)


@pytest.fixture(scope="module", autouse=True)
def _few_are_many():
    """Let few distinct scores be many, for every test and in any order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pseudolinear.thresholds._score_passes.FEWEST", 2)
        yield


@given(seed=st.integers(0, 10_000), prevalence=st.sampled_from([0.01, 0.2, 0.9]))
def test_another_prevalence_is_weighting(seed, prevalence):
    """The threshold where positives are rarer is that of rows weighted to be so."""
    y, scores, weight = _rows(seed, 150, 1)
    here = np.average(y, weights=weight)
    shift = weight * np.where(y, prevalence / here, (1 - prevalence) / (1 - here))
    expected = best_threshold(y, scores, "f1", shift)
    found = streamed_threshold(
        _batches(y, scores, weight, [30, 70]), "f1", prevalence=prevalence, most_distinct=4
    )
    assert found.cut.value == pytest.approx(expected.value)
    assert found.cut.threshold == pytest.approx(expected.threshold)
    cut, gap = streamed_threshold([(y, scores, weight)]).retarget("f1", prevalence)
    assert (cut.threshold, gap) == (found.cut.threshold, 0.0)


def test_several_objectives_share_the_passes():
    """A list is served by passes over the batches that one objective needs, or few more."""
    y, scores, _ = _rows(3, 4000, None)
    passes = []

    def batches():
        passes.append(1)
        return iter(_batches(y, scores, None, [1000, 2500]))

    found = streamed_threshold(batches, GOALS, most_distinct=64)
    assert found.passes == len(passes)
    assert found.n_rows == 4000
    for goal, cut in zip(GOALS, found.cuts, strict=True):
        assert cut.threshold == best_threshold(y, scores, goal).threshold


@given(seed=st.integers(0, 10_000))
def test_gap_bounds_what_a_single_pass_may_miss(seed):
    """After one pass, no threshold is better by more than the gap."""
    y, scores, _ = _rows(seed, 2000, None)
    found = streamed_threshold([(y, scores)], ["f1", "mcc"], max_passes=1, most_distinct=64)
    assert found.passes == 1
    for goal, cut, gap in zip(["f1", "mcc"], found.cuts, found.gaps, strict=True):
        best = best_threshold(y, scores, goal).value
        assert cut.value <= best <= cut.value + gap + 1e-12
    micro = streamed_threshold(
        [(y[:, None], scores[:, None])], "f1_micro", max_passes=1, most_distinct=64
    )
    assert micro.cut.value <= best_threshold(y, scores).value <= micro.cut.value + micro.gaps[0]


@pytest.mark.parametrize("order", [1, -1])
def test_sorted_rows_take_few_passes(order):
    """Rows sorted by their score, as some engines write them, are no worse than four passes."""
    y, scores, _ = _rows(5, 100_000, None)
    by = np.argsort(scores)[::order]
    y, scores = y[by], scores[by]
    found = streamed_threshold(
        _batches(y, scores, None, range(0, 100_000, 9_000)), most_distinct=2**12
    )
    assert found.cut.threshold == best_threshold(y, scores).threshold
    assert found.passes <= 4


def test_a_generator_serves_one_pass():
    """Few distinct scores need one pass; of many, a sentence says what to give."""
    y, scores, _ = _rows(5, 500, 1)
    found = streamed_threshold(iter(_batches(y, scores, None, [100])))
    assert found.passes == 1
    with pytest.raises(ValueError, match="only once"):
        streamed_threshold(iter(_batches(y, scores, None, [100])), most_distinct=4)


def test_batches_that_change_are_noticed():
    """Another pass over other rows would give a wrong answer."""
    y, scores, _ = _rows(5, 500, None)
    turns = []

    def batches():
        turns.append(1)
        return [(y, scores)] if len(turns) == 1 else [(y[::2], scores[::2])]

    with pytest.raises(ValueError, match="must not change"):
        streamed_threshold(batches, most_distinct=4)


@pytest.mark.parametrize(
    ("batches", "said"),
    [
        ([], "no row of positive weight"),
        ([([], [])], "no row of positive weight"),
        ([([0, 0], [1, 2])], "no positive row"),
        ([([0, 1], [1, 2]), ([0, 2], [1, 2])], "Batch 2: y_true must hold only 0 and 1"),
        ([([0, 1], [1, 2]), ([0, 1], [1, np.nan])], "Batch 2: y_score contains NaN"),
        ([([0, 1], [1, np.inf])], "Batch 1: y_score contains NaN or infinity"),
        ([([0, 1], [1, 2]), ([[0, 1]], [[1, 2]])], "Batch 2: y_true has 2 columns"),
        ([([0, 1], [1, 2], [1, -1])], "not negative"),
        ([([0, 1], [1, 2], [1, 1]), ([0, 1], [1, 2])], "Batch 2: either all batches"),
    ],
)
def test_bad_batches_get_a_sentence(batches, said):
    """What is wrong, and in which batch."""
    with pytest.raises(ValueError, match=said):
        streamed_threshold(batches)


def test_what_a_stream_cannot_tell_is_refused(monkeypatch):
    """Costs by row, and measures that grow with errors."""
    monkeypatch.setattr("pseudolinear.thresholds._score_passes.FEWEST", 2)
    batches = [([0, 1, 1, 0], [1.0, 2.0, 3.0, 4.0])]
    with pytest.raises(ValueError, match="costs by row"):
        streamed_threshold(batches, ExpectedCost(fn=[1, 2, 3, 4], fp=1))
    worse = LinearFractional(0.0, [1.0, 0.5], 1.0, [0.0, 0.0])
    with pytest.raises(ValueError, match="negative cost"):
        streamed_threshold([_rows(0, 500, None)], worse, most_distinct=2)
    with pytest.raises(ValueError, match="for one label"):
        streamed_threshold([([[0, 1], [1, 0]], [[1, 2], [3, 4]])], "f1")
    with pytest.raises(ValueError, match="one target"):
        streamed_threshold([([[0, 1], [1, 0]], [[1, 2], [3, 4]])], "f1_macro", prevalence=0.1)


@pytest.mark.parametrize(
    "goal",
    [
        "f1",
        pytest.param("mcc", marks=pytest.mark.slow),
        pytest.param(RecallAtPrecision(0.5), marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_resampling_counts_is_resampling_rows(goal):
    """Interval, spread and what choosing gains are as those of rows, up to the draws."""
    y, scores, _ = _rows(7, 3000, None)
    rows = resampled_threshold(y, scores, goal, random_state=0, n_resamples=400)
    found = streamed_threshold(_batches(y, scores, None, [999]), goal).resample(
        goal, random_state=0, n_resamples=400
    )
    assert found.cut.threshold == rows.cut.threshold
    width = np.diff(rows.interval)[0]
    assert found.expected == pytest.approx(rows.expected, abs=0.1 * width)
    assert np.allclose(found.interval, rows.interval, atol=0.25 * width)
    assert np.allclose(found.spread, rows.spread, atol=0.35 * np.diff(rows.spread)[0] + 1e-3)


def test_flagged_rows_are_those_above():
    """Counted at the threshold, for every label."""
    y, scores, _ = _rows(8, 200, 1, labels=2)
    found = streamed_threshold(_batches(y, scores, None, [50]), "f1_macro")
    assert np.array_equal(found.flagged(found.cut), (scores >= found.cut.threshold).sum(axis=0))
