"""Curves of many columns and folds in one pass are those of one column and fold after the other."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudolinear import ErrorCurve
from pseudolinear.errors import ErrorCurves, fold_curves
from pseudolinear.loops._outlines import USUAL

LARGEST = np.finfo(np.float64).max


@st.composite
def columns(draw):
    """Scores with ties, and as far apart as floats can be, of labels of any prevalence."""
    sizes = draw(st.lists(st.integers(1, 30), min_size=1, max_size=4))
    n_labels, n_columns, n_rows = draw(st.integers(1, 3)), draw(st.integers(1, 5)), sum(sizes)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    steps = draw(st.sampled_from([None, 1, 4]))
    scores = rng.normal(size=(n_columns, n_rows))
    if steps is not None:
        scores = np.round(steps * scores) / steps
    if draw(st.booleans()):
        scores[rng.random(scores.shape) < 0.1] = LARGEST
        scores[rng.random(scores.shape) < 0.1] = -LARGEST
    truth = rng.random((n_labels, n_rows)) < draw(st.sampled_from([0.0, 0.1, 0.5, 1.0]))
    return scores, truth, rng.integers(0, n_labels, n_columns), sizes, rng


def one_by_one(scores, truth, owner, sizes, weight):
    """Cut every column, of all folds together and of each, by sorting it."""
    folds = [slice(end - size, end) for end, size in zip(np.cumsum(sizes), sizes, strict=True)]
    together = [slice(0, sum(sizes))]
    return [
        ErrorCurve.from_scores(
            truth[label, rows], own[rows], None if weight is None else weight[rows]
        ).outline()
        for own, label in zip(scores, owner, strict=True)
        for rows in together + folds
    ]


def in_turn(together, by_fold):
    """Put the curve of all rows of a column before those of its folds."""
    n_folds = len(by_fold) // len(together)
    firsts = range(0, len(by_fold), n_folds)
    pairs = zip(together, firsts, strict=True)
    return [one for whole, k in pairs for one in (whole, *by_fold[k : k + n_folds])]


def assert_same(curve, expected, tolerance=0.0):
    np.testing.assert_array_equal(curve.thresholds, expected.thresholds)
    for name in ("fn", "fp", "prevalence"):
        np.testing.assert_allclose(
            getattr(curve, name), getattr(expected, name), rtol=0, atol=tolerance
        )


@settings(max_examples=60)
@given(columns())
def test_they_are_the_outlines_of_every_column_to_the_bit(drawn):
    *given_columns, _ = drawn
    expected = one_by_one(*given_columns, None)
    curves = in_turn(*fold_curves(given_columns[0].copy(), *given_columns[1:]))
    assert len(curves) == len(expected)
    for curve, one in zip(curves, expected, strict=True):
        assert_same(curve, one)


@settings(max_examples=60)
@given(columns())
def test_weights_that_add_up_exactly_give_the_same_bits_too(drawn):
    """Rows without weight make no cuts; the order in which equal scores are added does not show."""
    *given_columns, rng = drawn
    sizes = given_columns[3]
    weight = rng.integers(0, 4, sum(sizes)) / 4.0
    weight[np.cumsum(sizes) - 1] = 1.0  # some of every fold
    expected = one_by_one(*given_columns, weight)
    curves = in_turn(*fold_curves(given_columns[0].copy(), *given_columns[1:], weight))
    for curve, one in zip(curves, expected, strict=True):
        assert_same(curve, one)


@pytest.mark.parametrize("seed", range(5))
def test_any_weights_give_the_same_cuts_and_errors_but_for_rounding(seed):
    rng = np.random.default_rng(seed)
    sizes = [70, 60, 80]
    scores, truth = rng.normal(size=(6, 210)), rng.random((2, 210)) < 0.3
    owner, weight = np.array([0, 1, 0, 1, 1, 0]), rng.random(210)
    expected = one_by_one(scores, truth, owner, sizes, weight)
    curves = in_turn(*fold_curves(scores.copy(), truth, owner, sizes, weight))
    for curve, one in zip(curves, expected, strict=True):
        assert_same(curve, one, 1e-14)


def test_more_cuts_than_there_is_room_for_at_first():
    rng = np.random.default_rng(0)
    truth = rng.random((1, 900)) < 0.5
    scores = rng.normal(size=(150, 900)) + truth
    owner = np.zeros(150, np.intp)
    curves, _ = fold_curves(scores.copy(), truth, owner, [900])
    assert len(curves.fn) > USUAL * 150 + 901
    expected = one_by_one(scores, truth, owner, [900], None)[::2]
    for curve, one in zip(curves, expected, strict=True):
        assert_same(curve, one)


def test_what_cannot_be_cut_is_refused():
    truth, owner = np.array([[True, False]]), np.array([0])
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="NaN or infinity"):
            fold_curves(np.array([[bad, 0.0]]), truth, owner, [2])
    with pytest.raises(ValueError, match="zero for every row"):
        fold_curves(np.array([[1.0, 0.0]]), truth, owner, [1, 1], np.array([0.0, 1.0]))


def test_neighbouring_curves_are_a_view_that_travels_alone():
    """A slice shares its arrays with the others; what is pickled of it are its own cuts only."""
    rng = np.random.default_rng(0)
    one, two, three = (
        ErrorCurve.from_scores(rng.random(50) < 0.3, rng.normal(size=50)) for _ in range(3)
    )
    curves = ErrorCurves.of([one, two, three])
    part = curves[1:]
    assert part.fn is curves.fn
    copy = pickle.loads(pickle.dumps(part))
    assert copy.starts[0] == 0
    assert len(copy.fn) == len(two) + len(three)
    for found in (part, copy, list(copy)):
        assert_same(found[0], two)
        assert_same(found[-1], three)
    with pytest.raises(IndexError):
        curves[3]
