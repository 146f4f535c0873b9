"""Rows in parts: whatever they are read from, and however they are parted, the fit is the same."""

from pathlib import Path

import numpy as np
import pytest
from part_rows import assert_same, linear, table, texts
from sklearn.datasets import dump_svmlight_file

from pseudolinear import MeasureClassifier
from pseudolinear.scale import ArrayParts, BatchParts, SvmlightParts, is_parted, open_parts
from pseudolinear.scale import _opening as opening

X, y = table()


@pytest.fixture(scope="module")
def whole():
    """The rows in one part."""
    return linear().fit(ArrayParts(X, y))


@pytest.mark.parametrize("rows", [100, 3999])
def test_parting_makes_no_difference(rows, whole):
    """Draws belong to row numbers, and sums do not depend on their order but for rounding."""
    assert_same(linear().fit(ArrayParts(X, y, rows=rows)), whole, X)


def test_threads_make_no_difference(whole):
    """Results are added in the order of the parts, whatever the number of threads."""
    assert_same(linear(n_jobs=2).fit(ArrayParts(X, y, rows=300)), whole, X)


def test_parts_are_as_good_as_memory(whole):
    """Other folds are drawn, but the measure is the same within a standard error or so."""
    memory = linear().fit(X, y)
    assert whole.best_score_ == pytest.approx(memory.best_score_, abs=0.02)
    X_new, y_new = table(8000)
    fresh = slice(4000, None)
    assert whole.score(X_new[fresh], y_new[fresh]) == pytest.approx(
        memory.score(X_new[fresh], y_new[fresh]), abs=0.02
    )


def test_iterators_are_written_down_once(whole):
    """What can be used only once is kept, since passes need it again."""
    batches = ((X[i : i + 900], y[i : i + 900]) for i in range(0, len(X), 900))
    assert_same(linear().fit(batches), whole, X)


def test_batches_can_be_made_again(whole):
    """A function that makes batches is called in every pass."""
    assert_same(linear().fit(BatchParts(lambda: [(X[:10], y[:10]), (X[10:], y[10:])])), whole, X)


def test_weights_count_as_repeated_rows():
    """A row of weight 2 trains and validates as two rows; folds belong to rows, so one is used."""
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    weighted = linear(cv="holdout").fit(ArrayParts(X, y, weight, rows=1000))
    some = np.flatnonzero(weight)
    assert weighted.score(X, y, weight) == pytest.approx(
        weighted.score(X[some], y[some], weight[some])
    )
    one = linear(cv="holdout").fit(ArrayParts(X, y, np.full(len(y), 3.0)))
    plain = linear(cv="holdout", param_grid={"C": [3 * 2.0**k for k in (-4, -1, 2, 5)]})
    assert one.best_score_ == pytest.approx(plain.fit(ArrayParts(X, y)).best_score_, rel=1e-9)


def test_svmlight_files(tmp_path):
    """Files hold classes; the widest row says how many features there are."""
    S, t = texts()
    files = [tmp_path / "a.svm", tmp_path / "b.svm"]
    dump_svmlight_file(S[:1000], t[:1000], str(files[0]))
    dump_svmlight_file(S[1000:], t[1000:], str(files[1]))
    assert len(list(SvmlightParts(files))) == 2
    assert_same(linear().fit(files), linear().fit(ArrayParts(S, t)), S)


def test_memory_mapped_arrays(tmp_path, monkeypatch, whole):
    """Small ones are read as any array, large ones in parts."""
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert not is_parted(mapped)
    monkeypatch.setattr(opening, "_memory", lambda: 1.0)
    assert is_parted(mapped)
    assert_same(linear().fit(mapped, y), whole, X)
    np.testing.assert_array_equal(whole.predict(mapped), whole.predict(X))


def test_sparse_rows_are_as_good_as_in_memory():
    """More columns than are factorised: diagonals and the memory of steps do."""
    S, t = texts()
    parts, memory = linear().fit(ArrayParts(S, t, rows=700)), linear().fit(S, t)
    assert parts.best_score_ == pytest.approx(memory.best_score_, abs=0.03)
    assert parts.sweep_.choices[0].candidates[0].converged


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro", "jaccard_weighted"])
def test_several_labels(measure):
    """Labels are told apart as in memory."""
    Y = np.stack([y, X[:, 1] > 1, X[:, 2] + X[:, 3] > 0.5], axis=1).astype(int)
    parts = linear(measure=measure).fit(ArrayParts(X, Y, rows=999))
    memory = linear(measure=measure).fit(X, Y)
    assert parts.score(X, Y) == pytest.approx(memory.score(X, Y), abs=0.01)
    assert parts.score(ArrayParts(X, Y, rows=100)) == pytest.approx(parts.score(X, Y))


def test_boosting_in_parts():
    """LightGBM reads the same rows, so trees are the same; only folds differ."""
    pytest.importorskip("lightgbm")
    one = MeasureClassifier("boosting", random_state=0).fit(ArrayParts(X, y, rows=1000))
    other = MeasureClassifier("boosting", random_state=0).fit(ArrayParts(X, y))
    assert_same(one, other, X)
    memory = MeasureClassifier("boosting", random_state=0).fit(X, y)
    assert one.best_score_ == pytest.approx(memory.best_score_, abs=0.03)


def test_the_default_takes_the_better_member():
    """Of linear models and trees, on rows that are not linear."""
    pytest.importorskip("lightgbm")
    t = (X[:, 0] * X[:, 1] > 1).astype(int)
    clf = MeasureClassifier(random_state=0).fit(ArrayParts(X, t))
    assert clf.learner_.name == "BoostingLearner"
    assert clf.best_score_ > linear().fit(ArrayParts(X, t)).best_score_


def test_what_was_fitted_can_be_used(whole):
    """It is an ordinary classifier: it is retargeted, certified, saved and printed."""
    assert "held-out rows" in str(whole)
    assert whole.retarget("f2").predict(X).sum() > whole.predict(X).sum()
    assert 0 < whole.honest_score_ <= whole.best_score_
    assert whole.resolution_ == 0


def test_paths_may_be_names():
    """A path is rows in parts, a list of strings is texts."""
    assert is_parted("rows.parquet")
    assert is_parted(Path("rows.parquet"))
    assert not is_parted(["a text", "another"])


@pytest.mark.parametrize(
    ("params", "match"),
    [
        ({"estimator": "kernel"}, "Rows in parts are for 'auto', 'linear'"),
        ({"cv": 1}, "a number of folds"),
        ({"refit": False, "cv": "holdout"}, "refit=True"),
        ({"param_grid": {"tol": [0.1]}}, "values of C only"),
        ({"tune_threshold": False}, "tune_threshold"),
    ],
)
def test_what_needs_memory_says_so(params, match):
    """One sentence each."""
    with pytest.raises(ValueError, match=match):
        MeasureClassifier(**({"estimator": "linear"} | params)).fit(ArrayParts(X, y))


def test_bad_rows_are_named():
    """The sentence names the part."""
    with pytest.raises(ValueError, match="Batch 1 has X of shape"):
        linear().fit(iter([(X, y), (X, y[:5])]))
    with pytest.raises(ValueError, match="batch 1 has other columns than batch 0"):
        linear().fit(iter([(X, y), (X[:, :5], y)]))
    with pytest.raises(ValueError, match="only one class"):
        linear().fit(ArrayParts(X, np.zeros(len(X))))
    with pytest.raises(ValueError, match="two classes or several labels"):
        linear(measure="f1_macro").fit(ArrayParts(X, np.arange(len(X)) % 3))
    average = r"FBeta\(average='macro'\) is an average over both classes .* FBeta\(\)\."
    with pytest.raises(ValueError, match=average):
        linear(measure="f1_macro").fit(ArrayParts(X, y))
    with pytest.raises(ValueError, match="different values; give classes"):
        linear().fit(ArrayParts(X, X[:, 0], rows=1000))
    with pytest.raises(ValueError, match="leave out y"):
        open_parts(iter([]), y)


def test_parts_without_positives_and_empty_parts():
    """Classes are those of all parts together."""
    order = np.argsort(y, kind="stable")
    parts = [(X[order], y[order]), (X[:0], y[:0])]
    clf = linear().fit(iter(parts))
    assert_same(clf, linear().fit(ArrayParts(X[order], y[order], rows=100)), X)
