"""Precision, recall and the measure along the threshold."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from pictures import legend, line
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, fbeta_score, precision_score, recall_score
from sklearn.naive_bayes import GaussianNB

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import MeasureCurveDisplay, ThresholdDisplay


def test_every_threshold_has_scikit_learns_numbers(data):
    """On rounded scores, so that there are ties."""
    X, y = data
    score = LogisticRegression().fit(X, y).predict_proba(X)[:, 1].round(1)
    frame = ThresholdDisplay.from_predictions(y, score, "f2").frame()
    assert len(frame) == len(np.unique(score))
    for row in frame.itertuples():
        predicted = score >= row.threshold
        assert row.precision == pytest.approx(precision_score(y, predicted))
        assert row.recall == pytest.approx(recall_score(y, predicted))
        assert row.value == pytest.approx(fbeta_score(y, predicted, beta=2))


@pytest.mark.parametrize("positive", [0, 1])
def test_the_chosen_threshold_is_what_the_classifier_predicts_by(data, positive):
    X, y = data
    clf = MeasureClassifier("linear", pos_label=positive, random_state=0).fit(X, y)
    display = ThresholdDisplay.from_estimator(clf, X, y)
    (chosen,) = (row for row in display.rows() if row["kind"] == "chosen")
    assert chosen["threshold"] == clf.threshold_
    assert chosen["value"] == pytest.approx(f1_score(y, clf.predict(X), pos_label=positive))
    assert_allclose(line(display.ax_, "chosen"), [[clf.threshold_, chosen["value"]]])


@pytest.mark.parametrize(("model", "threshold"), [(LogisticRegression(), 0), (GaussianNB(), 0.5)])
def test_other_classifiers_are_cut_where_they_predict(data, model, threshold):
    X, y = data
    display = ThresholdDisplay.from_estimator(model.fit(X, y), X, y)
    assert display.threshold == threshold
    assert display.spread is None
    chosen = display.rows()[-1]
    assert chosen["recall"] == pytest.approx(recall_score(y, model.predict(X)))


def test_the_band_is_what_the_folds_would_choose(fitted, data):
    """Each fold's own best threshold, from the table of the sweep."""
    candidate = fitted.sweep_.choices[0].candidates[0]
    own = [
        row["threshold"]
        for row in fitted.sweep_.rows()
        if row["fold"] >= 0 and row["level"] == candidate.level
        and all(row[key] == value for key, value in candidate.params.items())
    ]  # fmt: skip
    for display in (
        ThresholdDisplay.from_sweep(fitted.sweep_),
        ThresholdDisplay.from_estimator(fitted, *data),
    ):
        assert display.spread == (min(own), max(own))
        assert f"single folds: {min(own):.3g} to {max(own):.3g}" in legend(display.ax_)
    slim = ThresholdDisplay.from_estimator(fitted.slim(), *data)
    assert slim.spread is None


def test_the_evidence_shows_what_was_reached(fitted):
    chosen = ThresholdDisplay.from_sweep(fitted.sweep_).rows()[-1]
    assert chosen["threshold"] == fitted.threshold_
    assert chosen["value"] == pytest.approx(fitted.best_score_)


def test_one_of_several_labels(multilabel):
    """By its name; the rows are those of its column."""
    clf = multilabel("macro")
    X, Y = make_multilabel_classification(200, n_classes=5, n_labels=1, random_state=0)
    display = ThresholdDisplay.from_estimator(clf, X, Y, label=3)
    expected = f1_score(Y[:, 3], clf.predict(X)[:, 3])
    assert display.rows()[-1]["value"] == pytest.approx(expected)
    assert "label 3" in display.ax_.get_xlabel()
    value = ThresholdDisplay.from_sweep(clf.sweep_, 3).rows()[-1]["value"]
    assert value == pytest.approx(clf.sweep_.labels()[3]["value"])
    with pytest.raises(ValueError, match="There is no label 'news'; the classifier has 5 labels"):
        ThresholdDisplay.from_estimator(clf, X, Y, label="news")
    with pytest.raises(ValueError, match="Label 7 has no model"):
        ThresholdDisplay.from_sweep(clf.sweep_, 7)


def test_a_threshold_that_is_not_tuned_is_the_only_one(data):
    X, y = data
    clf = MeasureClassifier("linear", tune_threshold=False, random_state=0).fit(X, y)
    rows = ThresholdDisplay.from_sweep(clf.sweep_).rows()
    assert [row["kind"] for row in rows] == ["curve", "chosen"]
    assert [row["value"] for row in rows] == pytest.approx([clf.best_score_] * 2)


@pytest.mark.parametrize("display", [ThresholdDisplay, MeasureCurveDisplay])
def test_one_of_several_labels_must_be_named_and_classes_cannot(display):
    X, Y = make_multilabel_classification(200, n_classes=2, random_state=0)
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=r"has 2 labels, .* say by label"):
        display.from_estimator(clf, X, Y)
    assert display.from_estimator(clf, X, Y, label=1).chosen.fn[0] == pytest.approx(
        np.mean((Y[:, 1] == 1) & (clf.predict(X)[:, 1] == 0))
    )
    for y, model in [(Y[:, 0], clf), (Y.sum(axis=1), clf), (Y.sum(axis=1), GaussianNB())]:
        with pytest.raises(ValueError, match=r"classes .* LabelsDisplay shows all"):
            display.from_estimator(model.fit(X, y), X, y)
