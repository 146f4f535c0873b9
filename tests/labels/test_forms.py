"""Every form of y gives the classifier of its 0/1 matrix, and predictions in its own form."""

import pickle
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer

from pseudolinear import MeasureClassifier, get_measure
from pseudolinear.inspection import LevelDisplay

X, Y = make_multilabel_classification(120, n_features=8, n_classes=3, random_state=2)
NAMES = ["art", "news", "sport"]
LISTS = [[name for name, has in zip(NAMES, row, strict=True) if has] for row in Y]


def fit(y, measure="f1_macro", **parameters):
    return MeasureClassifier("linear", measure=measure, random_state=0, **parameters).fit(X, y)


COLUMNS = dict(zip(NAMES, Y.T, strict=True))
LIBRARIES = [import_module(name) for name in ("pandas", "polars") if find_spec(name)]
FORMS = {
    "lists": LISTS,
    "sets": list(map(set, LISTS)),
    "tuples": list(map(tuple, LISTS)),
    "array of lists": np.fromiter(LISTS, dtype=object),
    "csr": sparse.csr_matrix(Y),
    "csc array of booleans": sparse.csc_array(Y.astype(bool)),
    "list of rows": Y.tolist(),
}
for library in LIBRARIES:
    FORMS[f"{library.__name__} column"] = library.DataFrame({"tags": LISTS})["tags"]
    FORMS[f"{library.__name__} frame"] = library.DataFrame(COLUMNS)


def as_matrix(predicted):
    if sparse.issparse(predicted):
        return predicted.toarray()
    if getattr(predicted, "ndim", 1) == 2 or hasattr(predicted, "columns"):
        return np.asarray(predicted).astype(int)
    return MultiLabelBinarizer(classes=NAMES).fit_transform(list(predicted))


@pytest.fixture(scope="module")
def reference():
    return fit(Y)


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_classifier_of_its_matrix(name, reference):
    """The same predictions and values; y and predictions are scored in their own form."""
    y = FORMS[name]
    clf = fit(y)
    predicted = clf.predict(X)
    assert type(predicted) is type(y) or sparse.issparse(y) or name == "list of rows"
    assert_array_equal(as_matrix(predicted), reference.predict(X))
    assert_array_equal(clf.decision_function(X), reference.decision_function(X))
    assert_array_equal(clf.predict_proba(X), reference.predict_proba(X))
    value = reference.score(X, Y)
    assert clf.score(X, y) == clf.score(X, Y) == value
    assert get_measure("f1_macro").score(y, predicted) == value
    assert clf.score(X, predicted) == 1.0
    again = pickle.loads(pickle.dumps(clf.slim()))
    assert_array_equal(as_matrix(again.predict(X)), as_matrix(predicted))


@pytest.mark.parametrize("name", ["sets", "pandas frame"])
def test_names_are_shown_wherever_labels_are(name):
    """In `classes_`, the tables of the sweep and its frontier, and in pictures."""
    clf = fit(FORMS[name])
    assert clf.classes_.tolist() == NAMES
    assert [row["label"] for row in clf.sweep_.labels()] == NAMES
    assert {row["label"] for row in clf.sweep_.rows()} == set(NAMES)
    assert set(clf.sweep_.to_pandas()["label"]) == set(NAMES)
    assert clf.frontier_.labels == tuple(NAMES)
    assert {row["label"] for row in clf.frontier_.rows()} == set(NAMES)
    assert LevelDisplay.from_sweep(clf.sweep_, goal=1).name.endswith("of label news")


def test_retargeting_keeps_names_and_form():
    """With rows and without."""
    clf = fit(LISTS)
    for other in (clf.retarget("f1_micro"), clf.retarget("f1_micro", X, LISTS)):
        assert other.classes_.tolist() == NAMES
        assert all(isinstance(row, list) for row in other.predict(X))


def test_warnings_name_labels():
    """A label that every row has cannot be learnt."""
    with pytest.warns(UserWarning, match="Label 'always' has the same value in every row"):
        clf = fit([[*row, "always"] for row in LISTS])
    assert all("always" in row for row in clf.predict(X))


def test_labels_that_training_has_not_shown_are_missed():
    """Each of their rows is a false negative: scikit-learn's F over the union of labels."""
    clf = fit(LISTS)
    y = [[*row, "zoo"] if i % 7 == 0 else row for i, row in enumerate(LISTS)]
    binarizer = MultiLabelBinarizer().fit(y)
    true, pred = binarizer.transform(y), binarizer.transform(clf.predict(X))
    said = "Label 'zoo' of y cannot be predicted, .* shown it; each of its rows"
    with pytest.warns(UserWarning, match=said):
        value = clf.score(X, y)
    assert value == pytest.approx(f1_score(true, pred, average="macro", zero_division=0.0))


def test_one_label_is_a_problem_of_its_own():
    """Of a binary measure as well: rows have the label or not."""
    y = [row[:1] if "art" in row else [] for row in LISTS]
    clf = fit(y, "f1")
    predicted = clf.predict(X)
    assert {tuple(row) for row in predicted} == {("art",), ()}
    expected = f1_score([bool(row) for row in y], [bool(row) for row in predicted])
    assert clf.score(X, y) == pytest.approx(expected)
    with pytest.raises(ValueError, match="pos_label='art' is for one of two classes"):
        fit(y, "f1", pos_label="art")


@pytest.mark.parametrize("measure", ["f1", "f1_macro"])
def test_columns_of_classes(measure):
    """A column, or a frame of one column, is the array of its classes."""
    y = np.where(Y[:, 0], "yes", "no")
    expected = fit(y, measure)
    for library in LIBRARIES:
        for column in (library.Series(y.tolist()), library.DataFrame({"answer": y})):
            clf = fit(column, measure)
            assert_array_equal(clf.predict(X), expected.predict(X))
            assert clf.score(X, column) == expected.score(X, y)


def test_sparse_labels_come_back_as_those_of_scikit_learn():
    """OneVsRestClassifier gives CSR for sparse labels, too."""
    y = sparse.csc_matrix(Y)
    peer = OneVsRestClassifier(LogisticRegression()).fit(X, y).predict(X)
    ours = fit(y).predict(X)
    assert (type(ours), ours.format, ours.shape) == (type(peer), peer.format, peer.shape)


@pytest.mark.parametrize("name", ["sets", "pandas column", "pandas frame"])
def test_cross_validation_takes_and_gives_labels(name):
    """scikit-learn splits and joins what was given and predicted."""
    y = FORMS[name]
    clf = MeasureClassifier("linear", measure="f1_micro", random_state=0)
    expected = cross_val_score(clf, X, Y, cv=KFold(2))
    assert_array_equal(cross_val_score(clf, X, y, cv=KFold(2), error_score="raise"), expected)
    predicted = cross_val_predict(clf, X, y, cv=KFold(2))
    assert_array_equal(as_matrix(predicted), cross_val_predict(clf, X, Y, cv=KFold(2)))


@pytest.mark.parametrize("values", [[0, 2], [-1, 1], [1, 2]])
@pytest.mark.parametrize("make", [np.array, sparse.csr_matrix])
def test_a_matrix_of_other_values_is_refused(values, make):
    """Two values were taken for 0 and 1, and counted as numbers."""
    with pytest.raises(ValueError, match="y must hold only 0 and 1"):
        fit(make(np.array(values)[Y]))


def test_nothing_to_learn():
    """Without any label."""
    with pytest.raises(ValueError, match="No row of y has a label"):
        fit([[]] * len(X))
