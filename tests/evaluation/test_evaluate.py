"""evaluate: values, invariances, degenerate rows, errors, and what is shown."""

import json

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import (
    Budget,
    ErrorProfile,
    FalseNegativesAtFalsePositives,
    FBeta,
    FBetaOverLabels,
    LinearFractional,
    MeasureClassifier,
    MinimalCost,
    PrecisionAtRecall,
    RecallAtBudget,
    RecallAtPrecision,
    evaluate,
    evaluate_batches,
    evaluate_difference,
    get_measure,
)
from pseudolinear.evaluation import honest_interval

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


def labels(n=200, n_labels=3, seed=0):
    rng = np.random.RandomState(seed)
    true = rng.uniform(size=(n, n_labels)) < [0.5, 0.2, 0.1][:n_labels]
    return true.astype(int), (true ^ (rng.uniform(size=true.shape) < 0.15)).astype(int)


def classes(n=200, seed=0):
    rng = np.random.RandomState(seed)
    true = rng.choice(list("abcd"), size=n, p=[0.5, 0.3, 0.15, 0.05])
    return true, np.where(rng.uniform(size=n) < 0.3, rng.permutation(true), true)


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


def test_confusion_of_classes():
    """Rows are true classes, columns predicted ones."""
    result = evaluate(list("aabbc"), list("abbbc"), "f1_macro", method="delta")
    assert result.confusion.tolist() == [[1, 1, 0], [0, 2, 0], [0, 0, 1]]
    assert result.classes == ("a", "b", "c")


def test_shown_as_text_page_table_and_json():
    """Names are escaped in HTML."""
    true = np.array(["<b>", "ok"] * 20)
    result = evaluate(true, true[::-1], "f1", pos_label="<b>")
    assert "&lt;b&gt;" in result._repr_html_()
    assert "<b>" not in result._repr_html_()
    assert str(result).splitlines()[1].split()[:3] == ["label", "value", "low"]
    assert json.loads(json.dumps(result.to_dict()))["labels"][0]["label"] == "<b>"
    assert result.frame()["label"].tolist() == ["<b>"]


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


def test_scores_are_cut_where_it_is_said():
    """As the decisions that they become: of two classes by name, of labels one threshold each."""
    rng = np.random.RandomState(0)
    score, words = rng.uniform(size=60), np.where(rng.uniform(size=60) < 0.4, "spam", "ham")
    found = evaluate(words, score, "f1", threshold=0.3)  # spam is rarer
    expected = evaluate(words, np.where(score >= 0.3, "spam", "ham"), "f1")
    assert found.to_dict() == expected.to_dict()
    Y, scores = rng.uniform(size=(40, 2)) < 0.5, rng.uniform(size=(40, 2))
    found = evaluate(Y.astype(int), scores, "f1_macro", threshold=[0.2, 0.7])
    expected = evaluate(Y.astype(int), (scores >= [0.2, 0.7]).astype(int), "f1_macro")
    assert found.to_dict() == expected.to_dict()
    sets = [{"a"}, {"a", "b"}, set(), {"b"}]
    assert evaluate(sets, [[0.9, 0.1], [0.8, 0.7], [0.2, 0.1], [0, 0.9]], "f1_micro", threshold=0.5)


@pytest.mark.parametrize(
    ("y_true", "y_score", "threshold", "sentence"),
    [
        ([0, 1, 2], [0.1, 0.2, 0.3], 0.2, "3 classes, and one threshold tells two apart"),
        ([0, 1], [0.1, 0.2], [0.1, 0.2], "give one number, or one for each label"),
        ([0, 1], [0.1, np.nan], 0.5, "NaN or infinity"),
        (["b", "b"], [0.1, 0.2], 0.15, "Only the class"),
    ],
)
def test_scores_that_cannot_be_cut(y_true, y_score, threshold, sentence):
    """One sentence each."""
    with pytest.raises(ValueError, match=sentence):
        evaluate(y_true, y_score, threshold=threshold)


def test_exact_interval_of_kappa_over_classes_is_refused():
    """There is none that holds at every number of rows."""
    with pytest.raises(ValueError, match="use method='bootstrap'"):
        evaluate(*classes(), "cohen_kappa", method="exact")


@pytest.mark.parametrize("measure", ["f1", "mcc", RecallAtPrecision(0.4)], ids=str)
def test_classifier_evaluates_what_it_scores(measure):
    """With the positive class and the objective of the fit; a class of no fit is negative."""
    X, y = make_classification(800, weights=[0.8], flip_y=0.1, random_state=0)
    y = np.array(["no", "yes"])[y]
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X[:400], y[:400])
    result = clf.evaluate(X[400:], y[400:])
    assert result.value == clf.score(X[400:], y[400:])
    assert result.labels[0].label == "yes"
    other = np.where(y == "no", "perhaps", y)
    with pytest.warns(UserWarning, match="y holds the class 'perhaps'"):
        assert clf.evaluate(X[400:], other[400:]).value == result.value


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro"])
def test_classifier_of_several_labels(measure):
    """The value is the score; the honest interval is around the honest score."""
    X, Y = make_multilabel_classification(600, n_classes=3, random_state=0)
    names = [[f"l{k}" for k in np.flatnonzero(row)] for row in Y]
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X[:300], names[:300])
    result = clf.evaluate(X[300:], names[300:])
    assert result.value == clf.score(X[300:], names[300:])
    assert [label.label for label in result.labels] == ["l0", "l1", "l2"]
    low, high = clf.honest_interval_
    assert low < clf.honest_score_ < high
    assert clf.slim().honest_interval_ == (low, high)


def test_honest_interval_is_shorter_with_more_rows_and_knows_weights():
    """By the square root of their number; weights of 0 and 1 are rows left out."""
    X, y = make_classification(2000, weights=[0.8], flip_y=0.1, random_state=0)
    fits = [MeasureClassifier("linear", random_state=0).fit(X[:n], y[:n]) for n in (500, 2000)]
    few, many = (np.ptp(clf.honest_interval_) for clf in fits)
    assert few == pytest.approx(2 * many, rel=0.2)
    weight = np.repeat([1.0, 0.0], [500, 1500])
    weighted = MeasureClassifier("linear", random_state=0).fit(X, y, sample_weight=weight)
    assert np.ptp(weighted.honest_interval_) == pytest.approx(few, rel=0.2)


@pytest.mark.parametrize(("errors", "value"), [(0.0, 1.0), (0.002, 0.995)])
def test_few_errors_are_no_reason_to_know_nothing(errors, value):
    """Of 400 rows with 100 positives; an interval from 0 to 1 would say less than the rows do."""
    profile = ErrorProfile(fn=errors, fp=0.0, prevalence=0.25)
    low, high = honest_interval(value, value, FBeta(), profile, 400)
    assert 0.94 < low < value
    assert value <= high <= 1
    low, high = honest_interval(0.0, 0.0, FBeta(), ErrorProfile(0.25, 0.25, 0.25), 400)
    assert low == 0
    assert high < 0.06


def test_no_honest_interval_without_an_honest_score():
    """It says why."""
    X, y = make_classification(200, random_state=0)
    clf = MeasureClassifier("linear", cv="holdout", random_state=0).fit(X, y)
    with pytest.raises(AttributeError, match="no honest_score_"):
        _ = clf.honest_interval_
    assert clf.slim().predict(X).shape == (200,)


TRUE, FLAGGED = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 1, 0, 0, 0, 0]


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


def test_evaluations_are_headed_by_words():
    """Names are left as they were given."""
    heads = {
        "mcc": "mcc ",
        FBeta(2.0): "F2 ",
        get_measure("cohen_kappa"): "Cohen's kappa ",
        RecallAtPrecision(0.5): "recall with a precision of at least 0.5 ",
        Budget(7): "recall with at most 7 rows flagged ",
        Budget(1): "recall with at most 1 row flagged ",
        Budget(share=0.5): "recall with at most 50 % of the rows flagged ",
        MinimalCost(2, 1): "mean cost (negative) ",
    }
    for measure, words in heads.items():
        assert str(evaluate(TRUE, FLAGGED, measure)).startswith(words)
        difference = evaluate_difference(TRUE, FLAGGED, TRUE, measure)
        assert str(difference).startswith(words)
