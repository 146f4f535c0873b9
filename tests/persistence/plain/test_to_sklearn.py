"""Plain scikit-learn pipelines predict every row alike, without this package."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from persistence.tables import make_table
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from pseudolinear import KernelLearner, LinearLearner, MeasureClassifier
from pseudolinear.learners import BoostingLearner, JointLearner

QUICK = {"cost_sensitive": False, "cv": "holdout", "random_state": 0}
WITHOUT = """
import pickle, sys
sys.modules["pseudolinear"] = None
with open(sys.argv[1], "rb") as file:
    plain, X = pickle.load(file)
with open(sys.argv[2], "wb") as file:
    pickle.dump(plain.predict(X), file)
"""


@pytest.fixture(scope="module")
def rows():
    return make_classification(
        900, 8, n_informative=5, n_classes=3, n_clusters_per_class=1, flip_y=0.1, random_state=0
    )


def assert_equal(clf, X):
    """Predictions are equal on every row; return the pipeline."""
    plain = clf.to_sklearn()
    wanted = clf.decision_.predict(clf._rows(X))
    found = plain.predict(X)
    assert found.shape == wanted.shape
    assert (found == wanted).all()
    return plain


ESTIMATORS = {
    "linear": "linear",
    "lifted": "lifted",
    "splines": "splines",
    "steps": "steps",
    "hinge": LinearLearner("hinge"),
    "squared_hinge": LinearLearner("squared_hinge"),
    "logistic": LogisticRegression(),
    "svc": LinearSVC(),
    "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(20),
    "hist": HistGradientBoostingClassifier(max_iter=10),
    "bayes": GaussianNB(),
    "joint": JointLearner(ExtraTreesClassifier(20)),
}


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("positive", [pytest.param("a", marks=pytest.mark.slow), "b"])
def test_two_classes(name, positive, rows):
    X, y = rows
    y = np.where(y == 0, "a", "b")
    clf = MeasureClassifier(ESTIMATORS[name], pos_label=positive, **QUICK)
    plain = assert_equal(clf.fit(X[:500], y[:500]), X)
    assert isinstance(plain[-1], FixedThresholdClassifier)


@pytest.mark.parametrize("name", ["linear", "lifted", "hinge", "logistic", "svc", "pipeline"])
def test_several_classes_are_told_apart_by_linear_models(name, rows):
    """Their thresholds are part of the intercepts."""
    X, y = rows
    y = np.array(["ham", "spam", "news"])[y]
    clf = MeasureClassifier(ESTIMATORS[name], measure="f1_macro", random_state=0)
    assert_equal(clf.fit(X[:500], y[:500]), X)


@pytest.mark.parametrize("name", ["linear", "hinge", "logistic", "forest"])
def test_two_classes_told_apart_as_classes(name, rows):
    X, y = rows
    clf = MeasureClassifier(ESTIMATORS[name], measure="f1_macro", **QUICK)
    assert_equal(clf.fit(X[:500], y[:500] == 1), X)


@pytest.mark.filterwarnings("ignore:Label")
@pytest.mark.parametrize("name", ["linear", "hinge", "logistic", "forest"])
def test_several_labels(name):
    """Labels of one value included."""
    X, Y = make_multilabel_classification(700, 12, n_classes=3, random_state=0)
    Y = np.hstack([Y, np.ones((len(Y), 1), int), np.zeros((len(Y), 1), int)])
    clf = MeasureClassifier(ESTIMATORS[name], measure="f1_macro", **QUICK)
    assert_equal(clf.fit(X[:400], Y[:400]), X)


@pytest.mark.filterwarnings("ignore:Found unknown categories")
@pytest.mark.parametrize(
    "estimator",
    ["linear", "lifted", "splines", "steps", LogisticRegression(), ESTIMATORS["hist"]],
    ids=str,
)
def test_tables(estimator):
    """Missing numbers, missing and unknown categories, booleans, numbers as categories."""
    table, y = make_table()
    clf = MeasureClassifier(estimator, **QUICK).fit(table[:500], y[:500])
    assert_equal(clf, table)


@pytest.mark.filterwarnings("ignore:Found unknown categories")
def test_texts():
    """A list of them, and a column of them beside others."""
    table, y = make_table()
    table["note"] = [f"{word} is what number {i} does" for i, word in enumerate(y)]
    table.loc[3::11, "note"] = None
    assert_equal(MeasureClassifier("linear", random_state=0).fit(table[:500], y[:500]), table)
    texts = table["note"].fillna("").tolist()
    assert_equal(MeasureClassifier("linear", random_state=0).fit(texts[:500], y[:500]), texts)


def test_frozen_classifier(rows):
    X, y = rows
    fitted = GaussianNB().fit(X[:300], y[:300] == 0)
    assert_equal(MeasureClassifier(FrozenEstimator(fitted)).fit(X[300:600], y[300:600] == 0), X)
    as_classes = MeasureClassifier(FrozenEstimator(fitted), measure="f1_macro")
    assert_equal(as_classes.fit(X[300:600], y[300:600] == 0), X)
    several = FrozenEstimator(GaussianNB().fit(X[:300], y[:300]))
    uncut = MeasureClassifier(several, measure="f1_macro", tune_threshold=False)
    assert_equal(uncut.fit(X[300:600], y[300:600]), X)


@pytest.mark.slow
@pytest.mark.parametrize("name", ESTIMATORS)
def test_frames_of_numbers(name, rows):
    """Names of columns are neither missed nor in the way, so that nothing is warned of."""
    X = pd.DataFrame(rows[0]).add_prefix("column ")
    assert_equal(MeasureClassifier(ESTIMATORS[name], **QUICK).fit(X[:500], rows[1][:500] == 0), X)


def test_export_itself_warns_of_nothing():
    table, y = make_table()
    clf = MeasureClassifier("linear", random_state=0).fit(table[:500], y[:500])
    assert_equal(clf, table[:500])


@pytest.mark.filterwarnings("ignore:Found unknown categories")
def test_needs_nothing_of_this_package(tmp_path):
    """It is read and predicts where the package cannot be imported."""
    table, y = make_table()
    clf = MeasureClassifier("linear", random_state=0).fit(table[:500], y[:500])
    model, predicted = tmp_path / "model.pkl", tmp_path / "predicted.pkl"
    model.write_bytes(pickle.dumps((clf.to_sklearn(), table)))
    code = [sys.executable, "-W", "ignore", "-c", WITHOUT, str(model), str(predicted)]
    subprocess.run(code, check=True)
    assert (pickle.loads(predicted.read_bytes()) == clf.predict(table)).all()


def test_what_cannot_be_said_says_why(rows):
    X, y = rows
    X, y = X[:500], y[:500]

    def refused(estimator, y, why, **params):
        clf = MeasureClassifier(estimator, **QUICK, **params).fit(X, y)
        with pytest.raises(TypeError, match=rf"plain scikit-learn: {why}.* clf.save"):
            clf.to_sklearn()

    refused("auto", y == 0, "it has no mean of standardised scores")
    refused(BoostingLearner(5), y == 0, "its models are none of scikit-learn's")
    refused(KernelLearner(), y == 0, "its models are none of scikit-learn's")
    forest = ExtraTreesClassifier(10)
    refused(forest, y, "it has no threshold for each of several classes", measure="f1_macro")
    Y = np.column_stack([y == 0, y == 1]).astype(int)
    refused(JointLearner(forest), Y, "it has one threshold for them", measure="f1_macro")
    frozen = FrozenEstimator(LogisticRegression().fit(X, y))
    refused(frozen, y, "it has no threshold for each of several classes", measure="f1_macro")
