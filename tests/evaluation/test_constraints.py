"""evaluate, of constraints and budgets: what they are after, and where they are broken."""

import numpy as np
import pytest
from evaluation.predictions import FLAGGED, TRUE, labels
from sklearn.datasets import make_classification

from pseudolinear import (
    Budget,
    FalseNegativesAtFalsePositives,
    MeasureClassifier,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtBudget,
    RecallAtPrecision,
    evaluate,
    evaluate_batches,
)


def test_constraints_are_evaluated_by_what_they_are_after():
    """Recall, precision, or minus the cost."""
    true, predicted = (y[:, 0] for y in labels())
    label = evaluate(true, predicted, "f1").labels[0]
    recall = evaluate(true, predicted, RecallAtPrecision(0.5))
    assert (recall.value, *recall.interval) == pytest.approx((label.recall, *label.recall_interval))
    for budget in (RecallAtBudget(0.5), Budget(share=0.5)):
        assert evaluate(true, predicted, budget).interval == recall.interval
    precision = evaluate(true, predicted, PrecisionAtRecall(0.5))
    assert precision.value == pytest.approx(label.precision)
    assert precision.interval == pytest.approx(label.precision_interval)
    cost = evaluate(true, predicted, MinimalCost(2.0, 1.0))
    assert cost.value == pytest.approx(-(2 * label.fn + label.fp) / 200)
    exact = evaluate(true, predicted, MinimalCost(2.0, 1.0), method="exact")
    assert -2 < exact.interval[0] < cost.interval[0] < cost.interval[1] < exact.interval[1] < 0
    several = evaluate(*labels(), RecallAtPrecision(0.5))
    assert several.value == pytest.approx(np.mean([one.recall for one in several.labels]))


@pytest.mark.parametrize(
    ("constraint", "words"),
    [
        (RecallAtPrecision(0.9), "precision is 0.800, below the 0.9"),
        (RecallAtPrecision(0.8), None),
        (PrecisionAtRecall(0.8001), "recall is 0.800, below the 0.8001"),
        (PrecisionAtRecall(0.8), None),
        (FalseNegativesAtFalsePositives(0.05), "share of false positives is 0.100, above the 0.05"),
        (FalseNegativesAtFalsePositives(0.1), None),
        (RecallAtBudget(0.4), "share of flagged rows is 0.500, above the 0.4"),
        (RecallAtBudget(0.5), None),
        (MinimalCost(1, 1), None),
        ("f1", None),
    ],
)
def test_a_broken_constraint_is_said(constraint, words):
    wanted = "" if words is None else f"On these rows the {words} that was asked for."
    found = evaluate(TRUE, FLAGGED, constraint)
    assert found.note == wanted
    assert wanted in " ".join(str(found).split())
    assert evaluate_batches([(TRUE[:4], FLAGGED[:4]), (TRUE[4:], FLAGGED[4:])], constraint).note \
        == wanted  # fmt: skip


def test_a_broken_constraint_of_labels_names_the_worst():
    Y, P = np.array([TRUE, TRUE, TRUE]).T, np.array([FLAGGED, TRUE, np.ones(10, int)]).T
    wanted = (
        "On these rows 2 of 3 labels break the precision of at least 0.9 that was asked for, the "
        "most 2 with 0.500."
    )
    assert evaluate(Y, P, RecallAtPrecision(0.9)).note == wanted
    assert evaluate_batches([(Y, P)], RecallAtPrecision(0.9)).note == wanted


def test_weights_count_and_no_prediction_breaks_no_precision():
    weight = np.where(np.array(FLAGGED) > np.array(TRUE), 0.1, 1.0)
    assert evaluate(TRUE, FLAGGED, RecallAtPrecision(0.9), sample_weight=weight).note == ""
    assert "precision" not in evaluate(TRUE, [0] * 10, RecallAtPrecision(0.9)).note


def test_a_classifier_says_that_its_constraint_is_broken():
    X, y = make_classification(600, weights=[0.7], flip_y=0.2, random_state=0)
    clf = MeasureClassifier("linear", measure=RecallAtPrecision(0.9), random_state=0)
    clf.fit(X[:300], y[:300])
    kept = clf.evaluate(X[300:], y[300:])
    changed = y[300:] * (np.arange(300) % 2)  # half of what is flagged is wrong now
    found = clf.evaluate(X[300:], changed)
    assert kept.labels[0].precision >= 0.9 > found.labels[0].precision
    assert "that was asked for" not in str(kept)
    precision = found.labels[0].precision
    assert f"the precision is {precision:.3f}, below the 0.9 that was asked for" in str(found)


def test_a_budget_of_labels_is_evaluated_by_its_measure():
    """As :meth:`MeasureClassifier.evaluate` does, in memory and in batches."""
    true, predicted = labels()
    budget = Budget(2, measure="f1_macro")
    wanted = evaluate(true, predicted, "f1_macro").value
    for found in (
        evaluate(true, predicted, budget),
        evaluate_batches([(true[:90], predicted[:90]), (true[90:], predicted[90:])], budget),
    ):
        assert found.value == pytest.approx(wanted)
        assert found.measure == "macro-F1 with at most 2 labels of a row"
