"""Rows reach every worker once, whatever the backend, and nothing is left behind."""

import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pytest
from clusters import started
from joblib import parallel_config
from joblib.pool import MemmappingPool, PicklingPool
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier
from threadpoolctl import threadpool_info, threadpool_limits

from pseudolinear import Grid, LevelSearch, MeasureClassifier
from pseudolinear.features import FoldFeatures, describe
from pseudolinear.sweep import Rows, Workers, _source
from pseudolinear.sweep._workers import KEEPS

FOREST = ExtraTreesClassifier(5, random_state=0)
MEMBERS = ["linear", FOREST, "boosting"]  # two views, rows as they are, and a search of rounds


@pytest.fixture(scope="module")
def rows():
    return make_classification(3_000, 60, weights=[0.8], flip_y=0.1, random_state=0)


@pytest.fixture(scope="module")
def alone(rows):
    """The fit of one process."""
    return MeasureClassifier(MEMBERS, random_state=0).fit(*rows)


@contextmanager
def dask():
    with started(), parallel_config("dask"):
        yield


@contextmanager
def ray():
    package = pytest.importorskip("ray")
    from ray.util.joblib import register_ray

    package.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    register_ray()
    bases = PicklingPool.__bases__
    try:
        with parallel_config("ray", n_jobs=2):
            yield
    finally:
        PicklingPool.__bases__ = bases  # Ray would stay the pool of joblib's "multiprocessing"
        package.shutdown()


def loky():
    return parallel_config("loky", n_jobs=2)


CLUSTERS = [
    pytest.param(loky, id="loky", marks=pytest.mark.slow),  # a quick one is in test_classifier
    pytest.param(dask, id="dask", marks=pytest.mark.slow),
    pytest.param(
        ray,
        id="ray",
        marks=[pytest.mark.slow, pytest.mark.filterwarnings("ignore::FutureWarning:ray")],
    ),
]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_every_backend_gives_what_one_process_gives(rows, alone, cluster):
    """A portfolio of learners that see different views of the rows."""
    X, y = rows
    with cluster():
        other = MeasureClassifier(MEMBERS, random_state=0).fit(X, y)
    assert_array_equal(alone.predict(X), other.predict(X))
    assert_allclose(alone.decision_function(X), other.decision_function(X), atol=1e-9)
    assert alone.threshold_ == pytest.approx(other.threshold_, abs=1e-12)
    assert [row["value"] for row in alone.portfolio_] == [row["value"] for row in other.portfolio_]


@pytest.mark.slow
def test_dask_is_sent_every_view_once(rows, monkeypatch):
    """Tasks are many more than workers; warnings of large graphs would be errors here."""
    sent = []

    def counted(self):
        sent.append(self)
        return self.__dict__

    for source in (_source.Given, _source.Made):
        monkeypatch.setattr(source, "__getstate__", counted)
    with dask():
        clf = MeasureClassifier([*MEMBERS, FOREST], search="bracket", random_state=0).fit(*rows)
    levels = {row["level"] for row in clf.sweep_.rows()}
    assert len(levels) > 4  # the searches went through several rounds
    assert len(sent) == len({id(one) for one in sent}) > 2
    assert sum(isinstance(one, _source.Given) for one in sent) == 1  # folds and refit, two forests


def test_a_source_holds_one_view_and_not_the_rows():
    """It gives what was made after a round trip through bytes."""
    X = np.random.RandomState(0).randn(90, 4)
    train, test = np.arange(60), np.arange(60, 90)
    found = Rows(X, np.zeros((90, 1)), folds=FoldFeatures(describe(X), X))
    for view in ("scaled", "nystroem"):
        found.source(view, [(train, test)])
    source = found.source("scaled", [(train, test)])
    assert source is found.source("scaled", [(train, test)])
    sent = pickle.dumps(source)
    assert len(sent) < 90 * 4 * 8 + 1_000
    assert_array_equal(pickle.loads(sent)(test, train), found.features("scaled", test, train))
    assert found.forget("scaled") == [source]
    assert source is not found.source("scaled", [(train, test)])


class Interrupted(LevelSearch):
    """Ctrl-C between two rounds."""

    def search(self, measure, prevalence):
        yield np.array([0.5])
        raise KeyboardInterrupt


def test_nothing_is_left_after_a_fit(rows, tmp_path):
    """Memory maps of the rows go with the fit, and with one that is interrupted."""
    big = np.tile(rows[0], 4)  # more than the megabyte from which joblib maps arrays
    with parallel_config("loky", n_jobs=2, temp_folder=str(tmp_path)):
        MeasureClassifier(FOREST, search=Grid(2), random_state=0).fit(big, rows[1])
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(KeyboardInterrupt):
            MeasureClassifier(FOREST, search=Interrupted(), random_state=0).fit(big, rows[1])
    assert list(tmp_path.iterdir()) == []


SLEEPY = """
import sys, time
import numpy as np
from joblib import parallel_config
from sklearn.naive_bayes import GaussianNB
from pseudolinear import MeasureClassifier

class Sleepy(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        print("training", flush=True)
        time.sleep(60)
        return super().fit(X, y, sample_weight)

X = np.random.RandomState(0).randn(3_000, 100)
with parallel_config("loky", n_jobs=2, temp_folder=sys.argv[1]):
    MeasureClassifier(Sleepy(), search="grid").fit(X, X[:, 0] > 1)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals and process groups of POSIX")
def test_ctrl_c_leaves_neither_processes_nor_files(tmp_path):
    """Workers are in the middle of a task when the interrupt comes."""
    script, temporary = tmp_path / "sleepy.py", tmp_path / "maps"
    script.write_text(SLEEPY)
    temporary.mkdir()
    run = subprocess.Popen(
        [sys.executable, str(script), str(temporary)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with run:
        assert run.stdout.readline().startswith(b"training")
        assert list(temporary.iterdir()) != []
        run.send_signal(signal.SIGINT)
        assert run.wait(30) != 0
    deadline = time.monotonic() + 30
    while _alive(run.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _alive(run.pid)
    assert list(temporary.iterdir()) == []


def _alive(group):
    """Tell whether a group of processes has any that still runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_backend_that_was_chosen_is_started_once(monkeypatch):
    """Whatever leaves Python's lock: a second start would forget the processes of the first."""
    started, start = [], MemmappingPool.__init__

    def watched(self, *args, **options):
        started.append(self)
        start(self, *args, **options)

    monkeypatch.setattr(MemmappingPool, "__init__", watched)
    with parallel_config("multiprocessing", n_jobs=2), Workers() as workers:
        for threads in (True, False, True):
            assert list(workers.map(pow, [2, 3], [10], threads=threads)) == [1024, 59049]
    assert len(started) == (1 if KEEPS else 3)


def blas_threads(_):
    return max(one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas")


def test_blas_has_one_thread_but_for_tasks_that_are_not_in_threads():
    """Between tasks too; what was before is given back at the end, of errors too."""
    with threadpool_limits(3, user_api="blas"):
        with Workers() as workers:
            assert blas_threads(0) == 1
            assert list(workers.map(blas_threads, [0], threads=True)) == [1]
            assert list(workers.map(blas_threads, [0])) == [3]
            assert blas_threads(0) == 1
            left = workers.map(blas_threads, [0, 0])
            next(left)
        assert blas_threads(0) == 3
        left.close()
        assert blas_threads(0) == 3
        with pytest.raises(ZeroDivisionError), Workers() as workers:
            list(workers.map(lambda _: 1 // 0, [0], threads=True))
        assert blas_threads(0) == 3
        assert list(Workers().map(blas_threads, [0], threads=True)) == [1]
        assert blas_threads(0) == 3
