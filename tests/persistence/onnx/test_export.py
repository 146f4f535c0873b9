"""Every decision that ONNX can say predicts in onnxruntime as it does here."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_selection import SelectKBest
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from pseudolinear import KernelLearner, MeasureClassifier
from pseudolinear.learners import BoostingLearner, JointLearner

pytest.importorskip("onnx", reason="needs onnx")
pytest.importorskip("onnxruntime", reason="needs onnxruntime")
from persistence.onnx.equality import assert_equal, run

QUICK = {"cost_sensitive": False, "cv": "holdout", "random_state": 0}


@pytest.fixture(scope="module")
def rows():
    """Rows of 8 numbers with gaps, in two or three classes; the last ones are far away."""
    X, y = make_classification(
        900, 8, n_informative=5, n_classes=3, n_clusters_per_class=1, flip_y=0.1, random_state=0
    )
    X[:, 3] = X[:, 3].round()  # knots that coincide
    X[:, 4] = X[:, 4] > 0
    X[-100:] *= 5
    return X, y


@pytest.fixture(scope="module")
def labels():
    return make_multilabel_classification(700, 12, n_classes=4, random_state=0)


def gappy(X):
    """The same rows, some numbers missing."""
    return np.where(np.random.RandomState(1).rand(*X.shape) < 0.1, np.nan, X)


@pytest.mark.parametrize(
    "name", ["linear", "lifted", "splines", "steps", "boosting", "svm", "kernel"]
)
@pytest.mark.parametrize("gaps", [False, True])
def test_members_of_a_matrix(name, gaps, rows):
    """Every learner of the default, alone, on rows that it has not seen."""
    X, y = rows
    X = gappy(X) if gaps else X
    assert_equal(MeasureClassifier(name, **QUICK).fit(X[:500], y[:500] == 0), X)


@pytest.mark.parametrize("effort", ["balanced", pytest.param("best", marks=pytest.mark.slow)])
def test_default_on_a_matrix(effort, rows):
    X, y = rows
    clf = MeasureClassifier(effort=effort, random_state=0).fit(X[:500], y[:500] == 0)
    assert_equal(clf, X)


@pytest.mark.parametrize(
    "name", ["linear", "boosting", pytest.param("auto", marks=pytest.mark.slow)]
)
def test_several_classes(name, rows):
    """Names of classes come out as strings, and the class of the largest margin wins."""
    X, y = rows
    names = np.array(["ham", "spam", "é"])[y]
    clf = MeasureClassifier(name, measure="f1_macro", cv="holdout", random_state=0)
    model = assert_equal(clf.fit(X[:500], names[:500]), X)
    assert set(run(model, {"X": X})["label"]) == {"ham", "spam", "é"}


def test_macro_average_of_two_classes(rows):
    """A problem of two classes that is told apart as classes has one decision."""
    X, y = rows
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0)
    assert_equal(clf.fit(X[:500], y[:500] == 1), X)


def test_negative_class_as_the_positive_one(rows):
    """The sign of the decision is that of the second class, whatever is positive."""
    X, y = rows
    clf = MeasureClassifier("linear", pos_label="a", random_state=0)
    assert_equal(clf.fit(X[:500], np.where(y[:500] == 0, "b", "a")), X)


@pytest.mark.parametrize(
    "name",
    [
        "linear",
        "forest",
        pytest.param("lifted", marks=pytest.mark.slow),
        pytest.param("auto", marks=pytest.mark.slow),
    ],
)
def test_several_labels(name, labels):
    X, Y = labels
    clf = MeasureClassifier(name, measure="f1_macro", cv="holdout", random_state=0)
    assert_equal(clf.fit(X[:400], Y[:400]), X)


@pytest.mark.filterwarnings("ignore:Label")
@pytest.mark.parametrize("estimator", ["linear", "forest", KernelLearner(), BoostingLearner(9)])
def test_labels_of_one_value(estimator, labels):
    """Labels without a model are predicted by their value."""
    X, Y = labels
    Y = np.hstack([np.ones((len(Y), 1), int), Y[:, :2], np.zeros((len(Y), 1), int)])
    clf = MeasureClassifier(estimator, measure="f1_macro", cv="holdout", random_state=0)
    assert_equal(clf.fit(X[:400], Y[:400]), X)


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        LinearSVC(),
        RidgeClassifier(),
        DecisionTreeClassifier(max_depth=6),
        RandomForestClassifier(20),
        ExtraTreesClassifier(20, min_samples_leaf=5),
        HistGradientBoostingClassifier(max_iter=20),
        make_pipeline(StandardScaler(), LogisticRegression()),
        make_pipeline(MinMaxScaler(clip=True), SelectKBest(k=5), LinearSVC()),
    ],
    ids=lambda estimator: str(estimator).split("(")[0] + str(len(str(estimator))),
)
@pytest.mark.parametrize("measure", ["f1", "f1_macro"])
def test_estimators_of_scikit_learn(estimator, measure, rows):
    """Two classes and three of them."""
    X, y = rows
    y = y == 2 if measure == "f1" else y
    clf = MeasureClassifier(estimator, measure=measure, **QUICK)
    assert_equal(clf.fit(X[:500], y[:500]), X)


@pytest.mark.parametrize(
    "estimator",
    [
        RandomForestClassifier(10),
        HistGradientBoostingClassifier(max_iter=10),
        HistGradientBoostingClassifier(max_iter=10, categorical_features=[3]),
        make_pipeline(SimpleImputer(add_indicator=True), LogisticRegression()),
    ],
    ids=["forest", "hist", "categories", "imputed"],
)
def test_estimators_with_gaps_and_unknown_values(estimator, rows):
    """NaN goes where training sent it, and categories that it has not seen as well."""
    X, y = rows
    X = gappy(X)
    X[-100:, 3] = np.arange(100) - 50
    assert_equal(MeasureClassifier(estimator, **QUICK).fit(X[:500], y[:500] == 0), X)


def test_joint_forest_of_one_label(labels):
    X, Y = labels
    clf = MeasureClassifier(JointLearner(ExtraTreesClassifier(10)), **QUICK)
    assert_equal(clf.fit(X[:400], Y[:400, 0]), X)


def test_classifiers_fitted_before(rows, labels):
    """Thresholds alone are ours."""
    X, y = rows
    fitted = LogisticRegression().fit(X[:300], y[:300])
    clf = MeasureClassifier(FrozenEstimator(fitted), measure="f1_macro")
    assert_equal(clf.fit(X[300:600], y[300:600]), X)
    X, Y = labels
    fitted = RandomForestClassifier(10, random_state=0).fit(X[:300], Y[:300])
    clf = MeasureClassifier(FrozenEstimator(fitted), measure="f1_micro")
    assert_equal(clf.fit(X[300:600], Y[300:600]), X)


@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear"])
def test_kernels(kernel, rows):
    X, y = rows
    clf = MeasureClassifier(KernelLearner(kernel=kernel), measure="f1_macro", random_state=0)
    assert_equal(clf.fit(X[:300], y[:300]), X)


def test_sparse_training_rows(rows):
    """The graph takes dense rows all the same."""
    X, y = rows
    X = sparse.csr_matrix(np.where(X > 1, X, 0))
    assert_equal(MeasureClassifier("linear", random_state=0).fit(X[:500], y[:500] == 0), X)


def test_single_precision(rows):
    """What was fitted to rows of single precision is exported in double."""
    X, y = rows[0].astype(np.float32), rows[1] == 0
    pipe = make_pipeline(MinMaxScaler(), LogisticRegression())
    clf = MeasureClassifier(pipe, random_state=0).fit(X[:500], y[:500])
    label = run(clf.to_onnx(X), {"X": X.astype(np.float64)})["label"]
    assert (label == clf.predict(X)).all()


def test_boosted_categories():
    """Sets of many categories, unknown and missing ones, are split as LightGBM does."""
    rng = np.random.RandomState(0)
    X = np.column_stack([rng.randint(0, 150, 3000), rng.randn(3000)])
    y = (rng.rand(150) < 0.3)[X[:, 0].astype(int)] ^ (rng.rand(3000) < 0.1)
    new = np.vstack([X, np.column_stack([np.arange(-20.0, 280), rng.randn(300)])])
    new[::7] = np.nan
    clf = MeasureClassifier(BoostingLearner(30, categorical=[0]), **QUICK)
    assert_equal(clf.fit(X, y), new)


@pytest.mark.parametrize("name", ["linear", "auto"])
def test_one_column(name, rows):
    """A scalar beside a product of matrices keeps its digits; onnxruntime would round it."""
    X, y = rows
    assert_equal(MeasureClassifier(name, **QUICK).fit(X[:500, :1], y[:500] == 0), X[:, :1])


def test_single_rows_equal_many(rows):
    """One row at a time gives the same labels."""
    X, y = rows
    clf = MeasureClassifier(random_state=0).fit(X[:500], y[:500] == 0)
    model = clf.to_onnx()
    singly = np.concatenate([run(model, {"X": X[i : i + 1]})["label"] for i in range(0, 900, 60)])
    assert (singly == clf.predict(X[::60])).all()


def test_rows_are_compared_on_request(rows, monkeypatch):
    """An export that differs is not handed out."""
    X, y = rows
    clf = MeasureClassifier("linear", random_state=0).fit(X[:500], y[:500] == 0)
    clf.to_onnx(X)
    monkeypatch.setattr(type(clf.decision_), "predict", lambda self, X: np.zeros(len(X)) > 1)
    with pytest.raises(RuntimeError, match=r"predicts \d+ of 900 rows otherwise"):
        clf.to_onnx(X)


def test_what_cannot_be_exported_says_why(rows):
    X, y = rows
    y = y[:500] == 0
    knn = MeasureClassifier(KNeighborsClassifier(), cost_sensitive=False, random_state=0)
    with pytest.raises(TypeError, match=r"KNeighborsClassifier cannot .* clf.save"):
        knn.fit(X[:500], y).to_onnx()
    texts = ["red cat", "blue dog", "old red cat", "new blue dog"] * 20
    clf = MeasureClassifier("linear", random_state=0).fit(texts, [0, 1, 0, 1] * 20)
    with pytest.raises(TypeError, match="texts cannot be exported to ONNX: the words"):
        clf.to_onnx()
    gram = MeasureClassifier(KernelLearner(kernel="precomputed"), random_state=0)
    with pytest.raises(TypeError, match="kernel 'precomputed' is computed outside"):
        gram.fit(X[:500] @ X[:500].T, y).to_onnx()


def test_missing_package_is_named(rows, monkeypatch):
    X, y = rows
    clf = MeasureClassifier("linear", random_state=0).fit(X[:500], y[:500] == 0)
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'pseudolinear\[onnx\]'"):
        clf.to_onnx()
