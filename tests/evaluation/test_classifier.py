"""MeasureClassifier.evaluate: the measure of the fit, or another one, on other rows."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import FBeta, MeasureClassifier, RecallAtPrecision, evaluate


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


@pytest.fixture(scope="module")
def binary():
    X, y = make_classification(800, weights=[0.8], flip_y=0.1, random_state=0)
    y = np.array(["yes", "no"])[y]  # no is rarer, so it is the positive class
    return MeasureClassifier("linear", random_state=0).fit(X[:400], y[:400]), X[400:], y[400:]


OF_POSITIVE = ["f2", "mcc", "recall", "precision", "accuracy", RecallAtPrecision(0.4)]
OF_OTHERS = ["f1_macro", "f0.5_micro", FBeta(pos_label="yes")]


@pytest.mark.parametrize("measure", [*OF_POSITIVE, *OF_OTHERS], ids=str)
def test_another_measure_of_the_same_predictions(binary, measure):
    """As of any predictions, whether the measure is of the positive class, another one or both."""
    clf, X, y = binary
    found = clf.evaluate(X, y, measure=measure)
    positive = "no" if measure in OF_POSITIVE else None
    wanted = evaluate(y, clf.predict(X), measure, pos_label=positive)
    assert (found.value, found.interval) == (wanted.value, wanted.interval)
    assert found.measure == wanted.measure
    assert [one.label for one in found.labels] == [one.label for one in wanted.labels]


@pytest.mark.parametrize("measure", [*OF_POSITIVE, *OF_OTHERS], ids=str)
def test_another_measure_of_rows_in_parts(measure, tmp_path):
    """As of rows in memory."""
    X, y = make_classification(600, weights=[0.8], flip_y=0.1, random_state=0)
    rows, y = pd.DataFrame(X).rename(columns="x{}".format), np.array(["yes", "no"])[y]
    clf = MeasureClassifier("linear", random_state=0).fit(rows[:300], y[:300])
    rows.assign(y=y)[300:].to_parquet(tmp_path / "rows.parquet")
    found = clf.evaluate(tmp_path / "rows.parquet", "y", measure)
    wanted = clf.evaluate(rows[300:], y[300:], measure)
    assert (found.value, *found.interval) == pytest.approx((wanted.value, *wanted.interval))
    assert [one.label for one in found.labels] == [one.label for one in wanted.labels]


def test_another_measure_of_classes():
    """One of two classes is refused where there are three; of two it is of the rarer one."""
    X, y = make_classification(600, n_classes=3, n_informative=5, random_state=0)
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X[:300], y[:300])
    accuracy = np.mean(clf.predict(X[300:]) == y[300:])
    assert clf.evaluate(X[300:], y[300:], "accuracy").value == pytest.approx(accuracy)
    few = y < 2
    for measure in ("f1", "mcc", RecallAtPrecision(0.5)):
        with pytest.raises(ValueError, match="is for two classes, and the classifier tells 3"):
            clf.evaluate(X[few], y[few], measure)
    names = np.where(y == 0, "rare", "usual")
    clf.fit(X[:300], names[:300])
    for measure in ("f1", "mcc"):
        wanted = evaluate(names[300:], clf.predict(X[300:]), measure, pos_label="rare")
        assert clf.evaluate(X[300:], names[300:], measure).value == wanted.value


def test_classes_of_rows_in_parts(tmp_path):
    """As in memory, also of a class that the fit has not seen."""
    X, y = make_classification(600, n_classes=3, n_informative=5, random_state=0)
    rows, y = pd.DataFrame(X).rename(columns="x{}".format), np.array(list("abc"))[y]
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(rows[:300], y[:300])
    y[-5:] = "d"
    rows.assign(y=y)[300:].to_parquet(tmp_path / "rows.parquet")
    with pytest.warns(UserWarning, match="y holds the class 'd'"):
        wanted = clf.evaluate(rows[300:], y[300:])
    found = clf.evaluate(tmp_path / "rows.parquet", "y")
    assert (found.value, *found.interval) == pytest.approx((wanted.value, *wanted.interval))
    assert [one.label for one in found.labels] == list("abcd")


def test_another_measure_of_labels():
    """Of all labels of the fit; one for a single label is refused."""
    X, Y = make_multilabel_classification(600, n_classes=3, random_state=0)
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X[:300], Y[:300])
    for measure in ("f2_micro", "recall_macro", "mcc"):
        wanted = evaluate(Y[300:], clf.predict(X[300:]), measure).value
        assert clf.evaluate(X[300:], Y[300:], measure).value == wanted
    with pytest.raises(ValueError, match=r"y has 3 labels, but FBeta\(\) is for one"):
        clf.evaluate(X[300:], Y[300:], "f1")


def test_a_measure_of_another_class_than_those_of_the_fit(binary):
    clf, X, y = binary
    with pytest.raises(ValueError, match="pos_label='maybe' is none of the classes"):
        clf.evaluate(X, y, FBeta(pos_label="maybe"))
