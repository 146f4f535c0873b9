"""The default's fit on joblib's backends: seconds, bytes that are sent, and whether it is the same.

``python -m benchmarks.backends`` fits 50,000 x 50 rows one after the other, in threads, and with
two processes of loky, Dask and Ray. `megabytes_sent` is what left this process: tasks, files that
workers map, and what goes into stores (Dask's scheduler is in this process too, so that what passes
through it counts twice). A small fit before starts and warms up the workers.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
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
def dask() -> Iterator[None]:
    from distributed import Client, LocalCluster

    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
    )
    with cluster, Client(cluster), parallel_config("dask"):
        yield


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


class Sent:
    """Counts the bytes that leave this process: of tasks, of files that workers map, of stores."""

    def __init__(self) -> None:
        self.bytes = 0
        self._watch("joblib.externals.loky.backend.queues", "dumps", lambda _, made: len(made))
        self._watch("joblib._memmapping_reducer", "dump", lambda args, _: args[0].nbytes)

    def _watch(self, module: str, name: str, size: Callable[[Any, Any], int]) -> None:
        owner = import_module(module)
        original = getattr(owner, name)

        def watched(*args: Any, **options: Any) -> Any:
            made = original(*args, **options)
            self.bytes += size(args, made)
            return made

        setattr(owner, name, watched)

    def watch_dask(self) -> None:
        """Count what is written to sockets."""
        from distributed.comm.tcp import TCP

        original = TCP.write

        async def write(*args: Any, **options: Any) -> int:
            size = await original(*args, **options)
            self.bytes += size
            return size

        TCP.write = write

    def watch_ray(self) -> None:
        """Count what is made into bytes for its store."""
        from ray._private.serialization import SerializationContext

        original = SerializationContext.serialize

        def serialize(*args: Any, **options: Any) -> Any:
            made = original(*args, **options)
            self.bytes += made.total_bytes
            return made

        SerializationContext.serialize = serialize


def main(names: list[str]) -> None:
    X, y = rows(*SIZE)
    small = rows(1_000, 50)
    expected, sent = None, Sent()
    for name in names or list(BACKENDS):
        if name in ("dask", "ray"):
            getattr(sent, f"watch_{name}")()
        with BACKENDS[name](), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            MeasureClassifier(random_state=0).fit(*small)
            caught.clear()
            sent.bytes, start = 0, time.perf_counter()
            clf = MeasureClassifier(random_state=0).fit(X, y)
            seconds = time.perf_counter() - start
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
                    "megabytes_sent": round(sent.bytes / 1e6, 1),
                    "large_graphs": sum("large graph" in str(one.message) for one in caught),
                    "largest_difference": float(np.abs(scores - expected).max()),
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
