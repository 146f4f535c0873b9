"""Budget: what it is of some rows, and what is refused."""

import numpy as np
import pytest
from scipy import sparse

from pseudolinear import (
    Budget,
    ErrorCurve,
    FBeta,
    RecallAtBudget,
    best_labels,
    best_threshold,
    evaluate,
)


def test_number_is_a_share_of_the_rows():
    """The rows of a fit are one batch."""
    assert Budget(20).resolve(400, 1) == RecallAtBudget(0.05)
    assert Budget(share=0.1).resolve(400, 1) == RecallAtBudget(0.1)


def test_groups_smaller_than_the_budget_are_flagged_whole():
    """The share is that of min(k, n) rows of every group."""
    X = np.array([[1]] * 2 + [[2]] * 8)
    assert Budget(3, by=0).resolve(10, 1, X) == RecallAtBudget(0.5)


def test_number_alone_limits_the_labels_of_a_row():
    """Of several labels; with groups, or where it is said, the rows of each label."""
    assert Budget(2, measure="f1_macro").resolve(10, 3) == FBeta(average="macro")
    assert Budget(2, per="label").resolve(10, 3) == RecallAtBudget(0.2)
    assert Budget(share=0.2).resolve(10, 3) == RecallAtBudget(0.2)


def test_share_chooses_a_threshold():
    """As :class:`RecallAtBudget` does, and a number of the rows that are given."""
    y, scores = [0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0]
    for budget in (Budget(share=0.5), Budget(2)):
        assert best_threshold(y, scores, budget).threshold == 3.5
    with pytest.raises(ValueError, match="does not know how many there are; give a share"):
        Budget(2).choose(ErrorCurve.from_scores(y, scores))


def test_repr_shows_what_was_said():
    """And is the constructor."""
    assert repr(Budget(5, by="day", batch=False)) == "Budget(k=5, by='day', batch=False)"
    assert repr(Budget(np.int64(5))) == "Budget(k=5)"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "got neither"),
        ({"k": 3, "share": 0.1}, "got both"),
        ({"k": 0}, "k must be a whole number of at least 1, got 0"),
        ({"k": -5}, "got -5"),
        ({"k": 2.5}, "got 2.5; a share of the rows is given by share"),
        ({"k": True}, "got True"),
        ({"k": "ten"}, "got 'ten'"),
        ({"share": 0.0}, r"share must be in \(0, 1\], got 0.0"),
        ({"share": 1.5}, "got 1.5"),
        ({"share": np.nan}, "got nan"),
        ({"share": "half"}, "got 'half'"),
        ({"k": 3, "per": "day"}, "per must be one of auto, label, row, got 'day'"),
        ({"k": 3, "per": "row", "by": "day"}, "limited by k alone"),
        ({"k": 3, "measure": "f1"}, "need an average over labels"),
        ({"k": 3, "measure": "f1_makro"}, "Unknown measure"),
    ],
)
def test_what_makes_no_sense_is_refused_when_it_is_built(arguments, text):
    """One sentence each."""
    with pytest.raises(ValueError, match=text):
        Budget(**arguments)


@pytest.mark.parametrize(
    ("budget", "n_labels", "text"),
    [
        (Budget(10), 1, "would flag all 10 rows, so that there is nothing to choose"),
        (Budget(11), 1, "would flag all 10 rows"),
        (Budget(4), 3, "k=4 labels for each row are no limit, as there are 3"),
        (Budget(2, per="row"), 1, "is for several labels, and there is one"),
        (Budget(2, by="day"), 1, "needs rows to see how many each 'day' has"),
    ],
)
def test_what_makes_no_sense_for_the_rows_is_refused(budget, n_labels, text):
    """One sentence each."""
    with pytest.raises(ValueError, match=text):
        budget.resolve(10, n_labels)


def test_what_a_budget_is_by():
    """A column; and a share on average has no batches."""
    with pytest.raises(TypeError, match="by must be a column of X"):
        Budget(5, by=True)
    with pytest.raises(ValueError, match="leave by out"):
        Budget(share=0.1, by="day", batch=False)


def test_a_broken_budget_is_said():
    """Where more rows are flagged than it allows, and it is known what a batch is."""
    y, p = np.arange(100) % 2, (np.arange(100) < 30).astype(int)
    for broken in (Budget(20), Budget(share=0.25)):
        note = evaluate(y, p, broken).note
        assert note.startswith(f"30 rows are flagged, more than the {20 if broken.k else 25} of")
    kept = (Budget(30), Budget(share=0.3), Budget(20, by=0), Budget(share=0.1, batch=False))
    assert not any(evaluate(y, p, one).note for one in kept)


def test_labels_of_sparse_probabilities():
    """As of dense ones."""
    p = np.random.default_rng(0).random((9, 4)).round(1)
    found = best_labels(sparse.csr_array(p), 2, "f1_macro")
    assert found.value == best_labels(p, 2, "f1_macro").value


def test_a_share_that_floats_write_a_little_less_is_not_overspent():
    """0.29 of 100 rows are 29, as predictions have it, though the product is less."""
    flagged = np.arange(100)[:, None] < 29
    assert Budget(share=0.29).overspent(flagged) == ""
    assert Budget(share=0.28).overspent(flagged).startswith("29 rows are flagged, more than the 28")
    assert Budget(share=0.28).overspent(sparse.csr_array(flagged)).startswith("29 rows")
