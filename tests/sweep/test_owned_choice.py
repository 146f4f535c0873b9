"""A sweep's result owns the choice that was made: every view shows what predicts."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression

from pseudolinear import LinearLearner, MeasureClassifier, MinimalCost, RecallAtPrecision

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


@pytest.mark.parametrize("target", [Y, Y[:, 0]], ids=["labels", "binary"])
def test_a_constraint_is_fitted_as_a_sweep_of_f1_retargeted(target):
    """The same candidates, chosen for the constraint, and trained on all rows."""
    average = "f1_macro" if target.ndim == 2 else "f1"
    constraint = RecallAtPrecision(0.6)
    fitted = clone(MeasureClassifier(measure=constraint, random_state=0)).fit(X, target)
    other = MeasureClassifier(measure=average, random_state=0).fit(X, target)
    other = other.retarget(constraint, X, target)
    assert np.array_equal(fitted.threshold_, other.threshold_)
    assert (fitted.predict(X) == other.predict(X)).all()
    assert fitted.best_score_ == other.best_score_
    assert fitted.certificate_.statements == ()
    assert "RecallAtPrecision(min_precision=0.6)" in repr(fitted)


def test_the_constraint_holds_on_the_validation_rows():
    """Every label keeps the precision, and no candidate and cut has more recall."""
    fitted = MeasureClassifier(measure=RecallAtPrecision(0.6), random_state=0).fit(X, Y)
    recalls = []
    for candidates, choice in zip(fitted.sweep_.by_goal, fitted.sweep_.choices, strict=True):
        assert choice.profile.precision[0] >= 0.6 - 1e-12
        recalls.append(
            max(c.curve.recall[c.curve.precision[:, 0] >= 0.6, 0].max() for c in candidates)
        )
        assert choice.profile.recall[0] == pytest.approx(recalls[-1])
    assert fitted.best_score_ == pytest.approx(np.mean(recalls))


def test_least_cost_is_trained_with_its_own_costs():
    """They are known, so there is one level and nothing to search."""
    fitted = MeasureClassifier(measure=MinimalCost(5.0, 1.0), random_state=0).fit(X, Y[:, 0])
    assert fitted.costs_.tolist() == [5.0, 1.0]
    assert fitted.best_score_ == pytest.approx(
        min(c.curve.total_cost([5.0, 1.0]).min() for c in fitted.sweep_.by_goal[0])
    )


def test_a_constraint_can_be_retargeted_again():
    """Back to a measure, with and without training."""
    first = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y)
    there = first.retarget(RecallAtPrecision(0.6), X, Y)
    back = there.retarget("f1_macro", X, Y)
    assert (back.predict(X) == first.predict(X)).all()
    assert there.retarget("f2_macro").measure == "f2_macro"


def test_a_constraint_leaves_nothing_to_select():
    """It is itself a rule."""
    with pytest.raises(ValueError, match="selection must be 'auto'"):
        MeasureClassifier(measure=RecallAtPrecision(0.9), selection="both").fit(X, Y)


def test_labels_with_levels_of_their_own_are_retargeted_jointly():
    """A micro average cuts the models of a macro average together, without training."""
    classifier = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y)
    assert len(np.unique(classifier.level_)) > 1
    joint = classifier.retarget("f1_micro")
    assert joint.best_score_ >= classifier.frontier_.value("f1_micro") - 0.05
    assert joint.certificate_["threshold"].gap == 0.0
