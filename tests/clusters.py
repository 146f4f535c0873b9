"""Clusters of Dask for tests."""

import multiprocessing
from contextlib import ExitStack, contextmanager

import pytest

# by the process that others are forked from
LOADED = ["distributed", "joblib._dask", "pandas", "pseudolinear.experiments", "sklearn.ensemble"]

FORKED = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


@contextmanager
def started(n_workers=2, method=FORKED):
    """Start workers, and yield their cluster and a client.

    Where they can be, they are forked from a process that has loaded everything: with "spawn", as
    Dask starts them unless told otherwise, each would load it again.
    """
    distributed = pytest.importorskip("distributed")
    import dask

    with ExitStack() as stack:
        how = {"distributed.worker.multiprocessing-method": method}
        stack.enter_context(dask.config.set(how))
        if method == "forkserver":
            distributed.utils.get_mp_context().set_forkserver_preload(LOADED)
        cluster = stack.enter_context(
            distributed.LocalCluster(
                n_workers=n_workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50
            )
        )
        yield cluster, stack.enter_context(distributed.Client(cluster))
