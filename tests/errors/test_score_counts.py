"""Counts of many columns: exact at every edge, the same for any partition of the rows."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudolinear.errors import ErrorCurve, ScoreCounts, ScoreCurve, count_columns, sample_edges


def _rows(seed, n=400, columns=3):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    scores = np.round(truth[:, None] + rng.normal(size=(n, columns)), 1)
    return scores, truth, rng.integers(0, 8, n) / 8


@given(seed=st.integers(0, 1000), n_bins=st.integers(1, 40))
def test_known_cuts_are_cuts_of_all_rows(seed, n_bins):
    """What is counted between bins are the errors of the in-memory curve at the same threshold."""
    scores, truth, weight = _rows(seed)
    edges = sample_edges(scores[:50], n_bins)
    for k, curve in enumerate(count_columns(scores, truth, weight, edges=edges).curves()):
        complete = ErrorCurve.from_scores(truth, scores[:, k], weight)
        place = np.searchsorted(-complete.thresholds, -curve.thresholds)
        assert np.array_equal(curve.thresholds, complete.thresholds[place])
        assert np.array_equal(curve.fn, complete.fn[place])
        assert np.array_equal(curve.fp, complete.fp[place])
        assert len(curve) >= min(n_bins, 2)


@given(seed=st.integers(0, 1000), cuts=st.lists(st.integers(0, 400), max_size=5))
def test_any_partition_merges_to_the_same(seed, cuts):
    """Parts, empty ones among them, merge in any order to the counts of all rows, bit for bit."""
    scores, truth, weight = _rows(seed)
    edges = sample_edges(scores, 16)
    whole = count_columns(scores, truth, weight, edges=edges)
    parts = [
        count_columns(*(a[rows] for a in (scores, truth, weight)), edges=edges)
        for rows in np.split(np.arange(400), sorted(cuts))
    ]
    merged = pickle.loads(pickle.dumps(ScoreCounts.empty(edges)))
    for part in parts[::-1]:
        merged = part.merge(merged)
    assert np.array_equal(merged.bins, whole.bins)


def test_an_edge_at_every_score_is_the_whole_curve():
    """Bins of single scores give the in-memory curve, thresholds and all."""
    scores, truth, weight = _rows(0)
    counts = count_columns(scores[:, :1], truth, weight, edges=[np.unique(scores[:, 0])])
    curve, complete = counts.curves()[0], ErrorCurve.from_scores(truth, scores[:, 0], weight)
    assert counts.column(0).complete
    for name in ("fn", "fp", "thresholds", "prevalence"):
        assert np.array_equal(getattr(curve, name), getattr(complete, name))


def test_columns_count_the_rows_of_their_fold_and_label():
    """Folds are masks: the columns of all folds merge to one of all rows, each by its own label."""
    scores, truth, weight = _rows(1, columns=2)
    truths, fold = np.stack([truth, ~truth], axis=1), np.arange(400) % 2
    edges = sample_edges(scores, 8)[[0, 0, 1, 1]]
    both = count_columns(
        scores[:, [0, 0, 1, 1]], truths, weight,
        edges=edges, label=[0, 0, 1, 1], fold=fold, held_out=[0, 1, 0, 1],
    )  # fmt: skip
    pooled = both.take([0, 2]).merge(both.take([1, 3]))
    alone = count_columns(scores, truths, weight, edges=edges[[0, 2]], label=[0, 1])
    assert np.array_equal(pooled.bins, alone.bins)
    assert np.array_equal(both.counts[0].sum(), weight[fold == 0].sum())


@given(seed=st.integers(0, 1000))
def test_corners_bound_what_bins_hide(seed):
    """No cut inside a bin has fewer errors of either class than the corner of its bin."""
    scores, truth, weight = _rows(seed)
    known = count_columns(scores, truth, weight, edges=sample_edges(scores, 6)).column(0)
    corners, complete = known.corners(), ErrorCurve.from_scores(truth, scores[:, 0], weight)
    for k, (low, high) in enumerate(zip(known.low, known.high, strict=True)):
        inside = (complete.thresholds > low) & (complete.thresholds < high)
        assert (complete.fn[inside] >= corners.fn[k]).all()
        assert (complete.fp[inside] >= corners.fp[k]).all()


@given(seed=st.integers(0, 1000), order=st.permutations(range(3)))
def test_curves_with_other_bins_merge_exactly(seed, order):
    """Where edges differ, intervals that overlap are joined: still exact, in any order."""
    scores, truth, weight = _rows(seed, n=90)
    parts = [
        count_columns(scores[k::3], truth[k::3], weight[k::3], edges=sample_edges(scores[k::3], 9))
        for k in range(3)
    ]
    curves = [parts[k].column(0) for k in order]
    merged = curves[0].merge(curves[1]).merge(curves[2])
    other = curves[0].merge(curves[1].merge(curves[2]))
    complete = ErrorCurve.from_scores(truth, scores[:, 0], weight)
    for name in ("low", "high", "positives", "negatives"):
        assert np.array_equal(getattr(merged, name), getattr(other, name))
    curve = merged.curve()
    place = np.searchsorted(-complete.thresholds, -curve.thresholds)
    assert np.array_equal(curve.fn, complete.fn[place])


def test_a_finer_curve_takes_the_place_of_intervals():
    """Refining all intervals gives the finer curve, refining some keeps the others."""
    scores, truth, _ = _rows(2)
    coarse = count_columns(scores, truth, edges=sample_edges(scores, 4)).column(0)
    fine = count_columns(scores, truth, edges=sample_edges(scores, 400)).column(0)
    everything = coarse.refine(fine, np.ones(len(coarse), bool))
    assert np.array_equal(everything.low, fine.low)
    first = coarse.high == coarse.high[0]
    inside = fine.low >= coarse.low[0]
    names = ("low", "high", "positives", "negatives")
    part = ScoreCurve(*(getattr(fine, name)[inside] for name in names))
    assert coarse.refine(part, first).weight == coarse.weight


@pytest.mark.parametrize("edges", [[], [1.0], [-1e308, 1e308], [0.0, 5e-324, 1.0, 1.0, 1e9]])
def test_bins_are_those_of_a_sorted_search(edges):
    """Whatever the edges, a score is above those that it is at least as large as."""
    scores = np.concatenate([np.linspace(-3, 3, 41), edges, [-1e308, 1e308, 5e-324, 1e9]])
    found = count_columns(scores[:, None], np.ones(len(scores)), edges=np.reshape(edges, (1, -1)))
    expected = np.bincount(np.searchsorted(edges, scores, side="right"), minlength=len(edges) + 1)
    assert np.array_equal(found.counts[0, :, 0], expected)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_scores_that_are_not_finite_are_refused(bad):
    """As in memory; a row of weight 0 may have any score."""
    with pytest.raises(ValueError, match="finite score"):
        count_columns(np.array([[1.0], [bad]]), [0, 1], edges=[[0.0]])
    weight = np.array([1.0, 0.0])
    assert count_columns(np.array([[1.0], [bad]]), [0, 1], weight, edges=[[0.0]]).counts.sum() == 1


def test_other_edges_do_not_merge():
    """One sentence says so."""
    with pytest.raises(ValueError, match="edges are equal"):
        ScoreCounts.empty([[0.0]]).merge(ScoreCounts.empty([[1.0]]))
