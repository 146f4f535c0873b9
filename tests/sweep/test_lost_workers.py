"""A worker of Dask that is killed in the middle of a fit does not lose the fit."""

import asyncio
import os
import random
import signal
import threading
import time

import numpy as np
import pytest
from clusters import started
from joblib import parallel_config
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

from pseudolinear import Grid, MeasureClassifier
from pseudolinear.sweep import Workers

X, y = make_classification(2_000, 20, weights=[0.9], flip_y=0.05, random_state=0)


class Slow(GaussianNB):
    """Takes a while, so that it can be killed meanwhile."""

    def fit(self, X, y, sample_weight=None):
        time.sleep(0.03)
        return super().fit(X, y, sample_weight)


def make():
    return MeasureClassifier([Slow(), "linear"], search=Grid(12), random_state=0)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of POSIX")
def test_a_killed_worker_changes_nothing(tmp_path):
    """Dask starts another one; what was lost is sent and computed again, or nothing was lost."""
    expected = make().fit(X, y).decision_function(X)
    draw, n_killed = random.Random(0), 0
    for number in range(3):
        with started() as (_, client), parallel_config("dask"):
            make().fit(X[:200], y[:200])
            (victim, *_) = client.run(os.getpid).values()
            timer = threading.Timer(draw.uniform(0.0, 1.0), os.kill, (victim, signal.SIGKILL))
            timer.start()
            folder = tmp_path / str(number)
            there = make().fit(X, y, checkpoint=folder if number % 2 else None)
            n_killed += not timer.is_alive()
            timer.join()
        np.testing.assert_allclose(there.decision_function(X), expected, atol=1e-9)
        if number % 2:
            again = make().fit(X, y, checkpoint=folder)
            np.testing.assert_array_equal(again.decision_function(X), there.decision_function(X))
    assert n_killed >= 1  # during the fit


@pytest.mark.slow
def test_a_single_worker_gives_the_same():
    """For one thread joblib runs tasks in the process of the client, where rows are at hand."""
    with started(1), parallel_config("dask"):
        there = make().fit(X, y)
    expected = make().fit(X, y).decision_function(X)
    np.testing.assert_allclose(there.decision_function(X), expected, atol=1e-9)


def _send(times, monkeypatch):
    """Send rows to the workers of a cluster and use them, without waiting long for their way."""
    monkeypatch.setattr("pseudolinear.sweep._workers.PATIENCE", 0.5)
    with started(), parallel_config("dask"), Workers() as workers:
        for _ in range(times):
            found = workers.map(_add, [1, 2], [np.arange(1000.0)])
            assert list(found) == [499_501.0, 499_502.0]


@pytest.mark.slow
def test_rows_that_never_arrive_are_sent_again(monkeypatch):
    """Dask waits for ever where a worker is killed at the wrong moment."""
    distributed = pytest.importorskip("distributed")
    scatter, calls = distributed.Client._scatter, []

    async def stuck_at_first(*args, **kwargs):
        calls.append(args)
        if len(calls) == 1:
            await asyncio.sleep(3600)
        return await scatter(*args, **kwargs)

    monkeypatch.setattr(distributed.Client, "_scatter", stuck_at_first)
    _send(1, monkeypatch)
    assert len(calls) == 2


@pytest.mark.slow
def test_a_scheduler_that_copies_for_ever_is_not_asked_for_copies(monkeypatch):
    """It goes on copying to a lost worker, one set of rows at a time: later ones wait for it."""
    distributed = pytest.importorskip("distributed")
    scatter, asked = distributed.Client._scatter, []

    async def stuck_with_copies(*args, **kwargs):
        asked.append(kwargs["broadcast"])
        if kwargs["broadcast"]:
            await asyncio.sleep(3600)
        return await scatter(*args, **kwargs)

    monkeypatch.setattr(distributed.Client, "_scatter", stuck_with_copies)
    _send(2, monkeypatch)
    assert asked == [2, False, False]


@pytest.mark.slow
def test_lost_rows_are_sent_again():
    """All copies are gone: as where every worker that had them was lost."""
    with started() as (_, client), parallel_config("dask"), Workers() as workers:
        large = np.arange(1000.0)
        assert list(workers.map(_add, [1, 2], [large])) == [499_501.0, 499_502.0]
        client.cancel([workers._sent[id(large)][1]], force=True)
        assert list(workers.map(_add, [3, 4], [large])) == [499_503.0, 499_504.0]


def _add(number, large):
    return number + float(large.sum())


@pytest.mark.slow
def test_rows_are_sent_about_once_per_worker():
    """Bytes that leave this process for two workers, its own scheduler being on the way."""
    pytest.importorskip("distributed")
    from distributed.comm.tcp import TCP

    n_bytes, original = [0], TCP.write

    async def write(*args, **options):
        size = await original(*args, **options)
        n_bytes[0] += size
        return size

    rows = np.random.RandomState(0).randn(40_000, 50)
    target = (rows[:, 0] + np.random.RandomState(1).randn(len(rows)) > 1.5).astype(int)
    clf = MeasureClassifier(GaussianNB(), search=Grid(12), random_state=0)
    with started(), parallel_config("dask"):
        clf.fit(rows[:200], target[:200])
        n_bytes[0], TCP.write = 0, write
        try:
            clf.fit(rows, target)
        finally:
            TCP.write = original
    # from the client to the scheduler, and from there to a worker, which gives it to the other
    assert rows.nbytes < n_bytes[0] < 3 * rows.nbytes
