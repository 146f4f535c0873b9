"""Fits with a checkpoint: resumed to the same result, and never mixed with others."""

import os
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import contextmanager, suppress

import numpy as np
import pytest
import sklearn
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from pseudolinear import Grid, MeasureClassifier
from pseudolinear.sweep import Workers, _checkpoint

X, y = make_classification(400, 8, weights=[0.8], flip_y=0.1, random_state=0)
SEVERAL, LABELS = make_multilabel_classification(200, 8, n_classes=4, random_state=0)
CLASSES = np.random.RandomState(0).randint(0, 2, len(y)) + y
WEIGHT = np.random.RandomState(1).uniform(0.5, 2.0, len(y))
FOREST = ExtraTreesClassifier(5)
PORTFOLIO = ["linear", FOREST]
BOOSTED = ["linear", "boosting"]


def make(estimator="linear", **params):
    return MeasureClassifier(estimator, random_state=0, **params)


def pieces(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.npz")}


def validated(folder):
    """Pieces of the sweep; training on all rows does not depend on folds or measure."""
    return [name for name, data in pieces(folder).items() if b"n_cuts.npy" in data]


def assert_same(one, other, rows=X):
    """Everything that a fit leaves behind is the same, bit for bit; seconds are not."""
    assert_array_equal(one.decision_function(rows), other.decision_function(rows))
    assert_array_equal(one.predict_proba(rows), other.predict_proba(rows))
    assert (one.best_score_, one.honest_score_) == (other.best_score_, other.honest_score_)
    for mine, theirs in zip(one.sweep_.by_goal, other.sweep_.by_goal, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            assert (a.problem, a.level, a.converged) == (b.problem, b.level, b.converged)
            for c, d in zip((a.curve, *a.fold_curves), (b.curve, *b.fold_curves), strict=True):
                for name in ("fn", "fp", "prevalence", "thresholds"):
                    assert_array_equal(getattr(c, name), getattr(d, name), strict=True)


class Counted(GaussianNB):
    """Counts how often it is trained; stops when it is told to."""

    n_fits, stop_at = 0, None

    def fit(self, X, y, sample_weight=None):
        if Counted.n_fits == Counted.stop_at:
            raise KeyboardInterrupt
        Counted.n_fits += 1
        return super().fit(X, y, sample_weight)


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


@pytest.mark.parametrize("case", CASES)
def test_a_second_call_takes_what_the_first_has_kept(case, tmp_path, monkeypatch):
    """Nothing but the models of other people's estimators is trained again."""
    clf, rows, target = CASES[case]
    plain = sklearn.clone(clf).fit(rows, target)
    first = sklearn.clone(clf).fit(rows, target, checkpoint=tmp_path / "kept")
    written = pieces(tmp_path / "kept")
    trained = []
    original = Workers.map

    def watched(self, function, items, large=()):
        trained.append(getattr(function, "__name__", "_validate"))
        return original(self, function, items, large)

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


@contextmanager
def dask():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=40
        ) as cluster,
        distributed.Client(cluster),
        parallel_config("dask"),
    ):
        yield


BACKENDS = {
    "loky": lambda: parallel_config("loky", n_jobs=2),
    "multiprocessing": lambda: parallel_config("multiprocessing", n_jobs=2),
    "threading": lambda: parallel_config("threading", n_jobs=2),
    "dask": dask,
}


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_every_backend_keeps_and_takes_the_same_pieces(backend, tmp_path):
    """What one backend has finished another takes."""
    clf = make(PORTFOLIO, search=Grid(3))
    plain = sklearn.clone(clf).fit(X, y, checkpoint=tmp_path / "alone")
    with BACKENDS[backend]():
        there = sklearn.clone(clf).fit(X, y, checkpoint=tmp_path / "there")
    again = sklearn.clone(clf).fit(X, y, checkpoint=tmp_path / "there")
    assert_same(there, again)
    assert pieces(tmp_path / "alone").keys() == pieces(tmp_path / "there").keys()
    if backend == "dask":  # whose workers hold arrays otherwise, which moves last bits
        assert_allclose(plain.decision_function(X), there.decision_function(X), atol=1e-9)
    else:
        assert_same(plain, there)


KILLED = """
    import os, random, signal, sys, tempfile, time
    import numpy as np
    from pathlib import Path
    from sklearn.datasets import make_classification
    from sklearn.ensemble import ExtraTreesClassifier
    from pseudolinear import MeasureClassifier

    X, y = make_classification(1_500, 20, n_informative=6, weights=[0.85], random_state=0)

    def n_pieces(folder):  # whole ones; a killed process may leave a half-written one
        return sum(not file.name.startswith("tmp") for file in folder.glob("*.npz"))

    def fit(folder=None):
        members = ["linear", ExtraTreesClassifier(15), "lifted"]
        return MeasureClassifier(members, random_state=0).fit(X, y, checkpoint=folder)

    fit()  # compiles
    began = time.monotonic()
    plain = fit()
    seconds, expected = time.monotonic() - began, plain.decision_function(X)
    draw, finished = random.Random(int(sys.argv[2])), 0
    for number in range(20):
        folder = Path(sys.argv[1]) / str(number)
        for _ in range(draw.choice([1, 2])):  # killed once, or again when it goes on
            child = os.fork()
            if not child:
                fit(folder)
                os._exit(0)
            time.sleep(draw.uniform(0.0, 1.1 * seconds))
            os.kill(child, signal.SIGKILL)
            finished += os.waitpid(child, 0)[1] == 0
        partial = n_pieces(folder) if folder.exists() else 0
        resumed = fit(folder)
        assert np.array_equal(resumed.decision_function(X), expected), number
        assert resumed.honest_score_ == plain.honest_score_, number
        print(partial, n_pieces(folder), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks of POSIX")
def test_a_fit_killed_at_any_moment_resumes_to_the_same_result(tmp_path):
    """SIGKILL at twenty random moments; some have kept nothing, some all, most a part."""
    script = tmp_path / "killed.py"
    script.write_text(textwrap.dedent(KILLED))
    run = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), str(tmp_path), "0"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    counts = np.array([line.split() for line in run.stdout.splitlines()], dtype=int)
    assert len(counts) == 20
    assert len(set(counts[:, 1])) == 1  # the same pieces in the end
    assert ((counts[:, 0] > 0) & (counts[:, 0] < counts[:, 1])).sum() >= 5


ORPHANS = """
    import os, sys, time
    import numpy as np
    from joblib import parallel_config
    from sklearn.naive_bayes import GaussianNB
    from pseudolinear import MeasureClassifier

    class Slow(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            os.write(1, b"training\\n")
            time.sleep(0.2)
            return super().fit(X, y, sample_weight)

    X = np.random.RandomState(0).randn(3_000, 100)
    with parallel_config(sys.argv[3], n_jobs=2, temp_folder=sys.argv[2]):
        clf = MeasureClassifier(Slow(), search="grid", random_state=0)
        clf.fit(X, X[:, 0] > 1, checkpoint=sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals and process groups of POSIX")
@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
def test_a_killed_parent_leaves_neither_processes_nor_memory_maps(backend, tmp_path):
    """The workers of joblib and their maps go after the process that started them."""
    script, maps = tmp_path / "orphans.py", tmp_path / "maps"
    script.write_text(textwrap.dedent(ORPHANS))
    maps.mkdir()
    run = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "kept"), str(maps), backend],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    with run:
        for _ in range(12):
            assert run.stdout.readline().startswith(b"training")
        run.kill()
    deadline = time.monotonic() + 30
    while _alive(run.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _alive(run.pid)
    if backend == "loky":  # has a process that clears up; it gives results one by one, as well
        assert list(maps.iterdir()) == []
        assert pieces(tmp_path / "kept")


def _alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def mounted(folder, options):
    """A small disk of its own, where one may be mounted."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.name != "posix" or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
def test_a_full_disk(tmp_path):
    """Some pieces fit, the next does not; with more space the fit goes on from those."""
    clf = make(PORTFOLIO, search=Grid(6))
    plain = sklearn.clone(clf).fit(X, y)
    with mounted(tmp_path / "disk", "size=96k") as disk:
        with pytest.warns(UserWarning, match="No space left on device") as caught:
            found = sklearn.clone(clf).fit(X, y, checkpoint=disk / "kept")
        assert len(caught) == 1
        assert not list((disk / "kept").glob("tmp*"))
        some = len(pieces(disk / "kept"))
        with suppress(OSError), (disk / "filler").open("wb") as file:
            file.write(bytes(1 << 20))
        with pytest.raises(OSError, match="cannot be written"):
            sklearn.clone(clf).fit(X, y, checkpoint=disk / "other")
        subprocess.run(["mount", "-o", "remount,size=4m", str(disk)], check=True)
        resumed = sklearn.clone(clf).fit(X, y, checkpoint=disk / "kept")
        assert 0 < some < len(pieces(disk / "kept"))
    assert_same(plain, found)
    assert_same(plain, resumed)


@pytest.mark.slow
def test_a_read_only_disk_is_refused_at_once(tmp_path):
    """Whether the folder is there or not."""
    with mounted(tmp_path / "disk", "size=4m") as disk:
        make().fit(X, y, checkpoint=disk / "kept")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for name in ("kept", "new"):
            with pytest.raises(OSError, match="Read-only file system"):
                make(Counted()).fit(X, y, checkpoint=disk / name)
    assert Counted.n_fits == 0
