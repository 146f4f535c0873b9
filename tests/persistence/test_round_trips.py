"""A loaded classifier of every kind gives the predictions of the one that was saved."""

import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from persistence.cases import CASES, fitted
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier

import pseudolinear
from pseudolinear.learners import JointLearner


def assert_equal(found, wanted):
    """Compare predictions of any form, exactly."""
    assert type(found) is type(wanted)
    if isinstance(wanted, pd.DataFrame):
        pd.testing.assert_frame_equal(found, wanted)
    elif isinstance(wanted, pl.Series):
        assert found.dtype == wanted.dtype
        assert found.equals(wanted, check_names=True)
    elif sparse.issparse(wanted):
        np.testing.assert_array_equal(found.toarray(), wanted.toarray())
    else:
        np.testing.assert_array_equal(np.asarray(found, object), np.asarray(wanted, object))


def assert_same(found, clf, X):
    assert_equal(found.predict(X), clf.predict(X))
    np.testing.assert_array_equal(found.decision_function(X), clf.decision_function(X))
    if hasattr(clf, "predict_proba"):
        np.testing.assert_array_equal(found.predict_proba(X), clf.predict_proba(X))
    assert repr(found.certificate_) == repr(clf.certificate_)
    summary = found.summary().to_dict()
    assert summary == clf.slim().summary().to_dict() or summary == clf.summary().to_dict()


QUICK = {
    "linear", "default", "linear classes", "lists", "sparse labels", "table", "prefit",
    "constraint", "own measure",
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in CASES],
)
def test_loaded_classifier_predicts_the_same(name, tmp_path):
    """Predictions, in the form that y had, and scores are equal to the last digit."""
    clf, X = fitted(name)
    clf.save(tmp_path / "model.plm")
    assert_same(pseudolinear.load(tmp_path / "model.plm"), clf, X)


@pytest.mark.parametrize(
    "name",
    [
        "default",
        "constraint",
        pytest.param("classes", marks=pytest.mark.slow),
        pytest.param("labels", marks=pytest.mark.slow),
    ],
)
def test_loaded_evidence_is_that_of_the_fit(name, tmp_path):
    """With the sweep, a loaded classifier can be retargeted and states the same values."""
    clf, X = fitted(name)
    clf.save(tmp_path / "model.plm", evidence=True)
    found = pseudolinear.load(tmp_path / "model.plm")
    assert_same(found, clf, X)
    assert str(found.sweep_.rows()) == str(clf.sweep_.rows())
    measure = "f2" if name == "default" else "jaccard_macro"
    if name != "constraint":
        assert found.honest_score_ == clf.honest_score_
        assert_equal(found.retarget(measure).predict(X), clf.retarget(measure).predict(X))


@pytest.mark.parametrize("name", ["default", "labels", "table", "prefit"])
def test_pickle_and_joblib_work_as_well(name, tmp_path):
    """Where the file is trusted."""
    clf, X = fitted(name)
    assert_same(pickle.loads(pickle.dumps(clf)), clf, X)
    joblib.dump(clf.slim(), tmp_path / "model.joblib")
    assert_same(joblib.load(tmp_path / "model.joblib"), clf, X)


def test_slim_is_the_default(tmp_path):
    """Without evidence there is no sweep, and the honest value stays."""
    clf, _ = fitted("linear")
    clf.save(tmp_path / "model.plm")
    found = pseudolinear.load(tmp_path / "model.plm")
    assert found.honest_score_ == clf.honest_score_
    with pytest.raises(AttributeError, match=r"was slimmed.*evidence=True"):
        found.sweep_  # noqa: B018
    assert "its evidence" in found.summary().tried


def test_classifier_of_all_labels_is_written_once(tmp_path):
    """Ten labels of one forest cost little more than two."""
    X, Y = np.random.default_rng(0).normal(size=(100, 3)), np.zeros((100, 10), int)
    Y[:50] = 1
    forest = JointLearner(RandomForestClassifier(10))
    sizes = []
    for n_labels in (2, 10):
        clf = pseudolinear.MeasureClassifier(forest, measure="f1_macro", random_state=0)
        clf.fit(X, Y[:, :n_labels]).save(tmp_path / "model.plm")
        sizes.append((tmp_path / "model.plm").stat().st_size)
        models = pseudolinear.load(tmp_path / "model.plm").models_
        assert len({id(model.estimator) for model in models}) == 1
    assert sizes[1] < 2 * sizes[0]
