"""What cannot be evaluated is refused in a sentence, before it becomes a number."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.metrics import precision_score, recall_score

from pseudolinear import MeasureClassifier, evaluate, evaluate_difference

Y, P = np.array([0, 1, 1, 0] * 10), np.array([0, 1, 0, 0] * 10)
WORDS = np.where(Y == 1, "yes", "no")


def with_gap(y, gap, dtype=None):
    found = np.array(y, dtype=dtype)
    found[[2, 5, 7]] = gap
    return found


@pytest.fixture(scope="module")
def fitted():
    X, y = make_classification(600, weights=[0.7], flip_y=0.05, random_state=0)
    X[:, 0] = X[:, 0] > 0
    return MeasureClassifier("linear", random_state=0).fit(X[:300], y[:300]), X[300:], y[300:]


@pytest.mark.parametrize(
    "y",
    [
        with_gap(Y, np.nan, float),
        with_gap(WORDS, None, object),
        with_gap(WORDS, np.nan, object).tolist(),
        with_gap(Y, None, object),
        pd.Series(with_gap(Y, np.nan, float)),
    ],
    ids=["nan", "none among texts", "nan in a list", "none among numbers", "series"],
)
@pytest.mark.parametrize("measure", ["f1", "f1_macro", "mcc"])
def test_missing_classes_are_no_class(y, measure):
    """Neither of what is true nor of what is predicted, of one classifier or of two."""
    plain = WORDS if "no" in list(y) else Y
    for given in ((y, plain), (plain, y)):
        with pytest.raises(ValueError, match="missing values"):
            evaluate(*given, measure)
        with pytest.raises(ValueError, match="missing values"):
            evaluate_difference(*given, plain, measure)
    with pytest.raises(ValueError, match="missing values"):
        evaluate(y, np.linspace(0, 1, len(y)), measure, threshold=0.5)


@pytest.mark.parametrize("measure", ["f1", "f1_macro"])
def test_probabilities_are_no_classes(measure):
    """Also where one of them happens to be 0 or 1."""
    proba = np.linspace(0, 1, 40).round(1)
    with pytest.raises(ValueError, match=r"y_true holds .* as scores or probabilities do"):
        evaluate(proba, P, measure)


def test_a_classifier_takes_no_probabilities_for_y(fitted):
    """Whatever it is asked for."""
    clf, X, _ = fitted
    proba = clf.predict_proba(X)[:, 1].round(1)
    assert {0.0, 1.0} & set(proba)
    for ask in (
        lambda y: clf.evaluate(X, y),
        lambda y: clf.score(X, y),
        lambda y: clf.guarantee("recall >= 0.5", X, y),
        lambda y: clf.by_group(0, X, y),
    ):
        with pytest.raises(ValueError, match="as scores or probabilities do"):
            ask(proba)


def test_a_promise_of_labels_takes_no_probabilities_for_y():
    """Columns must hold 0 and 1."""
    X, labels = make_multilabel_classification(300, n_classes=3, random_state=0)
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X[:200], labels[:200])
    with pytest.raises(ValueError, match="must hold only 0 and 1"):
        clf.guarantee("recall >= 0.1", X[200:], 0.3 * labels[200:])


@pytest.mark.parametrize("groups", [with_gap(Y, np.nan, float), with_gap(WORDS, None, object)])
def test_groups_have_no_gaps(groups):
    """Rows without a group are not one group."""
    for ask in (lambda: evaluate(Y, P, groups=groups), lambda: evaluate_difference(
        Y, P, Y, groups=groups
    )):  # fmt: skip
        with pytest.raises(ValueError, match="groups is missing in 3 of 40 rows"):
            ask()


def test_groups_may_be_many_and_of_any_type():
    """Only equality counts."""
    numbers = np.arange(40) // 2
    names = [str(k) if k % 2 else k for k in numbers.tolist()]
    assert evaluate(Y, P, groups=names).interval == evaluate(Y, P, groups=numbers).interval


@pytest.mark.parametrize("threshold", [np.nan, "a", [np.nan, 0.2], None])
def test_a_threshold_is_a_number(threshold):
    """One, or one for each label."""
    labels = np.stack([Y, P], axis=1)
    sentence = "decisions are wanted" if threshold is None else "threshold must be a number"
    with pytest.raises(ValueError, match=sentence):
        evaluate(labels, labels * 0.7, "f1_macro", threshold=threshold)


@pytest.mark.parametrize(
    ("y", "p", "measure", "sentence"),
    [
        (None, P, "f1", "y_true must have one entry per row, got None"),
        (Y, None, "f1", "y_pred must have one entry per row, got None"),
        (2 * Y - 1, P, "f1", r"hold 0, which is none of the classes \[-1, 1\]"),
        (2 * Y - 1, P, "f1_macro", "in the same words"),
        (WORDS, P, "f1", "in the same words"),
        (WORDS, P, "f1_macro", "in the same words"),
        (np.arange(40) % 3, np.arange(40) % 3, "mcc", "'mcc' is for two classes, got 3; use cohen"),
        (np.arange(40) % 3, np.arange(40) % 3, "f1", "use f1_micro or f1_macro"),
    ],
)
def test_what_does_not_fit_together(y, p, measure, sentence):
    """One sentence each."""
    with pytest.raises(ValueError, match=sentence):
        evaluate(y, p, measure)
    with pytest.raises(ValueError, match=sentence if p is not None else "got None"):
        evaluate_difference(y, p, p, measure)


@pytest.mark.parametrize("confidence", ["a", None, 95, 0, 1, -3, np.nan, True])
def test_confidence_is_between_0_and_1(confidence):
    """Of an interval, and of that of a difference."""
    for ask in (evaluate, lambda y, p, **given: evaluate_difference(y, p, y, **given)):
        with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
            ask(Y, P, confidence=confidence)


@pytest.mark.parametrize("average", ["binary", "micro", "macro", "weighted"])
@pytest.mark.parametrize(
    ("name", "theirs"), [("recall", recall_score), ("precision", precision_score)]
)
def test_recall_and_precision_by_name(name, theirs, average):
    """As scikit-learn has them, with the interval that every label has."""
    if average == "binary":
        found = evaluate(Y, P, name)
        assert found.value == theirs(Y, P)
        assert found.interval == getattr(found.labels[0], f"{name}_interval")
        assert evaluate_difference(Y, P, Y, name).value == pytest.approx(1 - theirs(Y, P))
        return
    labels, decided = np.stack([Y, P, Y], axis=1), np.stack([P, P, 1 - Y], axis=1)
    expected = theirs(labels, decided, average=average)
    assert evaluate(labels, decided, f"{name}_{average}").value == pytest.approx(expected)
