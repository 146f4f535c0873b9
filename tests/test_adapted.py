"""Classifiers that go where unlabelled rows come from."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.svm import LinearSVC

import pseudolinear
from pseudolinear import Budget, ExpectedCost, MeasureClassifier


@pytest.fixture(scope="module")
def rows():
    """Half of the rows are positive; of those to adapt to, one of twenty."""
    X, y = make_classification(5000, class_sep=0.9, flip_y=0.05, random_state=0)
    X_new, y_new = X[1500:], y[1500:]
    rare = np.concatenate([np.flatnonzero(y_new == 0)[:950], np.flatnonzero(y_new)[:50]])
    return X[:1500], y[:1500], X_new[rare], y_new[rare]


@pytest.fixture(scope="module")
def fitted(rows):
    return MeasureClassifier("linear", random_state=0).fit(*rows[:2])


def test_unlabelled_rows_give_the_thresholds_of_their_population(rows, fitted):
    """The prevalence is in the interval, F1 is better, and nothing but the prevalence counts."""
    adapted = fitted.adapt(rows[2])
    low, high = adapted.adaptation_.interval
    assert low < 0.05 < high
    assert adapted.score(*rows[2:]) > fitted.score(*rows[2:]) + 0.05
    by_hand = fitted.retarget(prevalence=adapted.adaptation_.prevalence)
    assert adapted.threshold_ == by_hand.threshold_
    assert adapted.adaptation_.labels[0].trained == pytest.approx(rows[1].mean())
    assert "estimated from 1000 rows" in str(adapted)
    assert not hasattr(fitted, "adaptation_")


def test_adapting_twice_is_adapting_once(rows, fitted):
    """Scores of a class are spread alike, whatever population the thresholds are for."""
    once = fitted.adapt(rows[2])
    twice = once.adapt(rows[2])
    assert twice.prevalence_ == pytest.approx(once.prevalence_)
    assert_array_equal(twice.predict(rows[2]), once.predict(rows[2]))


def test_what_was_estimated_goes_with_the_population(rows, fitted):
    """It stays for another measure, and is gone for another population or fit."""
    adapted = fitted.adapt(rows[2])
    assert hasattr(adapted.retarget("f2"), "adaptation_")
    assert not hasattr(adapted.retarget(prevalence=0.3), "adaptation_")
    assert not hasattr(adapted.fit(*rows[:2]), "adaptation_")


def test_changed_columns_are_warned_of(rows, fitted):
    """In one sentence; a mere shift is not."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted.adapt(rows[2])
    with pytest.warns(UserWarning, match="not spread as another prevalence"):
        assert fitted.adapt(3 * rows[2]).adaptation_.suspicious


def test_learners_without_probabilities_are_calibrated_too(rows):
    """Every score has a calibration."""
    clf = MeasureClassifier(LinearSVC(), random_state=0).fit(*rows[:2])
    assert not hasattr(clf, "predict_proba")
    low, high = clf.adapt(rows[2]).adaptation_.interval
    assert low < 0.05 < high


def test_labels_have_a_prevalence_each():
    """Rows of one label are drawn, so that the others follow as they may."""
    X, Y = make_multilabel_classification(1500, n_classes=3, n_labels=1, random_state=0)
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X[:700], Y[:700])
    adapted = clf.adapt(X[700:])
    assert_allclose(adapted.prevalence_, adapted.adaptation_.prevalence)
    for label, true in zip(adapted.adaptation_.labels, Y[700:].mean(axis=0), strict=True):
        assert label.interval[0] < true < label.interval[1]


@pytest.mark.parametrize("evidence", [False, True])
def test_an_adapted_classifier_is_saved(rows, fitted, tmp_path, evidence):
    """With what was estimated."""
    adapted = fitted.adapt(rows[2])
    adapted.save(tmp_path / "model.plm", evidence=evidence)
    found = pseudolinear.load(tmp_path / "model.plm")
    assert found.adaptation_ == adapted.adaptation_
    assert str(found.adaptation_) == str(adapted.adaptation_)
    assert_array_equal(found.predict_proba(rows[2]), adapted.predict_proba(rows[2]))


def test_what_cannot_be_adapted_says_so(rows, fitted):
    """One sentence each."""
    X, y, new, _ = rows
    with pytest.raises(AttributeError, match="slimmed"):
        fitted.slim().adapt(new)
    with pytest.raises(ValueError, match=r"0 sample|0 rows"):
        fitted.adapt(new[:0])
    with pytest.raises(ValueError, match="confidence must lie between"):
        fitted.adapt(new, confidence=95)
    with pytest.raises(ValueError, match="features"):
        fitted.adapt(new[:, :3])
    natural = MeasureClassifier("linear", tune_threshold=False, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="tune_threshold=True"):
        natural.adapt(new)
    assert fitted.adapt(new[:1]).adaptation_.interval == (0.0, 1.0)


@pytest.mark.filterwarnings("error")
def test_what_cannot_be_moved_is_said_before_rows_are_looked_at(rows, fitted):
    """Thresholds per group and costs by row; no warning of what the rows look like comes first."""
    X, y, new, new_y = rows
    group = np.column_stack([new[:, 0] > 0, new[:, 1:]])
    with pytest.raises(ValueError, match="retarget or adapt the one that it was made from"):
        fitted.by_group(0, group, new_y).adapt(10 * new)
    pd = pytest.importorskip("pandas")
    frame, strange = (pd.DataFrame(abs(part)).add_prefix("x") for part in (X, 10 * new))
    measure = ExpectedCost(fn="x0", fp=1)
    clf = MeasureClassifier("linear", measure=measure, tune_threshold=False, random_state=0)
    with pytest.raises(ValueError, match="cannot be retargeted; fit again"):
        clf.fit(frame, y).adapt(strange)


def test_a_budget_goes_along(rows):
    """Sizes of its groups stay as they were seen; a rule for streams is learnt from the rows."""
    X, y, new, _ = rows
    X, new = (np.column_stack([np.arange(len(part)) % 5, part]) for part in (X, new))
    by_day = MeasureClassifier("linear", measure=Budget(20, by=0), random_state=0).fit(X, y)
    adapted = by_day.adapt(new)
    share = by_day.sweep_.rule.objective
    assert adapted.sweep_.rule.objective == share
    assert adapted.predict(new).sum() == 100

    X, Y = make_multilabel_classification(900, n_classes=3, random_state=0)
    clf = MeasureClassifier("linear", measure="f1_micro", random_state=0).fit(X[:400], Y[:400])
    stream = Budget(1, batch=False)
    one_way = clf.retarget(stream, X[400:650]).adapt(X[400:650])
    other = clf.adapt(X[400:650]).retarget(stream, X[400:650])
    assert_array_equal(one_way.predict(X[650:]), other.predict(X[650:]))
