"""Dask: partitions stay where they are, and the fit is that of one machine."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from clusters import started
from part_rows import assert_same, linear, table

from pseudolinear import MeasureClassifier
from pseudolinear.scale import ArrayParts
from pseudolinear.scale._dask import DaskEngine

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")

X, y = table(3000)
N_KILLED = 20 if os.environ.get("PSEUDOLINEAR_FUZZ") else 6  # each is a process to start again
FRAME = pd.DataFrame(X, columns=[f"c{i}" for i in range(8)]).assign(churn=y)


@pytest.mark.parametrize("rows", [400, 3000])
def test_arrays_are_fitted_as_on_one_machine(rows):
    """Whatever the chunks; those of y follow those of X."""
    clf = linear().fit(da.from_array(X, chunks=(rows, 3)), da.from_array(y, chunks=1000))
    assert_same(clf, linear().fit(ArrayParts(X, y)), X)


def test_frames_are_fitted_as_on_one_machine():
    """With the name of a column; an empty partition adds nothing."""
    frame = dd.from_pandas(FRAME, npartitions=4)
    clf = linear().fit(frame[frame.c0 > -np.inf], "churn")
    whole = linear().fit(ArrayParts(X, y))
    assert clf.best_score_ == pytest.approx(whole.best_score_, rel=1e-9)
    sorted_ = dd.from_pandas(FRAME.sort_values("churn", ignore_index=True), npartitions=4)
    assert linear().fit(sorted_[sorted_.churn > -1], "churn").best_score_ > 0.4


def test_predictions_are_made_when_they_are_asked_for():
    """As Dask's arrays, of the same values."""
    clf = linear().fit(X, y)
    rows = da.from_array(X, chunks=(700, 8))
    for method in ("predict", "decision_function", "predict_proba"):
        lazy = getattr(clf, method)(rows)
        here = getattr(clf, method)(X)
        assert lazy.shape == here.shape
        assert lazy.dtype == here.dtype
        np.testing.assert_array_equal(lazy.compute(), here)
    assert clf.score(rows, da.from_array(y, chunks=700)) == clf.score(X, y)


def test_what_does_not_fit_is_said():
    """One sentence each."""
    rows = da.from_array(X, chunks=(700, 8))
    with pytest.raises(TypeError, match="y and sample_weight must be too"):
        linear().fit(rows, y)
    with pytest.raises(ValueError, match="partitions"):
        linear().fit(dd.from_pandas(FRAME, npartitions=4), da.from_array(y, chunks=1500))
    with pytest.raises(RuntimeError, match="Boosting on Dask needs workers"):
        MeasureClassifier("boosting").fit(rows, da.from_array(y, chunks=700))


@pytest.mark.slow
def test_workers_train_what_one_machine_does():
    """On processes started as Dask does, and trees by LightGBM."""
    rows, classes = da.from_array(X, chunks=(500, 8)), da.from_array(y, chunks=500)
    with started(method="spawn"):
        assert_same(linear().fit(rows, classes), linear().fit(ArrayParts(X, y)), X)
        trees = MeasureClassifier("boosting", random_state=0).fit(rows, classes)
    memory = MeasureClassifier("boosting", random_state=0).fit(X, y)
    assert trees.best_score_ == pytest.approx(memory.best_score_, abs=0.04)


@pytest.mark.slow
def test_killed_workers_do_not_matter():
    """SIGKILL at six or more moments: lost partitions are made again, the result is the same."""
    distributed = pytest.importorskip("distributed")
    rows, classes = da.from_array(X, chunks=(500, 8)), da.from_array(y, chunks=500)
    whole = linear().fit(ArrayParts(X, y))
    rng, killed = np.random.default_rng(0), []

    def kill(cluster, moments):
        for moment in np.diff(moments, prepend=0.0):
            time.sleep(moment)
            workers = list(cluster.workers.values())
            running = [one for one in workers if one.status is distributed.Status.running]
            pids = [one.process.pid for one in running if one.process is not None]
            if len(pids) == 2 and None not in pids:
                os.kill(pids[rng.integers(2)], signal.SIGKILL)
                killed.append(moment)

    while len(killed) < N_KILLED:
        with started() as (cluster, client):
            # now and then Dask does not start a worker again; then there is a new cluster
            while len(killed) < N_KILLED and both_are_there(client):
                moments = np.sort(rng.uniform(0.0, 2.0, size=3))
                killer = threading.Thread(target=kill, args=(cluster, moments))
                killer.start()
                clf = linear().fit(rows, classes)
                killer.join()
                assert_same(clf, whole, X)


def both_are_there(client):
    """Tell whether two workers are there, or soon."""
    try:
        client.wait_for_workers(2, timeout=4)
    except TimeoutError:
        return False
    return True


@pytest.mark.slow
def test_a_lost_scheduler_is_said_in_a_sentence(monkeypatch):
    """It takes the encoded partitions with it."""
    distributed = pytest.importorskip("distributed")
    encoded = DaskEngine.encoded

    def lost(self, encode):
        blocks = encoded(self, encode)
        distributed.get_client().cluster.close()
        return blocks

    monkeypatch.setattr(DaskEngine, "encoded", lost)
    rows, classes = da.from_array(X, chunks=(300, 8)), da.from_array(y, chunks=300)
    gone = "Dask's scheduler or its workers are gone"
    with started(1), pytest.raises(RuntimeError, match=gone):
        linear().fit(rows, classes)
