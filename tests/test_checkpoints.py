"""Fits with a checkpoint: resumed to the same result, and never mixed with others."""

import threading

import numpy as np
import pytest
import sklearn
from kept_fits import FOREST, PORTFOLIO, Counted, X, assert_same, make, pieces, y
from numpy.testing import assert_array_equal
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from pseudolinear import Grid, MeasureClassifier
from pseudolinear.sweep import Workers, _checkpoint

SEVERAL, LABELS = make_multilabel_classification(200, 8, n_classes=4, random_state=0)
CLASSES = np.random.RandomState(0).randint(0, 2, len(y)) + y
WEIGHT = np.random.RandomState(1).uniform(0.5, 2.0, len(y))
BOOSTED = ["linear", "boosting"]


def validated(folder):
    """Pieces of the sweep; training on all rows does not depend on folds or measure."""
    return [name for name, data in pieces(folder).items() if b"n_cuts.npy" in data]


@pytest.fixture(autouse=True)
def _count_from_zero():
    Counted.n_fits, Counted.stop_at = 0, None


CASES = {
    "linear": (make(), X, y),
    "classes": (make(measure="f1_macro"), X, CLASSES),
    "labels": (make(measure="f1_macro"), SEVERAL, LABELS),
    "shared level": (make(measure="f1_micro"), SEVERAL, LABELS),
    "portfolio": (make(PORTFOLIO), X, y),
    "portfolio of classes": (make(PORTFOLIO, measure="f1_macro"), X, CLASSES),
    "search of rounds": (make(FOREST, search="bracket"), X, y),
    "without refit": (make(cv="holdout", refit=False), X, y),
}


FURTHER = ("shared level", "portfolio of classes", "search of rounds")


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.slow if case in FURTHER else ()) for case in CASES],
)
def test_a_second_call_takes_what_the_first_has_kept(case, tmp_path, monkeypatch):
    """Nothing but the models of other people's estimators is trained again."""
    clf, rows, target = CASES[case]
    plain = sklearn.clone(clf).fit(rows, target)
    first = sklearn.clone(clf).fit(rows, target, checkpoint=tmp_path / "kept")
    written = pieces(tmp_path / "kept")
    trained = []
    original = Workers.map

    def watched(self, function, *args, **options):
        trained.append(getattr(function, "__name__", "_validate"))
        return original(self, function, *args, **options)

    monkeypatch.setattr(Workers, "map", watched)
    second = sklearn.clone(clf).fit(rows, target, checkpoint=tmp_path / "kept")
    assert set(trained) <= {"_fit"}
    assert case not in ("linear", "classes", "labels", "shared level") or not trained
    assert pieces(tmp_path / "kept") == written
    if not clf.refit:
        assert_array_equal(plain.decision_function(rows), second.decision_function(rows))
        return
    for other in (first, second):
        assert_same(plain, other, rows)


def test_boosted_trees_come_back(tmp_path):
    """As LightGBM's text, in which its own pickles have them too."""
    pytest.importorskip("lightgbm")
    fits = [make(BOOSTED).fit(X, y, checkpoint=tmp_path / "kept") for _ in range(2)]
    assert_same(make(BOOSTED).fit(X, y), fits[0])
    assert_same(*fits)
    assert [r["note"] for r in fits[0].portfolio_] == [r["note"] for r in fits[1].portfolio_]


@pytest.mark.parametrize("stop_at", [0, 1, 7, 11, 12])
def test_an_interrupted_fit_goes_on(stop_at, tmp_path):
    """Every batch that was finished is not trained again: here one problem on three folds."""
    clf = make(Counted(), search=Grid(4))
    plain = sklearn.clone(clf).fit(X, y)
    total, Counted.n_fits, Counted.stop_at = Counted.n_fits, 0, stop_at
    assert total == 13
    with pytest.raises(KeyboardInterrupt):
        sklearn.clone(clf).fit(X, y, checkpoint=tmp_path)
    Counted.n_fits, Counted.stop_at = 0, None
    assert_same(plain, sklearn.clone(clf).fit(X, y, checkpoint=tmp_path))
    assert Counted.n_fits == total - stop_at // 3 * 3


def changed():
    other_x, other_y = X.copy(), y.copy()
    other_x[17, 3] = np.nextafter(other_x[17, 3], np.inf)
    other_y[17] = 1 - other_y[17]
    other_weight = WEIGHT.copy()
    other_weight[17] *= 2
    given = {"X": X, "y": y, "sample_weight": WEIGHT}
    yield "one number of one row", {}, given | {"X": other_x}
    yield "one class", {}, given | {"y": other_y}
    yield "one weight", {}, given | {"sample_weight": other_weight}
    yield "groups", {}, given | {"groups": np.arange(len(y)) // 4}
    yield "seed", {"random_state": 1}, given
    yield "folds", {"cv": 4}, given
    yield "measure", {"measure": "f2"}, given
    yield "parameter", {"estimator": GaussianNB(var_smoothing=1e-3)}, given
    yield "natural threshold", {"tune_threshold": False}, given
    yield "pairs of rows", {}, given | {"X": X[::-1].copy(), "y": y[::-1].copy()}


@pytest.mark.parametrize(
    ("params", "given"), [pytest.param(p, g, id=name) for name, p, g in changed()]
)
def test_nothing_mixes_in(params, given, tmp_path):
    """A fit of something else finds no piece, and gives what it gives in an empty folder."""
    base = make(GaussianNB(), search=Grid(2))
    base.fit(X, y, sample_weight=WEIGHT, checkpoint=tmp_path)
    before = validated(tmp_path)
    other = sklearn.clone(base).set_params(**params)
    plain = sklearn.clone(other).fit(**given)
    assert_same(plain, other.fit(**given, checkpoint=tmp_path))
    assert len(validated(tmp_path)) == 2 * len(before)  # all of its own


def test_what_decides_later_shares_pieces(tmp_path):
    """Jobs, rule and time change nothing in what a problem can do."""
    make(Counted(), search=Grid(3)).fit(X, y, checkpoint=tmp_path)
    Counted.n_fits = 0
    other = make(Counted(), search=Grid(3), selection="largest_value", max_seconds=100.0)
    other.fit(X, y, checkpoint=tmp_path)
    assert Counted.n_fits == 1  # the final training


def test_a_second_call_uses_further_time(tmp_path):
    """What there was no time for is not kept, so the next call tries it."""
    clf = make(Counted(), search=Grid(4), max_seconds=1e-9)
    with pytest.warns(UserWarning, match="max_seconds left no time"):
        clf.fit(X, y, checkpoint=tmp_path)
    assert len(clf.sweep_) == 1
    whole = clf.set_params(max_seconds=None).fit(X, y, checkpoint=tmp_path)
    assert_same(make(Counted(), search=Grid(4)).fit(X, y), whole)


def test_frames_texts_and_label_sets(tmp_path):
    """Any form of rows and labels has a key, the same in every call."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"number": X[:, 0], "letter": np.where(X[:, 1] > 0, "a", "b")})
    texts = [f"{'good' if one else 'bad'} number {i}" for i, one in enumerate(y)]
    sets = [["a"] * int(one > 0) + ["b"] * int(two > 0) for one, two in X[:, :2]]
    for i, (rows, target, measure) in enumerate(
        [(frame, pandas.Series(y), "f1"), (texts, y, "f1"), (X, sets, "f1_macro")]
    ):
        folder, fits = tmp_path / str(i), []
        for _ in range(2):
            given = rows.copy() if hasattr(rows, "copy") else list(rows)
            fits.append(make(measure=measure).fit(given, target, checkpoint=folder))
            fits.append(pieces(folder))
        assert fits[1] == fits[3] != {}
        assert fits[0].best_score_ == fits[2].best_score_


def test_a_random_state_is_needed(tmp_path):
    """Other folds would be drawn every time."""
    with pytest.raises(ValueError, match="A checkpoint needs a random_state"):
        MeasureClassifier("linear").fit(X, y, checkpoint=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_a_classifier_that_cannot_be_compared_is_refused_at_the_start(tmp_path):
    """Also the last one of a list."""
    strange = GaussianNB(priors=lambda: None)
    with pytest.raises(TypeError, match="cannot tell whether EstimatorLearner is the same"):
        make([Counted(), strange]).fit(X, y, checkpoint=tmp_path)
    assert Counted.n_fits == 0


def test_a_disk_that_fills_up_does_not_stop_the_fit(tmp_path, monkeypatch):
    """One warning, and the result is that of a fit without a checkpoint."""

    def full(*args, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_checkpoint.np, "savez", full)
    clf = make(GaussianNB(), search=Grid(4))
    with pytest.warns(UserWarning, match="can no longer be written") as caught:
        found = clf.fit(X, y, checkpoint=tmp_path)
    assert len(caught) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert_same(make(GaussianNB(), search=Grid(4)).fit(X, y), found)


def test_a_checkpoint_is_no_metadata(tmp_path):
    """Routing knows weights and groups of rows; a folder has none."""
    with sklearn.config_context(enable_metadata_routing=True):
        clf = make()
        with pytest.raises(TypeError, match="checkpoint"):
            clf.set_fit_request(checkpoint=True)
        assert "checkpoint" not in str(clf.get_metadata_routing())
        clf.set_fit_request(sample_weight=True).fit(X, y, checkpoint=tmp_path)
    assert pieces(tmp_path)


def test_it_goes_through_pipelines_and_grid_searches(tmp_path):
    """By the name of the step, as fit parameters do; splits of a grid search share the folder."""
    search = GridSearchCV(make(), {"measure": ["f1", "f2"]}, cv=2)
    search.fit(X, y, checkpoint=str(tmp_path / "a"))
    assert len(pieces(tmp_path / "a")) >= 5 * 3
    piped = make_pipeline(LogisticRegressionScores(), make())
    piped.fit(X, y, measureclassifier__checkpoint=tmp_path / "b")
    assert pieces(tmp_path / "b")


class LogisticRegressionScores(LogisticRegression):
    """A step that adds a column."""

    def fit_transform(self, X, y):
        return np.column_stack([X, self.fit(X, y).decision_function(X)])

    def transform(self, X):
        return np.column_stack([X, self.decision_function(X)])


def test_two_fits_share_a_folder_at_the_same_time(tmp_path):
    """Equal ones and others, in threads; the pieces are whole, and the results those of one."""
    kinds = [{"measure": "f1"}, {"measure": "f1"}, {"measure": "f2"}, {"measure": "jaccard"}]
    found = [None] * len(kinds)

    def run(i):
        clf = make(GaussianNB(), search=Grid(6), **kinds[i])
        found[i] = clf.fit(X, y, checkpoint=tmp_path)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(kinds))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for kind, clf in zip(kinds, found, strict=True):
        assert_same(make(GaussianNB(), search=Grid(6), **kind).fit(X, y), clf)
    assert not list(tmp_path.glob("tmp*"))
