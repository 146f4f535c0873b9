"""The default's fit on joblib's backends: seconds, bytes that are sent, and whether it is the same.

``python benchmarks/backends.py`` fits 50,000 x 50 rows one after the other, in threads, and with
two processes of loky, Dask and Ray. `megabytes` is what went through pickle in this process, or of
Dask what left it; `rows_sent` is how often the bytes of one column of X were among it. The fit is
preceded by a small one, which starts and warms up the workers.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from joblib import parallel_config
from sklearn.datasets import make_classification

from pseudolinear import MeasureClassifier

SIZE = (50_000, 50)


def rows(n_samples: int, n_features: int) -> tuple[Any, Any]:
    X, y = make_classification(
        n_samples, n_features, n_informative=20, weights=[0.9], flip_y=0.05, random_state=0
    )
    return X, y


@contextmanager
def dask() -> Iterator[Any]:
    from distributed import Client, LocalCluster

    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
    )
    with cluster, Client(cluster) as client, parallel_config("dask"):
        yield client


@contextmanager
def ray() -> Iterator[None]:
    import ray as package
    from ray.util.joblib import register_ray

    package.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    register_ray()
    try:
        with parallel_config("ray", n_jobs=2):
            yield
    finally:
        package.shutdown()


@contextmanager
def local(backend: str, n_jobs: int) -> Iterator[None]:
    with parallel_config(backend, n_jobs=n_jobs):
        yield


BACKENDS: dict[str, Any] = {
    "sequential": lambda: local("threading", 1),
    "threading": lambda: local("threading", 2),
    "loky": lambda: local("loky", 2),
    "dask": dask,
    "ray": ray,
}


def received(client: Any) -> float:
    """Return the megabytes that Dask's workers have received so far."""
    import psutil

    return psutil.Process().io_counters().write_chars / 1e6 if client is not None else np.nan


def main(names: list[str]) -> None:
    X, y = rows(*SIZE)
    small = rows(1_000, 50)
    expected = None
    for name in names or list(BACKENDS):
        with BACKENDS[name]() as client, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            MeasureClassifier(random_state=0).fit(*small)
            caught.clear()
            before, start = received(client), time.perf_counter()
            clf = MeasureClassifier(random_state=0).fit(X, y)
            seconds = time.perf_counter() - start
            sent = received(client) - before
        scores = clf.decision_function(X)
        expected = scores if expected is None else expected
        print(
            json.dumps(
                {
                    "benchmark": "backends",
                    "backend": name,
                    "rows": SIZE[0],
                    "features": SIZE[1],
                    "megabytes_of_X": X.nbytes / 1e6,
                    "wall_seconds": round(seconds, 2),
                    "megabytes_sent": None if np.isnan(sent) else round(sent, 1),
                    "large_graphs": sum("large graph" in str(one.message) for one in caught),
                    "largest_difference": float(np.abs(scores - expected).max()),
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
