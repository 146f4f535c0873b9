"""A classifier of many labels: sparse from end to end, and what it offers."""

from __future__ import annotations

import numpy as np
import pytest
from extreme.rows import make_rows
from joblib import parallel_config
from scipy import sparse
from sklearn.metrics import f1_score

from pseudolinear import FBeta, MeasureClassifier, load
from pseudolinear.extreme import ManyDecision, _routing

TRAIN, TEST = slice(0, 400), slice(400, 600)
MANY = 120  # labels are many from here on, so that the tests are quick


@pytest.fixture(scope="module", autouse=True)
def many_labels():
    usual, _routing.MANY_LABELS = _routing.MANY_LABELS, MANY
    yield
    _routing.MANY_LABELS = usual


@pytest.fixture(scope="module")
def data():
    return make_rows(600, MANY)


@pytest.fixture(scope="module")
def fitted(data):
    X, Y = data
    return MeasureClassifier(measure="f1_macro", random_state=0).fit(X[TRAIN], Y[TRAIN])


@pytest.fixture
def never_dense(monkeypatch):
    """Make it an error to write a matrix of all labels densely."""
    for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array):
        toarray = kind.toarray

        def checked(self, *args, toarray=toarray, **kwargs):
            assert self.shape[1] != MANY or self.shape[0] == 1, "rows x labels made dense"
            return toarray(self, *args, **kwargs)

        monkeypatch.setattr(kind, "toarray", checked)


@pytest.mark.parametrize("measure", ["f1_macro", pytest.param("f1_micro", marks=pytest.mark.slow)])
def test_labels_are_sparse_from_end_to_end(data, never_dense, measure):
    X, Y = data
    clf = MeasureClassifier(measure=measure, random_state=0).fit(X[TRAIN], Y[TRAIN])
    assert isinstance(clf.decision_, ManyDecision)
    predicted = clf.predict(X[TEST])
    assert isinstance(predicted, sparse.csr_matrix)
    expected = f1_score(Y[TEST], predicted, average=measure[3:])
    assert clf.score(X[TEST], Y[TEST]) == pytest.approx(expected)
    found = clf.evaluate(X[TEST], Y[TEST])
    assert found.value == pytest.approx(expected)
    assert found.interval[0] < expected < found.interval[1]
    assert expected > 0.85  # nine tenths of the labels are told by a feature


@pytest.mark.slow
def test_it_reaches_what_the_way_of_a_few_labels_does(data, fitted, monkeypatch):
    X, Y = data
    monkeypatch.setattr(_routing, "MANY_LABELS", 1000)
    few = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X[TRAIN], Y[TRAIN])
    assert not isinstance(few.decision_, ManyDecision)
    scores = [clf.score(X[TEST], Y[TEST]) for clf in (few, fitted)]
    assert scores[1] == pytest.approx(scores[0], abs=0.02)


def test_the_summary_says_how_much_was_tried(fitted):
    assert f"all settings at 40 of {MANY} labels" in str(fitted)


def test_predictions_decisions_and_probabilities_agree(data, fitted):
    X, _ = data
    predicted = fitted.predict(X[TEST]).toarray()
    assert np.array_equal(fitted.decision_function(X[TEST]) > 0, predicted)
    assert np.array_equal(fitted.predict_proba(X[TEST]) > 0.5, predicted)


@pytest.mark.parametrize("change", [{"max_memory": "1MB"}, {"n_jobs": 2}])
def test_neither_memory_nor_jobs_change_the_result(data, fitted, change):
    X, Y = data
    other = MeasureClassifier(measure="f1_macro", random_state=0, **change)
    with parallel_config("threading"):
        other.fit(X[TRAIN], Y[TRAIN])
    assert other.best_score_ == fitted.best_score_
    assert (other.predict(X[TEST]) != fitted.predict(X[TEST])).nnz == 0


def test_what_is_left_out_of_the_weights_costs_less_than_a_tenth_of_a_point(fitted):
    truncation = fitted.many_labels_.truncation
    assert truncation.loss <= 0.001
    assert 0 < truncation.kept <= 1
    assert fitted.models_[0].coef.dtype == np.float32


def test_it_is_saved_and_loaded_with_and_without_evidence(data, fitted, tmp_path):
    X, _ = data
    for evidence in (False, True):
        fitted.save(tmp_path / "model.plm", evidence=evidence)
        loaded = load(tmp_path / "model.plm")
        assert (loaded.predict(X[TEST]) != fitted.predict(X[TEST])).nnz == 0
        assert str(loaded) == str(fitted)
    assert loaded.retarget("f1_micro").best_score_ == fitted.retarget("f1_micro").best_score_
    with pytest.raises(AttributeError, match="was slimmed, so it cannot be retargeted"):
        fitted.slim().retarget("f1_micro")


def test_another_measure_gets_thresholds_from_the_same_curves(data, fitted):
    X, _ = data
    recall = fitted.retarget(FBeta(2.0, average="macro"))
    assert recall.predict(X[TEST]).nnz > fitted.predict(X[TEST]).nnz
    assert fitted.retarget("f1_macro").best_score_ == pytest.approx(fitted.best_score_)
    for refused in ({"X": X}, {"prevalence": 0.1}):
        with pytest.raises(ValueError, match="by its thresholds alone"):
            fitted.retarget("f1_micro", **refused)
    with pytest.raises(ValueError, match="micro, macro or weighted average"):
        fitted.retarget("f1")


def test_thresholds_for_another_measure_are_better_by_it():
    """On rows that nobody has seen, and on average: of one fit that hangs on some rows."""
    f2, gains = FBeta(2.0, average="macro"), []
    for seed in range(4):
        X, Y = make_rows(500, MANY, seed)
        X_new, Y_new = make_rows(5000, MANY, 100 + seed)
        clf = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y)
        usual = f2.score(Y_new.toarray(), clf.predict(X_new).toarray())
        gains.append(clf.retarget(f2).score(X_new, Y_new) - usual)
    assert np.mean(gains) > 0.0


NOT_THERE = ["sweep_", "frontier_", "honest_score_", "honest_interval_", "coef_", "intercept_"]


@pytest.mark.parametrize("name", [*NOT_THERE, "feature_importances_"])
def test_what_there_is_not_is_said_in_one_sentence(fitted, name):
    with pytest.raises(AttributeError, match="A fit of many labels"):
        getattr(fitted, name)


def test_pages_and_exports_are_refused_in_one_sentence(data, fitted, tmp_path):
    for call in (
        fitted.to_sklearn,
        fitted.to_onnx,
        lambda: fitted.report(tmp_path / "r.html"),
        lambda: fitted.guarantee("recall >= 0.5", *data),
    ):
        with pytest.raises(ValueError, match="A fit of many labels has no"):
            call()
    with pytest.raises(AttributeError, match="A fit of many labels"):
        fitted.adapt(data[0])


def test_labels_go_back_in_the_form_in_which_they_came(data, fitted):
    X, Y = data
    sets = [set(Y[i].indices.tolist()) for i in range(400)]
    by_sets = MeasureClassifier(measure="f1_macro", random_state=0).fit(X[TRAIN], sets)
    predicted = fitted.predict(X[TEST])
    assert by_sets.predict(X[TEST]) == [set(predicted[i].indices.tolist()) for i in range(200)]
    dense = MeasureClassifier(measure="f1_macro", random_state=0)
    dense.fit(X[TRAIN], Y[TRAIN].toarray())
    assert isinstance(dense.predict(X[TEST]), np.ndarray)
    assert np.array_equal(dense.predict(X[TEST]), predicted.toarray())
    assert dense.score(X[TEST], Y[TEST].toarray()) == fitted.score(X[TEST], Y[TEST])


def test_a_row_of_weight_0_is_as_good_as_not_there(data):
    X, Y = data
    X, Y = X[TRAIN], Y[TRAIN]
    weight = np.repeat([1.0, 0.0], [300, 100])
    nonsense = sparse.vstack([Y[:300], Y[:100]], format="csr")
    splits = [(np.arange(200), np.arange(200, 300)), (np.arange(100, 300), np.arange(100))]
    fits = [
        MeasureClassifier(measure="f1_macro", random_state=0, cv=splits).fit(X, y, weight)
        for y in (Y, nonsense)
    ]
    assert fits[0].best_score_ == fits[1].best_score_
    assert (fits[0].predict(X) != fits[1].predict(X)).nnz == 0


@pytest.mark.slow
def test_dense_rows_do_as_well(data):
    X, Y = data
    clf = MeasureClassifier(measure="f1_macro", random_state=0)
    clf.fit(X[TRAIN].toarray(), Y[TRAIN])
    assert clf.score(X[TEST].toarray(), Y[TEST]) > 0.8


def test_what_asks_for_more_goes_the_way_of_a_few_labels(data):
    _, Y = data
    for params in ({"search": "grid"}, {"selection": "joint"}, {"param_grid": {"C": [1.0]}}):
        clf = MeasureClassifier("linear", measure="f1_macro", **params)
        assert not _routing.takes_many(clf, Y)
    assert not _routing.takes_many(MeasureClassifier(measure="f1_macro"), Y[:, 1:])
    assert not _routing.takes_many(MeasureClassifier(), Y)


def test_what_is_no_memory_is_refused(data):
    X, Y = data
    with pytest.raises(ValueError, match="max_memory must be"):
        MeasureClassifier(measure="f1_macro", max_memory="lots").fit(X[TRAIN], Y[TRAIN])


def test_entries_that_are_not_0_and_1_are_refused(data):
    X, Y = data
    with pytest.raises(ValueError, match="y must hold only 0 and 1"):
        MeasureClassifier(measure="f1_macro").fit(X[TRAIN], 3 * Y[TRAIN])
