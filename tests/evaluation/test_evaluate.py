"""evaluate: values, invariances, degenerate rows, and errors."""

import numpy as np
import pytest
from evaluation.predictions import classes, labels

from pseudolinear import FBeta, FBetaOverLabels, LinearFractional, evaluate, get_measure

BINARY = ["f1", "f2", "jaccard", "accuracy", "balanced_accuracy", "cohen_kappa", "mcc", "g_mean"]
AVERAGES = ["f1_micro", "f1_macro", "f1_weighted", "cohen_kappa_macro", "mcc", "g_mean"]
CLASSES = [
    "f1_macro",
    "f1_micro",
    "accuracy",
    "balanced_accuracy",
    "cohen_kappa",
    FBeta(average="micro", default_class="b"),
    FBetaOverLabels(default_class="a"),
]


def problems():
    one = [y[:, 0] for y in labels()]
    yield from ((measure, *one) for measure in BINARY)
    yield from ((measure, *labels()) for measure in AVERAGES)
    yield from ((measure, *classes()) for measure in CLASSES)


def name(value):
    return "rows" if isinstance(value, np.ndarray) else str(value)


@pytest.mark.parametrize(("measure", "true", "predicted"), list(problems()), ids=name)
def test_value_is_the_score_and_lies_within(measure, true, predicted):
    """Of every measure and average; a larger confidence has a longer interval."""
    short, long = (evaluate(true, predicted, measure, confidence=c) for c in (0.8, 0.99))
    assert short.value == pytest.approx(get_measure(measure).score(true, predicted))
    ends = [long.interval[0], short.interval[0], short.value, short.interval[1], long.interval[1]]
    assert ends == sorted(ends)
    assert ends[0] < ends[1] < ends[3] < ends[4]


@pytest.mark.parametrize(("measure", "true", "predicted"), list(problems()), ids=name)
def test_weights_of_two_are_rows_twice_in_value_but_not_in_evidence(measure, true, predicted):
    """The value is the same; the interval of weighted rows is that of the rows, nearly."""
    twice = evaluate(np.repeat(true, 2, axis=0), np.repeat(predicted, 2, axis=0), measure)
    weighted = evaluate(true, predicted, measure, sample_weight=np.full(len(true), 2.0))
    assert weighted.value == pytest.approx(twice.value)
    once = evaluate(true, predicted, measure)
    assert np.ptp(weighted.interval) == pytest.approx(np.ptp(once.interval), rel=0.05)
    assert np.ptp(twice.interval) < np.ptp(once.interval)


def test_groups_of_equal_rows_are_as_good_as_their_first_rows():
    """Ten copies of a row tell no more than one, if the copies are known to be one group."""
    true, predicted = (np.repeat(y[:, 0], 10) for y in labels())
    groups = np.repeat(np.arange(200), 10)
    for measure in ("f1", "f2", "mcc"):
        told = evaluate(true, predicted, measure, groups=groups).interval
        once = evaluate(true[::10], predicted[::10], measure).interval
        assert told == pytest.approx(once, abs=0.01)


def test_order_of_labels_does_not_matter():
    """Neither for the mean nor for the labels."""
    (true, predicted), turn = labels(), [2, 0, 1]
    here = evaluate(true, predicted, "f1_macro", method="delta")
    there = evaluate(true[:, turn], predicted[:, turn], "f1_macro", method="delta")
    assert here.interval == pytest.approx(there.interval)
    assert [here.labels[i].interval for i in turn] == [one.interval for one in there.labels]


@pytest.mark.parametrize("method", ["auto", "exact", "delta"])
@pytest.mark.parametrize("measure", BINARY)
def test_where_nothing_is_known_everything_is_possible(measure, method):
    """No positive row and none predicted; accuracy alone is known then."""
    result = evaluate([0] * 30, [0] * 30, measure, method=method)
    lowest = -1.0 if measure in ("mcc", "cohen_kappa") else 0.0
    if measure == "accuracy":
        assert result.interval[0] > 0.85
    else:
        assert result.interval[0] <= result.value
        assert result.interval[1] == pytest.approx(1.0)
        if method != "exact":
            assert result.interval == pytest.approx((lowest, 1.0))


def test_an_empty_union_is_said_in_a_sentence():
    """F1 of rows none of which is positive or predicted may be anything."""
    found = evaluate([0] * 20, [0] * 20)
    assert found.interval == (0.0, 1.0)
    assert found.note.startswith("With no positive row and no positive prediction, any")
    assert found.note.split()[0] in str(found)
    Y = np.zeros((20, 3), int)
    Y[:5, 0] = 1
    assert "2 of 3 labels have no positive row" in evaluate(Y, Y, "f1_macro").note
    assert evaluate([0, 1] * 10, [0, 1] * 10).note == ""


def test_a_label_that_nobody_has_or_predicts_may_have_any_value():
    """A third of the mean is unknown."""
    true, predicted = labels()
    true[:, 2] = predicted[:, 2] = 0
    whole, known = (evaluate(true[:, :k], predicted[:, :k], "f1_macro") for k in (3, 2))
    assert whole.interval[1] > known.interval[1] * 2 / 3 + 1 / 3 - 0.05
    assert whole.interval[0] == pytest.approx(known.interval[0] * 2 / 3, abs=0.05)


def test_one_row_and_one_weight():
    """Hardly anything is known from one row, or from rows of which one has all the weight."""
    for measure in BINARY:
        low, high = evaluate([1], [1], measure).interval
        assert high - low > 0.5
    weight = [1.0, 0, 0, 0]
    low, high = evaluate([1, 0, 1, 0], [1, 0, 0, 0], sample_weight=weight).interval
    assert high - low > 0.5


def test_errors_that_were_not_seen_are_possible():
    """A perfect sample of ten rows does not make a perfect classifier."""
    for measure in BINARY:
        low, high = evaluate([0, 1] * 5, [0, 1] * 5, measure).interval
        assert low < 0.9
        assert high == pytest.approx(1.0)


def test_factors_for_several_labels():
    """A ratio of all labels together has no value for one of them."""
    measure = LinearFractional(1.0, [-1, -1, -2, -2, -1, -1], 1.0, [0, 0, 0, 0, 0, 0])
    result = evaluate(*labels(), measure)
    assert result.value == pytest.approx(measure.score(*labels()))
    assert result.to_dict()["labels"][0]["value"] is None


def test_forms_of_labels_and_their_names():
    """Lists of labels are read as fit reads them."""
    true, predicted = [["x", "y"], ["x"], [], ["y"]] * 9, [["x"], ["x"], ["y"], ["y"]] * 9
    result = evaluate(true, predicted, "f1_micro")
    assert [label.label for label in result.labels] == ["x", "y"]
    assert result.value == pytest.approx(0.75)
    assert result.confusion is None


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"method": "magic"}, "method must be one of"),
        ({"confidence": 95}, "between 0 and 1"),
        ({"method": "wilson", "measure": "f2"}, "does not grow with one proportion"),
        ({"method": "betting", "measure": "mcc"}, "no ratio of means"),
        ({"method": "exact", "sample_weight": [1, 2] * 20}, "needs rows of equal weight"),
        ({"groups": [1, 2]}, "groups has 2 entries"),
        ({"y_pred": [0.2, 0.7] * 20}, "say where to cut them, as in threshold=0.5"),
    ],
)
def test_errors_say_what_to_do(changed, sentence):
    """One sentence each."""
    given = {"y_true": [0, 1] * 20, "y_pred": [0, 1] * 20} | changed
    with pytest.raises(ValueError, match=sentence):
        evaluate(**given)


def test_exact_interval_of_kappa_over_classes_is_refused():
    """There is none that holds at every number of rows."""
    with pytest.raises(ValueError, match="use method='bootstrap'"):
        evaluate(*classes(), "cohen_kappa", method="exact")
