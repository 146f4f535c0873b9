"""The tree as an estimator of the classifier: thresholds on top of its shortlists."""

import numpy as np
import pytest
from extreme.zipf import zipf_rows
from scipy import sparse
from sklearn.metrics import f1_score

from pseudolinear import MeasureClassifier, best_labels, load
from pseudolinear.extreme import best_listed_labels, listed_probabilities

ROWS = 900


@pytest.fixture(scope="module")
def data():
    X, Y = zipf_rows(1500, 400, 200, seed=1)
    return X[:ROWS], Y[:ROWS], X[ROWS:], Y[ROWS:]


@pytest.fixture(scope="module")
def clf(data):
    X, Y = data[:2]
    return MeasureClassifier("tree", measure="f1_macro", random_state=0).fit(X, Y)


pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*labels have the same value"),
    pytest.mark.filterwarnings("ignore:In .* folds and labels no training row"),
]


def macro(Y, predicted):
    return f1_score(Y.toarray(), predicted.toarray(), average="macro", zero_division=0)


def test_thresholds_beat_one_half_and_the_likeliest_labels(data, clf):
    """In the macro average, which is the point of a threshold for every label."""
    X, Y = data[2:]
    found = clf.decision_.models[0].shortlist(X)
    half = found.scores.copy()
    half.data = (half.data >= np.log(0.5)).astype(float)
    own = macro(Y, clf.predict(X))
    assert own > macro(Y, half) + 0.05
    assert own > max(macro(Y, found.top(k).astype(bool)) for k in (1, 2, 3, 5))


def test_predictions_are_scores_above_thresholds(data, clf):
    """On the rows' shortlists; margins agree with predictions."""
    X = data[2]
    predicted = clf.predict(X)
    assert sparse.issparse(predicted)
    np.testing.assert_array_equal(predicted.toarray() > 0, clf.decision_function(X) >= 0)


def test_score_is_that_of_scikit_learn(data, clf):
    """Without labels that the measure counts as 1 for having no row."""
    X, Y = data[2:]
    some = np.flatnonzero((Y + clf.predict(X)).sum(axis=0))
    assert clf.score(X, Y) >= macro(Y[:, some], clf.predict(X)[:, some]) * len(some) / 200 - 1e-9


def test_retarget_to_the_micro_average_raises_it(data, clf):
    """From the same curves, without training."""
    X, Y = data[2:]
    other = clf.retarget("f1_micro")
    micro = [f1_score(Y.toarray(), c.predict(X).toarray(), average="micro") for c in (clf, other)]
    assert micro[1] > micro[0]


def test_labels_within_a_budget_are_those_of_dense_probabilities(data, clf):
    """The labels that are not on the list count as impossible."""
    X = data[2]
    listed = listed_probabilities(clf.decision_, X)
    everything = clf.decision_.predict_proba(X, agreeing=False)
    np.testing.assert_allclose(listed.toarray(), everything, atol=1e-12)
    found = best_listed_labels(listed, 3, "f1_macro").toarray() > 0
    np.testing.assert_array_equal(found, best_labels(everything, 3, "f1_macro").labels)


def test_same_seed_same_predictions(data):
    """To the last label."""
    X, Y, other, _ = data
    two = (MeasureClassifier("tree", measure="f1_macro", random_state=5) for _ in range(2))
    first, second = (one.fit(X[:300], Y[:300, :40]).predict(other) for one in two)
    assert (first != second).nnz == 0


def test_saved_and_loaded(data, clf, tmp_path):
    """A file executes nothing on loading, and predicts the same."""
    clf.save(tmp_path / "tree.pl")
    assert (load(tmp_path / "tree.pl").predict(data[2]) != clf.predict(data[2])).nnz == 0


def test_label_of_all_rows_is_always_predicted(data):
    """And one of no row never."""
    X, Y = data[0][:300], data[1][:300, :40]
    edge = sparse.csr_array(np.tile([1.0, 0.0], (300, 1)))
    clf = MeasureClassifier("tree", measure="f1_macro", random_state=0)
    found = clf.fit(X, sparse.hstack([Y, edge], format="csr")).predict(data[2]).toarray()
    np.testing.assert_array_equal(found[:, -2:].mean(axis=0), [1.0, 0.0])


def test_summary_says_what_was_tried(clf):
    """In words."""
    assert "edge of a tree" in str(clf.summary())


@pytest.mark.parametrize(
    ("params", "fit"),
    [
        ({"measure": "f1"}, {}),
        ({"measure": "f1_macro", "param_grid": {"C": [1.0]}}, {}),
        ({"measure": "f1_macro"}, {"sample_weight": np.ones(ROWS)}),
    ],
)
def test_what_the_tree_cannot_do_is_refused(data, params, fit):
    """In one sentence that names it."""
    with pytest.raises(ValueError, match="'tree'"):
        MeasureClassifier("tree", **params).fit(*data[:2], **fit)
