"""Budgets as the measure of a classifier: fitted, retargeted, saved, evaluated."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import pseudolinear
from pseudolinear import Budget, MeasureClassifier, best_labels
from pseudolinear._label_budget import LabelBudget
from pseudolinear._row_budget import RowBudget


@pytest.fixture(scope="module")
def rows():
    X, y = make_classification(600, weights=[0.9], flip_y=0.05, random_state=0)
    return X[:400], y[:400], X[400:], y[400:]


@pytest.fixture(scope="module")
def clf(rows):
    return MeasureClassifier("linear", measure=Budget(30), random_state=0).fit(*rows[:2])


@pytest.fixture(scope="module")
def label_rows():
    X, Y = make_multilabel_classification(400, n_classes=5, n_labels=3, random_state=0)
    return X[:250], Y[:250], X[250:], Y[250:]


@pytest.fixture(scope="module")
def by_label(label_rows):
    measure = Budget(2, measure="f1_macro")
    clf = MeasureClassifier("linear", measure=measure, probabilities="calibrated", random_state=0)
    return clf.fit(*label_rows[:2])


def test_best_rows_of_the_batch_are_flagged(rows, clf):
    """So many, however many the batch has; all of a smaller batch."""
    X = rows[2]
    scores = clf.retarget("f1").decision_function(X)
    flagged = clf.predict(X) == 1
    assert flagged.sum() == 30
    assert scores[flagged].min() > scores[~flagged].max()
    assert clf.predict(X[:20]).sum() == 20
    assert clf.predict(X[:1]).tolist() == [1]


def test_candidates_are_chosen_for_the_recall_at_the_share(rows, clf):
    """The value is the recall of the best 30 of the 400 validation rows."""
    share = clf.sweep_.rule.objective.max_share
    assert share == 30 / 400
    assert clf.best_score_ == clf.retarget(Budget(share=share, batch=False)).best_score_


def test_score_is_the_share_of_the_positives_that_is_found(rows, clf):
    """Hits among the positives, with Wilson's interval; the precision is in the label table."""
    _, _, X, y = rows
    hits = y[clf.predict(X) == 1].sum()
    found = clf.evaluate(X, y)
    assert clf.score(X, y) == found.value == pytest.approx(hits / y.sum())
    assert found.method == "Wilson"
    assert found.labels[0].precision == pytest.approx(hits / 30)


def test_decision_function_agrees_with_predict(rows, clf):
    """Margins are relative to the cut of the batch."""
    X = rows[2]
    assert_array_equal(clf.decision_function(X) > 0, clf.predict(X) == 1)
    assert_array_equal(clf.predict_proba(X)[:, 1] > 0.5, clf.predict(X) == 1)


def test_stream_is_cut_at_a_threshold_and_can_be_exported(rows, clf):
    """Row by row, at what flags that share of the validation rows: no policy is left."""
    X = rows[2]
    stream = clf.retarget(Budget(share=0.1, batch=False))
    assert stream.decision_.policy is None
    assert_array_equal(stream.predict(X), np.concatenate([stream.predict(row[None]) for row in X]))
    assert_array_equal(stream.to_sklearn().predict(X), stream.predict(X))


def test_batch_cannot_be_exported(clf):
    """Neither form can compare rows."""
    with pytest.raises(ValueError, match="RowBudget looks at more than the score of a row"):
        clf.to_sklearn()


def test_budget_is_dropped_with_another_measure(rows, clf):
    """And comes back."""
    other = clf.retarget("f1")
    assert other.decision_.policy is None
    assert other.retarget(Budget(5)).predict(rows[2]).sum() == 5


def test_retarget_with_rows_is_a_fresh_fit(rows):
    """Over the same candidates."""
    X, y, new, _ = rows
    first = MeasureClassifier("linear", random_state=0).fit(X, y)
    fresh = MeasureClassifier("linear", measure=Budget(40), random_state=0).fit(X, y)
    assert_array_equal(first.retarget(Budget(40), X, y).predict(new), fresh.predict(new))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_each_day_has_its_budget(rows, library):
    """The days of new rows need not be those of the fit; sizes at the fit give the share."""
    frames = pytest.importorskip(library)
    X, y, new, _ = rows

    def frame(values, day):
        columns = {f"x{i}": column for i, column in enumerate(values.T)}
        return frames.DataFrame(columns | {"day": day + np.arange(len(values)) // 50})

    clf = MeasureClassifier("linear", measure=Budget(4, by="day"), random_state=0)
    clf.fit(frame(X, 0), y)
    assert clf.sweep_.rule.objective.max_share == 4 / 50
    assert_array_equal(clf.predict(frame(new, 8)).reshape(4, 50).sum(axis=1), [4] * 4)
    with pytest.raises(ValueError, match="needs rows to see how many each 'day' has"):
        clf.retarget(Budget(5, by="day"))
    again = clf.retarget(Budget(5, by="day"), frame(new, 0))
    assert_array_equal(again.predict(frame(new, 8)).reshape(4, 50).sum(axis=1), [5] * 4)


@pytest.mark.parametrize("slim", [False, True])
def test_saved_budget_decides_as_before(rows, clf, tmp_path, slim):
    """Policies are types that files may hold."""
    clf.save(tmp_path / "model.plm", evidence=not slim)
    again = pseudolinear.load(tmp_path / "model.plm")
    assert again.decision_.policy == RowBudget(30)
    assert_array_equal(again.predict(rows[2]), clf.predict(rows[2]))


def test_summary_and_report_say_what_is_flagged(rows, clf, tmp_path):
    """In place of a threshold, which a batch does not use."""
    said = dict(clf.summary().lines())
    assert said["decision"] == "flags at most 30 rows of a batch"
    assert "threshold" not in said
    assert "flags at most 30 rows" in clf.report(tmp_path / "page.html", *rows[2:]).read_text()


def test_rows_are_flagged_by_portfolios_and_fitted_classifiers(rows):
    """Whatever gives the scores."""
    X, y, new, _ = rows
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    for clf in (
        MeasureClassifier(
            ["linear", LogisticRegression()], measure=Budget(share=0.1), random_state=0
        ),
        MeasureClassifier(forest, measure=Budget(share=0.1), cv="prefit"),
    ):
        assert clf.fit(X, y).predict(new).sum() == 20


def test_no_row_has_more_than_k_labels(label_rows, by_label):
    """And the labels are those that are best for the batch."""
    X = label_rows[2]
    predicted = by_label.predict(X)
    assert predicted.sum(axis=1).max() == 2
    plan = best_labels(by_label.predict_proba(X), 2, "f1_macro")
    assert_array_equal(predicted, plan.labels)


def test_labels_are_scored_by_their_measure(label_rows, by_label):
    """Macro-F1 of at most two labels, not a recall."""
    _, _, X, Y = label_rows
    value = pseudolinear.get_measure("f1_macro").score(Y, by_label.predict(X))
    assert by_label.score(X, Y) == by_label.evaluate(X, Y).value == pytest.approx(value)
    assert "without the budget" in dict(by_label.summary().lines())["reached"]
    assert not hasattr(by_label, "honest_score_")


def test_macro_budget_beats_the_likeliest_labels_where_it_is_expected(by_label, label_rows):
    """By what the probabilities say, which is what is maximised."""
    p = by_label.predict_proba(label_rows[2])
    plan = best_labels(p, 1, "f1_macro")
    likeliest = p == p.max(axis=1, keepdims=True)
    fn, fp = (p * ~likeliest).mean(axis=0), ((1 - p) * likeliest).mean(axis=0)
    profile = pseudolinear.ErrorProfile(fn, fp, p.mean(axis=0))
    assert plan.value >= pseudolinear.get_measure("f1_macro").value(profile)


def test_stream_of_labels_needs_rows_but_no_labels(label_rows, by_label, tmp_path):
    """The rule decides row by row, and is kept in a file."""
    X = label_rows[2]
    budget = Budget(2, measure="f1_macro", batch=False)
    with pytest.raises(ValueError, match="learns a rule for the rows of a stream"):
        by_label.retarget(budget)
    stream = by_label.retarget(budget, label_rows[0])
    predicted = stream.predict(X)
    assert predicted.sum(axis=1).max() <= 2
    assert_array_equal(predicted[:5], np.vstack([stream.predict(row[None]) for row in X[:5]]))
    stream.save(tmp_path / "model.plm")
    assert_array_equal(pseudolinear.load(tmp_path / "model.plm").predict(X), predicted)


def test_rows_of_each_label_have_a_budget_where_it_is_said(label_rows):
    """A label without positive rows at the fit is not flagged."""
    X, Y, new, _ = label_rows
    Y = np.column_stack([Y, np.zeros(len(Y), int)])
    clf = MeasureClassifier("linear", measure=Budget(9, per="label"), random_state=0)
    with pytest.warns(UserWarning, match="the same value in every row"):
        clf.fit(X, Y)
    assert_array_equal(clf.predict(new).sum(axis=0), [9, 9, 9, 9, 9, 0])


def test_saved_label_budget_decides_as_before(label_rows, by_label, tmp_path):
    """Policies are types that files may hold."""
    by_label.save(tmp_path / "model.plm")
    again = pseudolinear.load(tmp_path / "model.plm")
    assert isinstance(again.decision_.policy, LabelBudget)
    assert_array_equal(again.predict(label_rows[2]), by_label.predict(label_rows[2]))


def test_what_cannot_be_kept_is_said_at_fit(rows, label_rows):
    """One sentence each."""
    X, y, *_ = rows
    with pytest.raises(ValueError, match="would flag all 400 rows"):
        MeasureClassifier("linear", measure=Budget(1000)).fit(X, y)
    with pytest.raises(ValueError, match="for two classes or for labels, and y has 3 classes"):
        MeasureClassifier("linear", measure=Budget(10)).fit(X, np.arange(400) % 3)
    with pytest.raises(ValueError, match="as there are 5 labels; give a smaller k"):
        MeasureClassifier("linear", measure=Budget(6)).fit(*label_rows[:2])
    with pytest.raises(ValueError, match="the column 'day' is known by its name"):
        MeasureClassifier("linear", measure=Budget(share=0.1, by="day")).fit(X, y)
    several = MeasureClassifier("linear", measure="f1_macro", random_state=0)
    with pytest.raises(ValueError, match="is for labels; this sweep has several classes"):
        several.fit(X, np.arange(400) % 3).retarget(Budget(10))


def test_another_population_leaves_the_batches_as_they_are(clf, rows):
    """Batches that retarget has seen still count where only the prevalence changes."""
    small = clf.retarget(Budget(30), rows[2])
    moved = small.retarget(prevalence=0.05)
    assert moved.sweep_.rule.objective == small.sweep_.rule.objective
    assert moved.sweep_.rule.objective != clf.sweep_.rule.objective


def test_a_label_that_no_row_had_takes_no_place_in_a_budget(label_rows):
    """Its expected gain is above 0 by rounding only."""
    X, Y, new, _ = label_rows
    Y = np.column_stack([Y[:, :2], np.zeros(len(Y), dtype=int)])
    clf = MeasureClassifier("linear", measure=Budget(2, measure="f1_macro"), random_state=0)
    with pytest.warns(UserWarning, match="the same value in every row"):
        clf.fit(X, Y)
    assert clf.predict(new)[:, 2].sum() == 0
