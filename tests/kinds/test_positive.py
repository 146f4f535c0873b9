"""The positive class: what people mean, and what they say."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score

from pseudolinear import FBeta, MeasureClassifier, RecallAtPrecision, compare

X, y = make_classification(400, weights=[0.8], flip_y=0.1, random_state=0)
WORDS = np.array(["good", "bad"])[y]  # the bad ones are rare, and first in the alphabet


def test_the_rarer_class_is_positive():
    """Not the larger word: F1 of the frequent class is not what imbalanced data are about."""
    words = MeasureClassifier("linear", random_state=0).fit(X, WORDS)
    numbers = MeasureClassifier("linear", random_state=0).fit(X, y)
    assert words.pos_label_ == "bad"
    assert (words.predict(X) == np.array(["good", "bad"])[numbers.predict(X)]).all()
    assert words.best_score_ == numbers.best_score_
    assert words.score(X, WORDS) == pytest.approx(
        f1_score(WORDS, words.predict(X), pos_label="bad")
    )


@pytest.mark.parametrize("classes", [(0, 1), (-1, 1), (False, True), (0.0, 1.0)])
def test_conventions_stand_whatever_is_rare(classes):
    """1 and True are positive, however frequent they are."""
    target = np.array(classes)[1 - y]
    classifier = MeasureClassifier("linear", random_state=0).fit(X, target)
    assert classifier.pos_label_ == classes[1]


@pytest.mark.parametrize("params", [{"pos_label": "good"}, {"measure": FBeta(pos_label="good")}])
def test_the_positive_class_can_be_said(params):
    """By the classifier or by its measure."""
    classifier = MeasureClassifier("linear", random_state=0, **params).fit(X, WORDS)
    assert classifier.pos_label_ == "good"
    assert classifier.score(X, WORDS) == pytest.approx(
        f1_score(WORDS, classifier.predict(X), pos_label="good")
    )


def test_weights_decide_what_is_rare():
    """As repeated rows would."""
    weight = np.where(y == 1, 9.0, 1.0)
    assert MeasureClassifier("linear").fit(X, WORDS, sample_weight=weight).pos_label_ == "good"


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"pos_label": "ugly"}, "'ugly' is not one of the classes"),
        ({"pos_label": "bad", "measure": "f1_macro"}, "pos_label='bad' is for a binary measure"),
        ({"pos_label": "bad", "measure": FBeta(pos_label="good")}, "'bad' here and 'good' in"),
    ],
)
def test_what_cannot_be_positive_is_refused(params, message):
    """One sentence each."""
    with pytest.raises(ValueError, match=message):
        MeasureClassifier("linear", **params).fit(X, WORDS)


def test_several_classes_have_no_positive_one():
    """Asking for it is an attribute error, so that hasattr works."""
    assert not hasattr(MeasureClassifier("linear", measure="f1_macro").fit(X, WORDS), "pos_label_")


@pytest.mark.slow
def test_constraints_and_comparisons_mean_the_same_class():
    """Whoever counts errors counts those of the rare class."""
    constraint = MeasureClassifier("linear", measure=RecallAtPrecision(0.5), random_state=0).fit(
        X, WORDS
    )
    assert constraint.pos_label_ == "bad"
    methods = ["default", "svm_perf"]
    words, numbers = (compare(X, t, methods=methods, random_state=0) for t in (WORDS, y))
    assert [row["value"] for row in words] == [row["value"] for row in numbers]
