"""A sweep's result owns the choice that was made: every view shows what predicts."""

import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression

from pseudolinear import LinearLearner, MeasureClassifier, RecallAtPrecision

X, Y = make_multilabel_classification(300, n_classes=4, random_state=0)


def thresholds(classifier):
    return [row["threshold"] for row in classifier.sweep_.labels()]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"measure": "f1_micro"},
        {"selection": "largest_value"},
        {"cv": "holdout", "refit": False},
        {"estimator": [LinearLearner(), LogisticRegression()]},
    ],
    ids=str,
)
def test_labels_show_the_thresholds_that_predict(params):
    """Also of a portfolio, and where the kept models were cut again."""
    classifier = MeasureClassifier(**({"measure": "f1_macro"} | params), random_state=0).fit(X, Y)
    assert thresholds(classifier) == classifier.threshold_.tolist()


@pytest.mark.parametrize("target", ["f2_macro", "f1_micro", RecallAtPrecision(0.6)], ids=repr)
@pytest.mark.parametrize("rows", [(), (X, Y)], ids=["thresholds alone", "trained again"])
def test_labels_show_the_thresholds_after_retargeting(target, rows):
    """For measures and constraints, with and without training."""
    classifier = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y)
    other = classifier.retarget(target, *rows)
    assert thresholds(other) == other.threshold_.tolist()
    assert other.best_score_ == pytest.approx(other.certificate_.value)


def test_values_of_labels_are_those_of_the_certificate():
    """A macro average is the mean over its labels."""
    classifier = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y)
    values = [row["value"] for row in classifier.sweep_.labels()]
    assert np.mean(values) == pytest.approx(classifier.certificate_.value)
    assert np.mean(values) == pytest.approx(classifier.best_score_)


def test_constraint_is_the_measure_of_the_result():
    """The parameter says what the classifier is for, and score what it reaches."""
    classifier = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y)
    other = classifier.retarget(RecallAtPrecision(0.6))
    assert other.measure == RecallAtPrecision(0.6)
    assert classifier.measure == "f1_macro"
    predicted = other.predict(X)
    recalls = (predicted & Y).sum(axis=0) / Y.sum(axis=0)
    assert other.score(X, Y) == pytest.approx(recalls.mean())


def test_nothing_can_be_trained_for_a_constraint():
    """A constraint chooses thresholds; it has no costs to train with."""
    with pytest.raises(ValueError, match="fit for a measure and call retarget"):
        MeasureClassifier(measure=RecallAtPrecision(0.9)).fit(X, Y[:, 0])


def test_labels_with_levels_of_their_own_are_retargeted_jointly():
    """A micro average cuts the models of a macro average together, without training."""
    classifier = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y)
    assert len(np.unique(classifier.level_)) > 1
    joint = classifier.retarget("f1_micro")
    assert joint.best_score_ >= classifier.frontier_.value("f1_micro") - 0.05
    assert joint.certificate_["threshold"].gap == 0.0
