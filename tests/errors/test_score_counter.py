"""A stream of scores: every score while few, exact bins once there are many, any order of rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudolinear.errors import ErrorCurve, ScoreCounter

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def _count(scores, truth, weight, cuts=(), **options):
    counter = ScoreCounter(**options)
    for rows in np.split(np.arange(len(scores)), sorted(cuts)):
        own = None if weight is None else weight[rows]
        counter.add(scores[rows], truth[rows], own)
    return counter.curve()


@given(
    scores=st.lists(FLOATS, min_size=1, max_size=60),
    cuts=st.lists(st.integers(0, 60), max_size=4),
    most=st.sampled_from([1, 2, 5, 16, 1000]),
    seed=st.integers(0, 99),
)
def test_known_cuts_are_cuts_of_all_rows(scores, cuts, most, seed):
    """Any scores, signs of zero and tiny ones too: what is known are errors of the whole curve."""
    rng = np.random.default_rng(seed)
    scores = np.array(scores)
    truth, weight = rng.random(len(scores)) < 0.5, rng.integers(0, 4, len(scores)) + 0.0
    weight[0] = 1.0
    known = _count(scores, truth, weight, cuts, most_distinct=most)
    whole = ErrorCurve.from_scores(truth, scores, weight)
    if len(np.unique(scores[weight > 0])) <= most:
        assert known.complete
        assert len(known) + 1 == len(whole)
    curve = known.curve()
    place = np.searchsorted(-whole.thresholds, -curve.thresholds)
    for name in ("thresholds", "fn", "fp"):
        assert np.array_equal(getattr(curve, name), getattr(whole, name)[place])


@given(scores=st.lists(FLOATS, min_size=2, max_size=60, unique=True), most=st.integers(1, 8))
def test_further_passes_end(scores, most):
    """Passes over the intervals that hold several scores leave none, in at most 64 passes."""
    scores = np.array(scores) + 0.0
    scores = np.unique(scores)
    truth = np.arange(len(scores)) % 2 == 0
    known, passes = _count(scores, truth, None, most_distinct=most), 1
    while not known.complete:
        several = known.low < known.high
        within = known.take(several)
        known = known.refine(
            _count(scores, truth, None, within=within, most_distinct=most), several
        )
        passes += 1
        assert passes <= 64
    assert np.array_equal(known.low, scores[::-1])
    assert known.weight == len(scores)


def test_scores_as_far_apart_as_floats_can_be():
    """Their distance overflows; no place may be computed from it."""
    scores = np.array([-1.7e308, -1.0, 0.0, 1.0, 1.7e308])
    truth = np.array([False, True, False, True, True])
    known = _count(scores, truth, None, most_distinct=2)
    within = known.take(known.low < known.high)
    if len(within):
        finer = _count(scores, truth, None, within=within, most_distinct=2)
        assert finer.weight == within.weight
    assert known.weight == 5


@pytest.mark.parametrize("order", ["random", "ascending", "descending"])
def test_bins_stay_narrow_in_any_order(order):
    """Sorted rows, of which the first say nothing of the others, are told apart as well."""
    rng = np.random.default_rng(0)
    scores = rng.random(200_000)
    if order != "random":
        scores = np.sort(scores)[:: 1 if order == "ascending" else -1]
    parts = range(0, 200_000, 10_000)
    known = _count(scores, scores > 0.5, None, parts, most_distinct=2**14)
    largest = (known.positives + known.negatives).max() / known.weight
    assert largest < (0.02 if order == "random" else 0.1)
    assert known.weight == 200_000


def test_scores_that_are_not_finite_are_refused():
    """As in memory."""
    with pytest.raises(ValueError, match="finite score"):
        ScoreCounter().add(np.array([np.nan]), np.array([True]))
