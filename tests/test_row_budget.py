"""RowBudget: the rows of the largest scores, never more."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from pseudolinear._row_budget import RowBudget

MARGINS = arrays(np.float64, st.integers(1, 30), elements=st.floats(-1e6, 1e6) | st.integers(0, 2))


@given(MARGINS, st.integers(1, 40))
def test_the_largest_are_flagged_and_never_more_than_k(margins, k):
    """With ties too: as many as possible, none below one that is left out."""
    flagged = RowBudget(k).apply(margins[:, None], None)[:, 0] > 0
    assert flagged.sum() == min(k, len(margins))
    assert margins[flagged].min() >= margins[~flagged].max(initial=-np.inf)


@given(MARGINS, st.floats(0.01, 1.0))
def test_share_is_rounded_down(margins, share):
    """At most that share; of a small batch that can be none."""
    flagged = RowBudget(share=share).apply(margins[:, None], None) > 0
    assert flagged.mean() <= share + 1e-9
    assert flagged.sum() + 1 > share * len(margins) - 1e-9


def test_of_equal_scores_the_first_rows_are_flagged():
    """So that a prediction does not depend on chance."""
    assert_array_equal((RowBudget(2).apply(np.zeros((4, 1)), None) > 0)[:, 0], [1, 1, 0, 0])


def test_every_group_has_its_own_budget():
    """Whatever the order of the rows, and with a group that has fewer rows."""
    X = np.array([[1], [2], [1], [2], [1], [3]])
    margins = np.array([[5.0], [1.0], [4.0], [2.0], [6.0], [-9.0]])
    flagged = RowBudget(1, by=0).apply(margins, X) > 0
    assert_array_equal(flagged[:, 0], [0, 0, 0, 1, 1, 1])


def test_order_of_scores_stays():
    """Within a batch, margins are moved by one number."""
    margins = np.random.default_rng(0).normal(size=(50, 2))
    moved = RowBudget(7).apply(margins, None)
    assert np.ptp(moved - margins, axis=0) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_groups_may_be_days_and_have_gaps(library):
    """Rows without a value are a group of their own."""
    frames = pytest.importorskip(library)
    X = frames.DataFrame({"day": ["mon", None, "mon", None, "tue"]})
    flagged = RowBudget(1, by="day").apply(np.arange(5.0)[:, None], X) > 0
    assert_array_equal(flagged[:, 0], [0, 0, 1, 1, 1])


def test_missing_column_is_said():
    """By the name that was given."""
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="X has no column 'day'; it has 'hour'"):
        RowBudget(1, by="day").apply(np.zeros((1, 1)), pandas.DataFrame({"hour": [1]}))
    with pytest.raises(ValueError, match="X must be a data frame, got ndarray"):
        RowBudget(1, by="day").apply(np.zeros((1, 1)), np.zeros((1, 2)))
