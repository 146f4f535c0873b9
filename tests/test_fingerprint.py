"""Rows of the fit are noticed where fresh ones are wanted."""

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import make_classification

from pseudolinear import MeasureClassifier, load
from pseudolinear._fingerprint import fingerprint


@pytest.fixture(scope="module")
def fitted():
    X, y = make_classification(300, weights=[0.8], random_state=0)
    return MeasureClassifier("linear", random_state=0).fit(X, y), X, y


def test_rows_of_the_fit_are_told_from_others(fitted, tmp_path):
    """The same rows warn, from the same object, a copy, or after loading; others do not."""
    clf, X, y = fitted
    clf.save(tmp_path / "model.plm")
    for model in (clf, clf.slim(), clf.retarget("f2"), load(tmp_path / "model.plm")):
        with pytest.warns(UserWarning, match="These rows are those of fit"):
            model.evaluate(X.copy(), y)
        model.evaluate(X[1:], y[1:])
    with pytest.warns(UserWarning, match="These rows are those of fit"):
        clf.report(tmp_path / "report.html", X, y)


def test_rows_that_have_chosen_thresholds_are_not_fresh_any_more(tmp_path):
    """Neither for an evaluation nor for another promise; other thresholds have not seen them."""
    X, y = make_classification(900, weights=[0.7], random_state=0)
    X[:, 0] = X[:, 0] > 0
    clf = MeasureClassifier("linear", random_state=0).fit(X[:300], y[:300])
    rows, others = (X[300:600], y[300:600]), (X[600:], y[600:])
    promised = clf.guarantee("recall >= 0.5", *rows)
    promised.save(tmp_path / "model.plm")
    grouped = clf.by_group(0, *rows)
    sentence = "These rows have chosen the thresholds"
    for model in (promised, promised.slim(), load(tmp_path / "model.plm"), grouped):
        with pytest.warns(UserWarning, match=sentence):
            model.evaluate(*rows)
        model.evaluate(*others)
    with pytest.warns(UserWarning, match=sentence):
        promised.guarantee("recall >= 0.6", *rows)
    grouped.by_group(0, *rows, within=0.1)  # says nothing of other rows
    clf.evaluate(*rows)
    promised.retarget("f1").evaluate(*rows)
    promised.guarantee("recall >= 0.5", *others).evaluate(*rows)


def test_equal_rows_have_equal_fingerprints_whatever_holds_them():
    """Array, sparse matrix, frames of two libraries and lists; one changed row is seen."""
    X = np.arange(60.0).reshape(20, 3)
    names = ["a", "b", "c"]
    held = [
        X.copy(), np.asfortranarray(X), sparse.csr_array(X), pd.DataFrame(X, range(5, 25), names),
        pl.DataFrame(X, names), X.tolist(),
    ]  # fmt: skip
    assert {fingerprint(one) for one in held} == {fingerprint(X)}
    X[7, 1] += 1
    assert fingerprint(X) != fingerprint(held[0])
    assert fingerprint(["a text", "another"]) != fingerprint(["a text", "other"])


def test_wide_rows_are_told_apart_by_what_is_not_zero():
    X = sparse.random(50, 5000, 0.01, format="csr", random_state=0)
    assert fingerprint(X) == fingerprint(X.toarray()) == fingerprint(X.tocsc())
    changed = X.copy()
    changed.data[0] += 1
    assert fingerprint(changed) != fingerprint(X)


@pytest.mark.parametrize("dtype", [float, np.float32, int, bool])
def test_the_hash_of_numbers_is_that_of_earlier_versions(dtype):
    """Files that they saved still know the rows of their fit; so much for doing it faster."""
    X = np.random.RandomState(0).randint(-3, 4, (250, 7)).astype(dtype)
    rows = np.unique(np.linspace(0, 249, 100).astype(int))
    assert fingerprint(X) == f"250 {joblib.hash(X[rows].tolist())}"
