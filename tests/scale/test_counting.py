"""Counted curves: exact where they are known, and refined until no better cut can hide."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudolinear import ErrorCurve, FBeta, Jaccard, best_threshold
from pseudolinear.errors import count_columns
from pseudolinear.scale._counting import edges_of, finer_edges, likely, refine, resolution


def counted(y, scores, edges):
    return count_columns(scores[:, None], y, edges=edges[None]).column(0)


@given(st.integers(0, 10_000), st.sampled_from([FBeta(), FBeta(2.0), Jaccard()]))
def test_refining_ends_at_the_best_of_all_cuts(seed, measure):
    """From edges of a few rows to the optimum over all thresholds."""
    rng = np.random.default_rng(seed)
    y = rng.random(3000) < rng.choice([0.02, 0.3])
    scores = y * rng.uniform(0, 2) + rng.normal(size=3000)
    if seed % 3 == 0:
        scores = scores.round(1)  # ties
    few = rng.choice(3000, 40, replace=False)
    curve = counted(y, scores, edges_of(scores[few], y[few]))
    best = np.max(measure.value(ErrorCurve.from_scores(y, scores)))
    assert np.max(measure.value(curve.curve())) + resolution(curve, measure) >= best - 1e-12
    for _ in range(10):
        hopes = likely(curve, measure)
        if not len(hopes):
            break
        curve = refine(curve, counted(y, scores, finer_edges(curve, hopes)), hopes)
    assert resolution(curve, measure) == 0
    assert np.max(measure.value(curve.curve())) == pytest.approx(best, abs=1e-12)
    assert curve.positives.sum() + curve.negatives.sum() == 3000


def test_known_cuts_are_those_of_all_rows():
    """The errors at an edge are the errors of predicting everything above it."""
    rng = np.random.default_rng(0)
    y, scores = rng.random(500) < 0.2, rng.normal(size=500)
    curve = counted(y, scores, edges_of(scores[:50], y[:50])).curve()
    for cut in range(0, len(curve), 50):
        above = scores > curve.thresholds[cut]
        assert curve.fn[cut, 0] == pytest.approx((y & ~above).mean())
        assert curve.fp[cut, 0] == pytest.approx((~y & above).mean())
    assert best_threshold(y, scores).value >= np.max(FBeta().value(curve))
