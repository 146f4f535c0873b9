"""Dask: a fit on 2 and 4 local processes, and what 10, 100 and 1,000 workers would take.

    python -m benchmarks.scale.dask_cluster 1e6

An iteration is one task per partition and a tree of additions of (columns x lanes). The cost model

    seconds = passes * (rows * columns * lanes / workers * compute
                        + log8(partitions) * columns * lanes * 8 / bandwidth + overhead
                        + partitions * dispatch)

has three constants, which are fitted to what was measured here; it is checked on these points
before it speaks of others.
"""

import json
import sys
import time

import numpy as np

from pseudolinear import MeasureClassifier
from pseudolinear.scale import _dask as engine

COLUMNS = 50
LANES = 48
FAN_IN = engine.FAN_IN
BANDWIDTH = 1e9  # bytes per second between machines, 10 Gbit Ethernet


def rows(n, partition):
    """Return Dask arrays of rows that can be learnt, made on the workers."""
    import dask.array as da

    X = da.random.default_rng(0).normal(size=(n, COLUMNS), chunks=(partition, COLUMNS))
    w = np.random.default_rng(1).normal(size=COLUMNS) / np.sqrt(COLUMNS)
    noise = da.random.default_rng(2).logistic(size=n, chunks=partition)
    return X.persist(), (2 * X @ w - 4 + noise > 0).astype("int8").persist()


def measure(workers, n, partition):
    """Fit on a local cluster, and return the seconds of the passes that train."""
    from distributed import Client, LocalCluster, wait

    with (
        LocalCluster(workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as c,
        Client(c),
    ):
        clf = MeasureClassifier("linear", random_state=0)
        clf.fit(*rows(20_000, 20_000 // (4 * workers)))  # loads and compiles on every worker
        X, y = rows(n, partition)
        wait([X, y])
        spent, reduce = [], engine.DaskEngine.reduce

        def timed(self, stage, function, *args):
            start = time.perf_counter()
            found = reduce(self, stage, function, *args)
            spent.append((stage, time.perf_counter() - start))
            return found

        engine.DaskEngine.reduce = timed
        start = time.perf_counter()
        try:
            clf.fit(X, y)
        finally:
            engine.DaskEngine.reduce = reduce
        seconds = time.perf_counter() - start
    passes = [s for stage, s in spent if stage == "training"]
    figure = {
        "figure": "dask",
        "workers": workers,
        "rows": n,
        "partitions": -(-n // partition),
        "seconds": round(seconds, 2),
        "passes": len(passes),
        "seconds_of_first_pass": round(passes[0], 3),
        "f1_held_out": round(clf.best_score_, 4),
    }
    print(json.dumps(figure), flush=True)
    return figure


def features(workers, n, partitions, columns, lanes):
    """Return what the constants of the model are multiplied by: compute, dispatch, overhead."""
    return np.array([n * columns * lanes / workers, partitions, 1.0])


def reduction(partitions, columns, lanes):
    """Return the seconds that results take to the scheduler's side, level by level."""
    levels = max(np.ceil(np.log(max(partitions, 2)) / np.log(FAN_IN)), 1.0)
    return levels * FAN_IN * columns * lanes * 8 / BANDWIDTH


def model(figures):
    """Fit the constants to the first pass, in which all lanes are there."""
    cores = 2
    A = [
        features(min(f["workers"], cores), f["rows"], f["partitions"], COLUMNS, LANES)
        for f in figures
    ]
    seconds = [f["seconds_of_first_pass"] for f in figures]
    scale = 1 / np.array(seconds)  # relative errors
    constants = np.linalg.lstsq(np.array(A) * scale[:, None], np.ones(len(A)), rcond=None)[0]
    constants = np.maximum(constants, 0.0)
    for f, a in zip(figures, A, strict=True):
        line = {"figure": "dask_model_check", "workers": f["workers"], "rows": f["rows"]}
        line |= {"measured": f["seconds_of_first_pass"], "modelled": round(float(a @ constants), 3)}
        print(json.dumps(line), flush=True)
    return constants


def foretell(constants):
    """Print what larger clusters would take for one pass, and for a fit of 40 passes."""
    for n, columns, lanes in ((10**8, 50, 48), (10**9, 1000, 48), (10**9, 10_000, 1000)):
        for workers in (10, 100, 1000):
            partitions = max(4 * workers, -(-n * columns // 10**8))
            one = float(features(workers, n, partitions, columns, lanes) @ constants)
            one += reduction(partitions, columns, lanes)
            line = {"figure": "dask_model", "workers": workers, "rows": n, "columns": columns}
            line |= {"lanes": lanes, "partitions": partitions}
            line |= {"mb_reduced_per_pass": round(partitions * columns * lanes * 8 / 2**20)}
            line |= {"seconds_per_pass": round(one, 1), "hours_of_40_passes": round(one / 90, 2)}
            print(json.dumps(line), flush=True)


def main(n="1e6"):
    n = int(float(n))
    sizes = [(2, n, n // 8), (2, n // 4, n // 32), (2, n, n // 64), (4, n, n // 8)]
    foretell(model([measure(*size) for size in sizes]))


if __name__ == "__main__":
    main(*sys.argv[1:])
