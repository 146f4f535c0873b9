"""evaluate(by=...): every group as on its rows alone, and the largest gap between two."""

import json

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import MeasureClassifier, RecallAtPrecision, evaluate
from pseudolinear.evaluation import wilson

MEASURES = [
    "f1",
    "f2",
    "accuracy",
    "balanced_accuracy",
    "cohen_kappa",
    "mcc",
    RecallAtPrecision(0.5),
]


def rows(n=400, n_groups=2, seed=0):
    rng = np.random.default_rng(seed)
    by = rng.integers(0, n_groups, n)
    true = (rng.random(n) < 0.4).astype(int)
    return true, true ^ (rng.random(n) < 0.1 + 0.1 * by), by


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_group_is_what_its_rows_alone_are(measure):
    """Value and interval are those of evaluate on the rows of the group, at error / groups."""
    true, predicted, by = rows(n_groups=3)
    weight = np.random.default_rng(0).random(len(true))
    for weights in (None, weight):
        found = evaluate(true, predicted, measure, by=by, sample_weight=weights)
        for k, group in enumerate(found.by.groups):
            own = by == k
            alone = evaluate(
                true[own],
                predicted[own],
                measure,
                confidence=1 - 0.05 / 3,
                sample_weight=None if weights is None else weights[own],
            )
            assert group.group == k
            assert group.evaluation.value == pytest.approx(alone.value)
            assert group.evaluation.interval == pytest.approx(alone.interval)
        assert found.value == evaluate(true, predicted, measure, sample_weight=weights).value


@pytest.mark.parametrize("measure", ["f1_macro", "accuracy", "balanced_accuracy", "f1_micro"])
def test_groups_of_several_classes(measure):
    """The classes that occur in a group count there, as on its rows alone."""
    rng = np.random.default_rng(0)
    by = np.repeat(["a", "b"], 150)
    true = np.where(by == "a", rng.integers(0, 3, 300), rng.integers(0, 4, 300))
    predicted = np.where(rng.random(300) < 0.7, true, np.minimum(rng.permutation(true), true))
    found = evaluate(true, predicted, measure, by=by).by
    for name in "ab":
        alone = evaluate(true[by == name], predicted[by == name], measure)
        assert found[name].value == pytest.approx(alone.value)
        assert found[name].confusion.shape == alone.confusion.shape
    assert [gap.of for gap in found.gaps] == [measure]


def test_groups_of_several_labels():
    """They have a value each, and no rates."""
    rng = np.random.default_rng(0)
    true = (rng.random((200, 3)) < 0.4).astype(int)
    predicted = true ^ (rng.random((200, 3)) < 0.2)
    by = rng.integers(0, 2, 200).astype(bool)
    found = evaluate(true, predicted, "f1_macro", by=by).by
    alone = evaluate(true[by], predicted[by], "f1_macro")
    assert found[True].value == pytest.approx(alone.value)
    assert found.groups[0].rates == {}


def test_rates_are_shares_of_counts():
    """Recall, false-positive rate and selection rate with Wilson's intervals at error / groups."""
    true, predicted, by = rows()
    for k, group in enumerate(evaluate(true, predicted, by=by).by.groups):
        t, p = true[by == k] == 1, predicted[by == k] == 1
        shares = {"recall": p[t], "false_positive_rate": p[~t], "selection_rate": p}
        for name, share in shares.items():
            rate = group.rates[name]
            assert rate.value == pytest.approx(share.mean())
            assert rate.interval == pytest.approx(wilson(share.mean(), share.size, 2.241403))


def test_the_gap_of_two_groups_is_newcombes():
    """Of two proportions, the interval of Newcombe (1998): 56/70 and 48/80, from his paper."""
    true = np.ones(150, int)
    by = np.repeat(["one", "two"], [70, 80])
    predicted = np.concatenate([np.repeat([1, 0], [56, 14]), np.repeat([1, 0], [48, 32])])
    gap = evaluate(true, predicted, "accuracy", pos_label=1, by=by).by.gap
    assert gap.value == pytest.approx(0.2)
    assert gap.interval == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert (gap.largest, gap.smallest) == ("one", "two")


def test_the_gap_of_more_groups_holds_whichever_two_it_is_between():
    """Its interval is longer than that of its two groups alone, and never below zero."""
    true, predicted, by = rows(600, 4)
    whole = evaluate(true, predicted, by=by).by.gap
    two = np.isin(by, [whole.largest, whole.smallest])
    alone = evaluate(true[two], predicted[two], by=by[two]).by.gap
    assert whole.value == pytest.approx(alone.value)
    assert np.ptp(whole.interval) > np.ptp(alone.interval)
    assert whole.interval[1] > alone.interval[1]
    none = evaluate(true, true, by=by).by.gap
    assert (none.value, none.interval[0]) == (0.0, 0.0)


def test_exact_gaps_are_longer_than_others():
    """They add up distances as they are, of intervals that hold at every number of rows."""
    true, predicted, by = rows(200, 3)
    auto, exact = (evaluate(true, predicted, by=by, method=m).by for m in ("auto", "exact"))
    for one, other in zip(auto.gaps, exact.gaps, strict=True):
        assert one.value == other.value
        assert np.ptp(other.interval) > np.ptp(one.interval)
        assert other.interval[0] <= one.interval[0]


def test_clusters_that_cross_groups_are_not_taken_for_independent():
    """The same clusters, within groups or across them: across, the interval is longer."""
    true, predicted, _ = rows(400)
    clusters = np.arange(400) // 4
    within, across = (np.arange(400) // 4) % 2, np.arange(400) % 2
    found = [evaluate(true, predicted, by=by, groups=clusters).by.gap for by in (within, across)]
    apart = evaluate(true, predicted, by=across, groups=np.arange(400)).by.gap
    assert np.ptp(found[1].interval) > 1.2 * np.ptp(apart.interval)
    assert found[0].interval[1] <= 1


def test_groups_that_say_nothing_are_left_out_of_gaps():
    """A group without positives has no recall; one without any predicted row either no F1."""
    true, predicted = np.array([1, 1, 0, 0] * 20 + [0] * 20), np.array([1, 0, 0, 0] * 20 + [0] * 20)
    by = np.array([0, 1] * 40 + [2] * 20)
    found = evaluate(true, predicted, "f1", by=by).by
    gaps = {gap.of: gap for gap in found.gaps}
    assert gaps["f1"].left_out == gaps["recall"].left_out == (2,)
    assert gaps["selection_rate"].left_out == ()
    assert np.isnan(found.groups[2].rates["recall"].value)
    assert found[2].interval == (0.0, 1.0)
    assert "nothing is known of 2" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["groups"][2]["recall"] is None


def test_one_group_has_no_gap():
    """It is all rows, at the confidence of all rows."""
    true, predicted, _ = rows()
    found = evaluate(true, predicted, by=["all"] * len(true))
    assert found.by.gap is None
    assert found.by["all"].interval == pytest.approx(found.interval)
    assert json.dumps(found.to_dict())


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ([None] + [1] * 399, "by is missing in 1 of 400 rows"),
        (["a", "b"], "by has 2 entries, but there are 400 rows"),
        (np.arange(400), "400 different values"),
        ("sex", "one value per row"),
    ],
    ids=["missing", "short", "numbers", "name"],
)
def test_errors_say_what_is_wrong_with_groups(by, message):
    """In one sentence each."""
    true, predicted, _ = rows()
    with pytest.raises(ValueError, match=message):
        evaluate(true, predicted, by=by)


@pytest.mark.parametrize("argument", ["by", "groups"])
def test_errors_name_the_column(argument):
    """Where it has a name, which says more than that of the argument."""
    pd = pytest.importorskip("pandas")
    true, predicted, _ = rows()
    plan = pd.Series([None] * 3 + ["gold"] * 397, name="plan")
    with pytest.raises(ValueError, match="The column 'plan' is missing in 3 of 400 rows"):
        evaluate(true, predicted, **{argument: plan})


def test_a_group_without_weight_is_refused():
    """It has no value."""
    true, predicted, by = rows()
    with pytest.raises(ValueError, match="the group 1 have the weight 0"):
        evaluate(true, predicted, by=by, sample_weight=(by == 0).astype(float))


def test_classifiers_compare_by_a_column():
    """By its name in a frame, its position in an array, or values that the model never saw."""
    pd = pytest.importorskip("pandas")
    X, y = make_classification(400, 4, n_informative=3, n_redundant=0, random_state=0)
    X[:, 3] = X[:, 3] > 0
    frame = pd.DataFrame(X, columns=["a", "b", "c", "sex"])
    clf = MeasureClassifier("linear", random_state=0)
    plain = clf.fit(X[:200], y[:200]).evaluate(X[200:], y[200:], by=3)
    given = clf.evaluate(X[200:], y[200:], by=X[200:, 3])
    named = clf.fit(frame[:200], y[:200]).evaluate(frame[200:], y[200:], by="sex")
    assert plain.by.gap.value == given.by.gap.value == named.by.gap.value
    assert (given.by.by, named.by.by) == ("group", "sex")
    assert named.by[1.0].value == clf.score(frame[200:][X[200:, 3] == 1], y[200:][X[200:, 3] == 1])
    with pytest.raises(ValueError, match="X has no column 'age'"):
        clf.evaluate(frame, y, by="age")
    assert "by sex" in str(named)
    assert "sex" in named._repr_html_()
    assert list(named.by.frame()["group"]) == [0.0, 1.0]


def test_classifiers_of_several_labels_compare_by_a_column():
    """The value of a group is the score of its rows."""
    X, y = make_multilabel_classification(300, 5, n_classes=3, random_state=0)
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, y)
    X, y, by = X[1:], y[1:], np.arange(299) % 2
    assert clf.evaluate(X, y, by=by).by[1].value == pytest.approx(clf.score(X[1::2], y[1::2]))
