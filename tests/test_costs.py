"""Classifiers for costs in the user's unit, fixed and by row."""

import time

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from pseudolinear import (
    ExpectedCost,
    FBeta,
    Grid,
    LinearLearner,
    MeasureClassifier,
    WeightedAccuracy,
    best_threshold,
    load,
)
from pseudolinear.kinds import Goal, standard_error


@pytest.fixture(scope="module")
def rows():
    """Rows with an amount that says nothing of the class."""
    X, y = make_classification(800, 6, weights=[0.85], flip_y=0.1, random_state=0)
    X = pd.DataFrame(X).add_prefix("x")
    X["amount"] = np.random.default_rng(0).lognormal(4, 1, len(X))
    return X[:500], y[:500], X[500:], y[500:]


def _costs(X, y, pred, fp=20.0, tp=0.0):
    return np.where(y, np.where(pred, tp, X["amount"]), np.where(pred, fp, 0.0))


@pytest.fixture(scope="module")
def by_row(rows):
    """A single learner for costs by row."""
    measure = ExpectedCost(fn="amount", fp=20, tp=2)
    return MeasureClassifier("linear", measure=measure, random_state=0).fit(*rows[:2])


@pytest.mark.parametrize("estimator", ["linear", "auto"])
def test_another_unit_changes_the_value_alone(rows, estimator):
    """A thousand times the costs: the same predictions, and a thousand times the values."""
    X, y, new, new_y = rows
    one, other = (
        MeasureClassifier(
            estimator,
            effort="fast",
            measure=ExpectedCost(fn=9 * k, fp=k, tp=-2 * k),
            random_state=0,
        ).fit(X, y)
        for k in (1.0, 1000.0)
    )
    np.testing.assert_array_equal(one.predict(new), other.predict(new))
    for value in ("best_score_", "honest_score_", "honest_interval_"):
        assert np.multiply(getattr(one, value), 1000) == pytest.approx(getattr(other, value))
    assert other.certificate_["cone"].gap == pytest.approx(1000 * one.certificate_["cone"].gap)
    assert other.score(new, new_y) == pytest.approx(1000 * one.score(new, new_y))


def test_another_unit_of_costs_by_row_changes_the_value_alone(rows):
    """Also in a portfolio, whose weights come from values."""
    X, y, new, new_y = rows
    make = {
        "estimator": ["linear", make_pipeline(StandardScaler(), GaussianNB())],
        "random_state": 0,
    }
    one = MeasureClassifier(measure=ExpectedCost("amount", 20), **make).fit(X, y)
    cents = [table.assign(amount=100 * table["amount"]) for table in (X, new)]
    other = MeasureClassifier(measure=ExpectedCost("amount", 2000), **make).fit(cents[0], y)
    np.testing.assert_array_equal(one.predict(new), other.predict(cents[1]))
    assert other.best_score_ == pytest.approx(100 * one.best_score_)
    assert other.honest_interval_ == pytest.approx(100 * np.array(one.honest_interval_))
    assert other.score(cents[1], new_y) == pytest.approx(100 * one.score(new, new_y))


def test_costs_that_are_no_numbers_are_named(by_row, rows):
    """Before rows are read for the models."""
    with pytest.raises(ValueError, match="the column 'amount' must hold numbers, got 'a'"):
        by_row.predict(rows[2].assign(amount="a"))


@pytest.mark.parametrize("ratio", [1e12, 1e16, 1e24, 1e200])
@pytest.mark.parametrize("estimator", ["linear", LinearLearner("hinge")], ids=["logistic", "hinge"])
def test_costs_that_are_far_apart_do_not_stop_solvers(rows, ratio, estimator):
    """Models see a ratio of 1e9 at most, thresholds the costs as they are: no positive is missed
    where the validation rows show how; either way it takes no longer than any other fit.
    """
    X, y, _, _ = rows
    numbers = X.drop(columns="amount")
    start = time.process_time()
    clf = MeasureClassifier(estimator, measure=ExpectedCost(ratio, 1), random_state=0)
    clf.fit(numbers, y)
    assert time.process_time() - start < 5
    assert clf.costs_.tolist() == [1e9, 1.0]
    assert clf.predict(numbers)[y == 1].all()
    assert -1 < clf.best_score_ < 0
    other = MeasureClassifier(estimator, measure=ExpectedCost(1, ratio), random_state=0)
    assert not other.fit(numbers, y).predict(numbers)[y == 0].any()


def test_fixed_costs_choose_as_weighted_accuracy_does(rows):
    """Both have the same costs, so the same model and threshold; one problem for each C."""
    X, y, new, _ = rows
    one, other = (
        MeasureClassifier("linear", measure=measure, random_state=0).fit(X, y)
        for measure in (ExpectedCost(8, 1), WeightedAccuracy(8.0, 1.0))
    )
    np.testing.assert_array_equal(one.predict(new), other.predict(new))
    assert len(one.sweep_) == 4
    assert one.best_score_ == pytest.approx(other.best_score_ - 1)


def test_values_above_1_and_below_0_are_values(rows):
    """Benefits and costs: weights of members, the bar, intervals and sentences have their scale."""
    X, y, new, new_y = rows
    for measure in (ExpectedCost(0, -100, tp=-9000, tn=-150), ExpectedCost(3000, 90)):
        clf = MeasureClassifier(
            [LogisticRegression(), GaussianNB()], measure=measure, random_state=0
        ).fit(X, y)
        low, high = clf.honest_interval_
        assert low < clf.honest_score_ < high
        assert abs(high - low) > 10
        assert len(clf.models_[0].shares) == 2  # neither is hopeless
        assert "out of reach" in clf.certificate_.sentence
        assert f"{clf.best_score_:,.2f}" in str(clf.summary())
        found = clf.evaluate(new, new_y)
        assert found.interval[0] < found.value == clf.score(new, new_y) < found.interval[1]


@pytest.mark.parametrize("search", ["grid", "bracket", "bisection", "dinkelbach", "cone"])
def test_every_search_trains_one_level(rows, search):
    """Costs that do not depend on the level are one problem, and its value is the best."""
    X, y, *_ = rows
    clf = MeasureClassifier(
        "linear", measure=ExpectedCost(500, 20), search=search, random_state=0
    ).fit(X, y)
    grid = MeasureClassifier(
        "linear", measure=ExpectedCost(500, 20), search=Grid(1), random_state=0
    ).fit(X, y)
    assert clf.best_score_ == grid.best_score_


def test_fixed_costs_are_retargeted_from_the_same_sweep(rows):
    """The threshold is the best of the model at hand, or nearly: its curve is smoothed."""
    X, y, *_ = rows
    clf = MeasureClassifier("linear", selection="largest_value", random_state=0).fit(X, y)
    other = clf.retarget(ExpectedCost(500, 20))
    curve = clf.sweep_.choices[0].candidates[0].curve
    assert other.best_score_ == pytest.approx(ExpectedCost(500, 20).value(curve).max())


def test_the_standard_error_has_the_scale_of_the_measure():
    """Of F1 it is what it was, a share of the positive rows."""
    f1 = Goal((0,), FBeta(), np.asarray(0.2), 1000)
    assert f1.value_range == (0.0, 1.0)
    assert standard_error(0.7, f1.value_range, 200) == pytest.approx(np.sqrt(0.7 * 0.3 / 200))
    cost = Goal((0,), ExpectedCost(50, 5), np.asarray(0.2), 1000)
    assert cost.value_range == pytest.approx((-14.0, 0.0))


def test_costs_by_row_are_those_of_the_rows_held_out(rows):
    """best_score_ is minus the mean cost of the predictions for held-out rows."""
    X, y, *_ = rows
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    clf = MeasureClassifier(
        LogisticRegression(), measure=ExpectedCost("amount", 20, tp=2), cv=folds, random_state=0
    ).fit(X, y)
    scores = cross_val_predict(LogisticRegression(), X, y, cv=folds, method="decision_function")
    moved = scores + np.log(np.maximum(X["amount"] - 2, 1e-300) / 20)
    pred = np.where(X["amount"] <= 2, False, moved >= clf.threshold_)
    assert clf.best_score_ == pytest.approx(-_costs(X, y, pred, tp=2.0).mean())


def test_the_cut_is_the_best_one_of_moved_scores(rows):
    """With the largest value as the rule, no other threshold is cheaper."""
    X, y, *_ = rows
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    measure = ExpectedCost("amount", 20)
    clf = MeasureClassifier(
        LogisticRegression(), measure=measure, cv=folds, selection="largest_value", random_state=0
    ).fit(X, y)
    scores = cross_val_predict(LogisticRegression(), X, y, cv=folds, method="decision_function")
    moved = scores + np.log(X["amount"] / 20)
    assert best_threshold(y, moved, measure.on(X)).value == pytest.approx(clf.best_score_)


def test_a_row_is_decided_by_what_is_at_stake(by_row, rows):
    """The margin is the model's and the log of both differences; small amounts are left alone."""
    *_, new, _ = rows
    margins = by_row.decision_function(new)
    model = new.to_numpy() @ by_row.coef_[0] + by_row.intercept_[0]
    open_ = (new["amount"] > 2).to_numpy()
    offset = np.log(new["amount"][open_] - 2) - np.log(20)
    np.testing.assert_allclose(margins[open_], model[open_] + offset, atol=1e-8)
    less = new.assign(amount=1.0)
    assert not by_row.predict(less).any()


def test_score_and_evaluate_read_the_costs_of_the_rows_given(by_row, rows):
    """Both are minus the mean cost there, with weights as well."""
    *_, new, y = rows
    costs = _costs(new, y, by_row.predict(new) == 1, tp=2.0)
    weight = np.linspace(1, 3, len(y))
    assert by_row.score(new, y) == pytest.approx(-costs.mean())
    assert by_row.score(new, y, weight) == pytest.approx(-np.average(costs, weights=weight))
    found = by_row.evaluate(new, y)
    assert found.value == pytest.approx(-costs.mean())
    assert found.interval[0] < found.value < found.interval[1]


def test_natural_thresholds_are_bayes_rule(rows):
    """Without a tuned threshold, the cheaper decision by the model's probabilities."""
    X, y, new, _ = rows
    model = LogisticRegression().fit(X, y)
    clf = MeasureClassifier(
        model, measure=ExpectedCost("amount", 20), cv="prefit", tune_threshold=False
    ).fit(X, y)
    p = model.predict_proba(new)[:, 1]
    np.testing.assert_array_equal(clf.predict(new), p * new["amount"] > (1 - p) * 20)


def test_probabilities_are_those_of_the_population(rows):
    """Not of a population in which rows count what they cost."""
    X, y, new, _ = rows
    clf = MeasureClassifier(
        "linear", measure=ExpectedCost("amount", 20), probabilities="calibrated", random_state=0
    ).fit(X, y)
    plain = MeasureClassifier(
        "linear", measure="accuracy", probabilities="calibrated", random_state=0
    ).fit(X, y)
    p, q = (one.predict_proba(new)[:, 1] for one in (clf, plain))
    assert np.abs(p - q).mean() < 0.03


def test_a_saved_classifier_knows_its_costs(by_row, rows, tmp_path):
    """With and without evidence; frames of another library will do."""
    pl = pytest.importorskip("polars")
    *_, new, y = rows
    for evidence in (True, False):
        by_row.save(tmp_path / "m.plm", evidence=evidence)
        again = load(tmp_path / "m.plm")
        np.testing.assert_array_equal(again.predict(new), by_row.predict(new))
        np.testing.assert_array_equal(
            again.predict(pl.from_pandas(new.reset_index(drop=True))), by_row.predict(new)
        )
        assert again.score(new, y) == by_row.score(new, y)
        assert again.honest_interval_ == by_row.honest_interval_


def test_the_page_shows_what_rows_cost_along_the_threshold(by_row, rows, tmp_path):
    """With and without rows; where it is cut, the cost is that of the predictions."""
    from pseudolinear.report import report_on_rows

    *_, new, y = rows
    found = report_on_rows(by_row, new, y, None, importance=True, random_state=0)
    (label,) = found.labels
    assert label.values[label.cuts.chosen] == pytest.approx(by_row.score(new, y))
    for t, value in list(zip(label.cuts.thresholds, label.values, strict=True))[::40]:
        pred = by_row.decision_function(new) + by_row.threshold_ >= t
        assert value == pytest.approx(-_costs(new, y, pred, tp=2.0).mean())
    for args in ((), (new, y)):
        assert by_row.report(tmp_path / "page.html", *args).read_text().startswith("<!doctype")
    assert "at stake" in str(by_row.summary())


def test_labels_have_costs_by_row_each(rows):
    """best_score_ is the mean over rows and labels."""
    X, y, new, new_y = rows
    Y, new_Y = (np.stack([a, 1 - a], 1) for a in (y, new_y))
    clf = MeasureClassifier(
        "linear", measure=ExpectedCost("amount", 20, average="macro"), random_state=0
    ).fit(X, Y)
    pred = clf.predict(new)
    costs = [_costs(new, new_Y[:, k], pred[:, k] == 1).mean() for k in (0, 1)]
    assert clf.score(new, new_Y) == pytest.approx(-np.mean(costs))
    assert clf.evaluate(new, new_Y).labels[1].value == pytest.approx(-costs[1])
    assert np.isfinite(clf.best_score_)
    assert str(clf.summary())


def test_training_weights_are_repeated_rows(rows):
    """As everywhere: of a prefit classifier, a row of weight 2 is two rows."""
    X, y, *_ = rows
    model = LogisticRegression().fit(X, y)
    n = np.arange(len(X)) % 3 + 1
    make = {"measure": ExpectedCost("amount", 20), "cv": "prefit", "selection": "largest_value"}
    one = MeasureClassifier(model, **make).fit(X, y, sample_weight=n)
    other = MeasureClassifier(model, **make).fit(
        X.loc[X.index.repeat(n)].reset_index(drop=True), np.repeat(y, n)
    )
    assert one.threshold_ == other.threshold_
    assert one.best_score_ == pytest.approx(other.best_score_)


@pytest.mark.parametrize(
    ("params", "change", "text"),
    [
        ({"measure": ExpectedCost("fee", 20)}, None, "no column 'fee'"),
        ({"measure": ExpectedCost(np.ones(500), 2)}, None, "give the name of a column"),
        ({"estimator": LinearSVC()}, None, "need probabilities, which LinearSVC"),
        ({}, {"amount": np.nan}, "NaN or infinite in 500 of 500 rows"),
        ({}, {"amount": "x"}, "must hold numbers, got 'x'"),
        ({}, {"amount": -5.0}, "nothing to decide"),
    ],
)
def test_what_fit_cannot_do_is_said(rows, params, change, text):
    """One sentence each."""
    X, y, *_ = rows
    X = X if change is None else X.assign(**change)
    clf = MeasureClassifier(
        **({"estimator": "linear", "measure": ExpectedCost("amount", 20)} | params)
    )
    with pytest.raises(ValueError, match=text):
        clf.fit(X, y)


def test_several_classes_are_refused(rows):
    """Costs of the row say nothing of which class it is taken for."""
    X, *_ = rows
    with pytest.raises(ValueError, match="two classes or for labels; y has 3 classes"):
        MeasureClassifier("linear", measure=ExpectedCost("amount", 20, average="macro")).fit(
            X, np.arange(500) % 3
        )


def test_what_is_no_function_of_counted_errors_is_said(by_row, rows):
    """A sweep with costs by row has counted costs."""
    X, y, new, new_y = rows
    for args in ((), (X, y)):
        with pytest.raises(ValueError, match="fit again"):
            by_row.retarget("f1", *args)
    plain = MeasureClassifier("linear", random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="fit again"):
        plain.retarget(ExpectedCost("amount", 20))
    for name in ("frontier_", "probability_threshold_"):
        with pytest.raises(AttributeError, match="by row"):
            getattr(by_row, name)
    with pytest.raises(ValueError, match="now missing:\n- amount"):
        by_row.score(new.drop(columns="amount"), new_y)


def test_costs_by_row_of_several_labels_are_kept(rows, tmp_path):
    """There is no interval to expect, but a file, a slim copy and a page."""
    X, y, new, _ = rows
    measure = ExpectedCost(fn="amount", fp=20, average="macro")
    clf = MeasureClassifier("linear", measure=measure, random_state=0)
    clf.fit(X, np.column_stack([y, X["x0"] > 0]))
    clf.save(tmp_path / "costs.plm")
    again = load(tmp_path / "costs.plm")
    assert (again.predict(new) == clf.predict(new)).all()
    assert again.honest_score_ == clf.slim().honest_score_ == clf.honest_score_
    assert "To be expected" in clf.report(tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize("value", [0, 1])
def test_costs_do_not_move_a_label_of_one_value(rows, value):
    """Nothing was learnt of it, so that value is predicted, whatever a row costs."""
    X, y, new, _ = rows
    measure = ExpectedCost(fn="amount", fp=20, average="macro")
    clf = MeasureClassifier("linear", measure=measure, random_state=0)
    with pytest.warns(UserWarning, match="the same value in every row"):
        clf.fit(X, np.column_stack([y, np.full(len(y), value)]))
    assert (clf.predict(new)[:, 1] == value).all()
