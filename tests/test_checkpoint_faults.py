"""Checkpoints on every backend, and of fits that are killed or whose disk fails."""

import os
import subprocess
import sys
import textwrap
import time
from contextlib import contextmanager, suppress

import numpy as np
import pytest
import sklearn
from clusters import started
from joblib import parallel_config
from kept_fits import PORTFOLIO, Counted, X, assert_same, make, pieces, y
from numpy.testing import assert_allclose

from pseudolinear import Grid


@contextmanager
def dask():
    with started(), parallel_config("dask"):
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


N_KILLED = 20 if os.environ.get("PSEUDOLINEAR_FUZZ") else 8
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

    plain, whole = fit(), Path(sys.argv[1]) / "whole"
    expected = plain.decision_function(X)
    fit(whole)
    total = n_pieces(whole)
    draw = random.Random(int(sys.argv[2]))
    for number in range(int(sys.argv[3])):
        folder = Path(sys.argv[1]) / str(number)
        for _ in range(draw.choice([1, 2])):  # killed once, or again when it goes on
            child = os.fork()
            if not child:
                fit(folder)
                os._exit(0)
            goal, ended = draw.randrange(total), 0
            while n_pieces(folder) < goal and not ended:
                time.sleep(0.002)
                ended, _ = os.waitpid(child, os.WNOHANG)
            time.sleep(draw.uniform(0.0, 0.1))
            if not ended:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        partial = n_pieces(folder)
        resumed = fit(folder)
        assert np.array_equal(resumed.decision_function(X), expected), number
        assert resumed.honest_score_ == plain.honest_score_, number
        print(partial, n_pieces(folder), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks of POSIX")
def test_a_fit_killed_at_any_moment_resumes_to_the_same_result(tmp_path):
    """SIGKILL at eight moments or more, each some pieces after the start and then at random."""
    script = tmp_path / "killed.py"
    script.write_text(textwrap.dedent(KILLED))
    run = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), str(tmp_path), "0", str(N_KILLED)],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    counts = np.array([line.split() for line in run.stdout.splitlines()], dtype=int)
    assert len(counts) == N_KILLED
    assert len(set(counts[:, 1])) == 1  # the same pieces in the end
    assert ((counts[:, 0] > 0) & (counts[:, 0] < counts[:, 1])).sum() >= N_KILLED // 4


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
    Counted.n_fits = 0
    with mounted(tmp_path / "disk", "size=4m") as disk:
        make().fit(X, y, checkpoint=disk / "kept")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for name in ("kept", "new"):
            with pytest.raises(OSError, match="Read-only file system"):
                make(Counted()).fit(X, y, checkpoint=disk / name)
    assert Counted.n_fits == 0
