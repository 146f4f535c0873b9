"""Precision against recall, with the lines of equal value of a measure."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pictures import level_sets, line
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, f1_score, precision_recall_curve
from sklearn.naive_bayes import GaussianNB

from pseudolinear import (
    CohenKappa,
    FBeta,
    Grid,
    MeasureClassifier,
    RecallAtPrecision,
    best_threshold,
)
from pseudolinear.inspection import MeasureCurveDisplay


def f_beta(beta, precision, recall):
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_iso_lines_satisfy_the_formula(beta):
    """By precision and recall, F is their weighted harmonic mean."""
    rng = np.random.RandomState(0)
    y = rng.rand(500) < 0.2
    display = MeasureCurveDisplay.from_predictions(y, y + rng.randn(500), FBeta(beta))
    drawn = level_sets(display.ax_)
    assert_allclose(list(drawn), np.arange(1, 10) / 10)
    for level, (recall, precision) in ((t, xy.T) for t, xy in drawn.items()):
        # Short chords where a label interrupts a line.
        assert_allclose(f_beta(beta, precision, recall), level, atol=2e-4)
        recall, precision = display.iso_line(level)
        assert_allclose(f_beta(beta, precision, recall), level, atol=1e-12)
        assert_allclose(precision[0], 1.0)


def test_iso_lines_of_kappa_are_scikit_learns():
    """Confusion tables made of points on the line have that kappa."""
    y = np.arange(100) < 25
    rng = np.random.RandomState(0)
    display = MeasureCurveDisplay.from_predictions(y, y + rng.randn(100), CohenKappa())
    for level in (0.2, 0.5, 0.9):
        for recall, precision in zip(*(x[::60] for x in display.iso_line(level)), strict=True):
            tp = 0.25 * recall
            fp = tp * (1 - precision) / precision
            weights = [tp, 0.25 - tp, fp, 0.75 - fp]
            kappa = cohen_kappa_score([1, 1, 0, 0], [1, 0, 1, 0], sample_weight=weights)
            assert_allclose(kappa, level, atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_frame_and_picture_are_scikit_learns_curve(weighted):
    """Every threshold of the precision-recall curve, ties and weights included, and its best F1."""
    rng = np.random.RandomState(1)
    y = rng.rand(300) < 0.3
    score, weight = np.round(y + rng.randn(300), 1), rng.rand(300) if weighted else None
    display = MeasureCurveDisplay.from_predictions(y, score, sample_weight=weight)
    frame = display.frame()
    curve = frame[frame["kind"] == "curve"]
    precision, recall, scores = precision_recall_curve(y, score, sample_weight=weight)
    expected = np.stack([recall, precision], axis=1)[-2::-1]  # without the end, descending
    assert_allclose(curve[["recall", "precision"]], expected, atol=1e-12)
    # Each threshold is at most its lowest positive score, and above the next one.
    assert (curve["threshold"] <= scores[::-1]).all()
    assert (curve["threshold"][:-1] > scores[-2::-1]).all()
    f1 = f_beta(1, precision, recall + 1e-300)
    assert_allclose(curve["value"], f1[-2::-1], atol=1e-12)
    assert_array_equal(line(display.ax_, "every threshold")[1:], curve[["recall", "precision"]])
    (best,) = frame[frame["kind"] == "best"].to_dict("records")
    cut = best_threshold(y, score, "f1", weight)
    assert (best["threshold"], best["value"]) == (cut.threshold, cut.value)
    assert_allclose(best["value"], f1.max())
    star = line(display.ax_, "best threshold here")[0]
    assert_array_equal(star, [best["recall"], best["precision"]])


@pytest.mark.parametrize("pos_label", ["ham", "spam"])
def test_chosen_point_is_what_the_classifier_predicts(data, pos_label):
    """Either class may be the positive one; scores are turned round with it."""
    X, y = data
    y = np.where(y == 1, "spam", "ham")
    measure = FBeta(pos_label=pos_label)
    models = [LogisticRegression(), GaussianNB()]
    models.append(MeasureClassifier("linear", measure=measure, search=Grid(3), random_state=0))
    for model in models:
        model.fit(X, y)
        display = MeasureCurveDisplay.from_estimator(model, X, y, measure)
        expected = f1_score(y, model.predict(X), pos_label=pos_label)
        assert_allclose(measure.value(display.chosen), expected)
        assert measure.value(display.best) >= expected - 1e-12
        # The classifier cuts the curve that is drawn, so its point lies on it.
        distance = np.abs(display.curve.errors[:, 0] - display.chosen.errors).sum(axis=1)
        assert distance.min() < 1e-12
        chosen = display.rows()[-1]
        assert_allclose([chosen["value"]], expected)
        assert_allclose(line(display.ax_, "chosen"), [[chosen["recall"], chosen["precision"]]])


def test_the_trained_measure_is_the_default(data):
    """And the best threshold is that of `best_threshold`."""
    X, y = data
    clf = MeasureClassifier("linear", measure="f2", search=Grid(3), random_state=0).fit(X, y)
    display = MeasureCurveDisplay.from_estimator(clf, X, y)
    cut = best_threshold(y, clf.decision_function(X), "f2")
    assert display.measure == FBeta(2.0)
    assert_array_equal(display.best.errors, cut.profile.errors)


@pytest.mark.parametrize("shift", [0.0, 1.0, 2.0, 4.0])
def test_the_legend_does_not_cover_the_curve(shift):
    """Neither of a score that knows nothing nor of one that knows nearly all."""
    rng = np.random.RandomState(0)
    y = rng.rand(800) < 0.05
    display = MeasureCurveDisplay.from_predictions(y, shift * y + rng.randn(800))
    display.figure_.canvas.draw()
    curve = display.ax_.transData.transform(line(display.ax_, "every threshold"))
    assert not display.ax_.get_legend().get_window_extent().count_contains(curve)


def test_the_best_threshold_may_predict_nothing():
    """It is none of the curve, and it has no precision."""
    display = MeasureCurveDisplay.from_predictions([0, 0, 1, 0], [4, 3, 2, 1], "accuracy")
    (best,) = (row for row in display.rows() if row["kind"] == "best")
    assert (best["value"], best["recall"]) == (0.75, 0.0)
    assert np.isnan(best["precision"])


def test_only_one_label_has_a_curve():
    with pytest.raises(ValueError, match="give a binary measure"):
        MeasureCurveDisplay.from_predictions([0, 1], [0.0, 1.0], "f1_macro")


def test_the_positive_class_is_that_of_the_classifier(data):
    """The rarer word, not the larger one."""
    X, y = data
    words = np.array(["good", "bad"])[y]
    classifier = MeasureClassifier("linear", random_state=0).fit(X, words)
    display = MeasureCurveDisplay.from_estimator(classifier, X, words)
    assert display.chosen.prevalence[0] == pytest.approx(np.mean(words == "bad"))


def test_a_constraint_is_shown_among_lines_of_equal_f1(data):
    """It has no lines of its own; the chosen point keeps its precision on these rows or not."""
    X, y = data
    classifier = MeasureClassifier("linear", measure=RecallAtPrecision(0.6), random_state=0).fit(
        X, y
    )
    display = MeasureCurveDisplay.from_estimator(classifier, X, y)
    assert display.measure == FBeta()
    assert display.chosen.recall[0] == pytest.approx(classifier.score(X, y))
