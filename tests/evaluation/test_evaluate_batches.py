"""Evaluation of a stream: that of all rows at once, value, intervals and labels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudolinear import Budget, ExpectedCost, evaluate, evaluate_batches

CUTS = st.lists(st.integers(0, 300), max_size=4)


def _split(arrays, cuts):
    rows = np.split(np.arange(len(arrays[0])), sorted(c % len(arrays[0]) for c in cuts))
    return [tuple(a[r] for a in arrays) for r in rows]


def _equal(found, expected):
    assert found.value == pytest.approx(expected.value, abs=1e-12)
    assert np.allclose(found.interval, expected.interval, atol=1e-9)
    assert found.n_rows == expected.n_rows
    assert found.method == expected.method
    assert found.note == expected.note
    for one, other in zip(found.labels, expected.labels, strict=True):
        assert one.label == other.label
        for name in ("value", "interval", "precision_interval", "recall_interval"):
            assert np.allclose(getattr(one, name), getattr(other, name), atol=1e-9, equal_nan=True)
        assert np.allclose(
            [one.tp, one.fn, one.fp, one.tn], [other.tp, other.fn, other.fp, other.tn]
        )
    if expected.confusion is not None:
        assert np.allclose(found.confusion, expected.confusion)
        assert found.classes == expected.classes


@pytest.mark.parametrize("measure", ["f1", "f2", "balanced_accuracy", "mcc", "accuracy"])
@pytest.mark.parametrize("method", ["auto", "exact", "delta", "bootstrap"])
@settings(max_examples=3)
@given(seed=st.integers(0, 999), cuts=CUTS)
def test_binary_is_in_memory(measure, method, seed, cuts):
    """Every method, bootstrap too: equal rows are one, however they came."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(120) < 0.3, "spam", "ham")
    pred = np.where(rng.random(120) < 0.2, "spam", y)
    expected = evaluate(y, pred, measure, method=method)
    _equal(evaluate_batches(_split((y, pred), cuts), measure, method=method), expected)


@pytest.mark.parametrize("measure", ["f1", "f2", "balanced_accuracy", "mcc"])
@settings(max_examples=3)
@given(seed=st.integers(0, 999), cuts=CUTS)
def test_weighted_is_in_memory(measure, seed, cuts):
    """Sums of weights and of their squares are enough for Wilson's and the delta method."""
    rng = np.random.default_rng(seed)
    y, pred, weight = rng.random(90) < 0.3, rng.random(90) < 0.3, rng.exponential(size=90)
    weight[rng.random(90) < 0.1] = 0.0
    expected = evaluate(y, pred, measure, sample_weight=weight)
    _equal(evaluate_batches(_split((y, pred, weight), cuts), measure), expected)


@pytest.mark.parametrize("classes", [[0, 1], [-1, 1], ["bad", "good"], [3, 7]])
@settings(max_examples=3)
@given(seed=st.integers(0, 999), cuts=CUTS)
def test_scores_with_a_threshold(classes, seed, cuts):
    """The positive class is that of all batches: by convention, or the rarer one."""
    rng = np.random.default_rng(seed)
    y = np.array(classes)[(rng.random(80) < 0.35).astype(int)]
    score = rng.normal(size=80)
    expected = evaluate(y, score, threshold=0.2)
    _equal(evaluate_batches(_split((y, score), cuts), threshold=0.2), expected)


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro", "accuracy", "cohen_kappa"])
@pytest.mark.parametrize("method", ["auto", "delta"])
@settings(max_examples=3)
@given(seed=st.integers(0, 999), cuts=CUTS, weighted=st.booleans())
def test_several_classes_are_in_memory(measure, method, seed, cuts, weighted):
    """With the confusion matrix."""
    rng = np.random.default_rng(seed)
    y, pred = rng.choice(list("abcd"), 80), rng.choice(list("abce"), 80)
    weight = rng.integers(1, 4, 80) / 2
    expected = evaluate(y, pred, measure, method=method, sample_weight=weight if weighted else None)
    batches = _split((y, pred, weight) if weighted else (y, pred), cuts)
    _equal(evaluate_batches(batches, measure, method=method), expected)


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro", "f1_weighted", "jaccard_micro", "mcc"])
@settings(max_examples=3)
@given(
    seed=st.integers(0, 999), cuts=CUTS, weighted=st.booleans(), empty=st.booleans(),
    scores=st.booleans(),
)  # fmt: skip
def test_labels_are_in_memory(measure, seed, cuts, weighted, empty, scores):
    """Rows are what was drawn: labels of a row vary together, and two passes know that."""
    rng = np.random.default_rng(seed)
    row = rng.normal(size=(70, 1))
    y = rng.normal(size=(70, 4)) + row > 0.8
    score = rng.normal(size=(70, 4)) + row + y
    if empty:
        y[:, 1], score[:, 1] = False, -9.0
    weight = rng.integers(1, 4, 70) / 2
    threshold = np.array([0.5, 0.6, 0.7, 0.8])
    pred = score if scores else score >= threshold
    options = {"threshold": threshold} if scores else {}
    expected = evaluate(
        y.astype(int), pred if scores else pred.astype(int), measure,
        sample_weight=weight if weighted else None, **options,
    )  # fmt: skip
    batches = _split((y, pred, weight) if weighted else (y, pred), cuts)
    _equal(evaluate_batches(batches, measure, **options), expected)


def test_exact_interval_of_a_mean_over_labels():
    """The union over labels needs counts alone."""
    rng = np.random.default_rng(0)
    y, pred = rng.random((200, 3)) < 0.4, rng.random((200, 3)) < 0.5
    expected = evaluate(y.astype(int), pred.astype(int), "f1_macro", method="exact")
    _equal(evaluate_batches(_split((y, pred), [50]), "f1_macro", method="exact"), expected)


LABELS = ([[0, 1], [1, 0]], [[0, 1], [1, 1]])


@pytest.mark.parametrize(
    ("batches", "options", "said"),
    [
        ([], {}, "no row"),
        ([([0, 1], [0, 1]), ([0, 1], [0, 1, 1])], {}, "Batch 2: y_true has the shape"),
        ([([0, 1], [0, 1], [1, -1])], {}, "not negative"),
        ([([0, 1], [0, 1], [1, 1])], {"method": "bootstrap"}, "weighted rows at once"),
        ([([0, 1], [np.nan, 1])], {"threshold": 0.5}, "Batch 1: y_score contains NaN"),
        ([LABELS], {"measure": "f1_micro", "method": "bootstrap"}, "rows in memory"),
        ([LABELS, ([0, 1], [0, 1])], {"measure": "f1_micro"}, "Batch 2: all batches"),
        (iter([LABELS]), {"measure": "f1_micro"}, "only once"),
        ([([0, 1], [0.3, 1])], {}, "threshold=0.5"),
        ([([0, 1], [0, 1])], {"measure": ExpectedCost(fn=[1, 2], fp=1)}, "costs by row"),
    ],
)
def test_what_is_wrong_gets_a_sentence(batches, options, said):
    """And which batch it is."""
    with pytest.raises(ValueError, match=said):
        evaluate_batches(batches, **options)


@pytest.mark.parametrize("weight", [None, 0.5])
@pytest.mark.parametrize(
    "budget", [Budget(share=0.3), Budget(share=0.05), Budget(5), Budget(20)], ids=repr
)
def test_a_broken_budget_is_said_as_of_rows_in_memory(budget, weight):
    """Rows that are alike are counted, not taken for one."""
    y, p = np.array([1] * 10 + [0] * 90), np.array([1] * 5 + [0] * 5 + [1] * 5 + [0] * 85)
    weights = None if weight is None else np.full(100, weight)
    batches = [(y[:50], p[:50]), (y[50:], p[50:])]
    if weights is not None:
        batches = [(*batch, weights[:50]) for batch in batches]
    note = evaluate(y, p, budget, sample_weight=weights).note
    assert evaluate_batches(batches, budget).note == note
    assert ("10 rows are flagged" in note) == (budget in (Budget(share=0.05), Budget(5)))
