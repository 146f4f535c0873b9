"""Rows beyond memory: time, passes and peak memory of a fit in parts, against the number of rows.

    python -m benchmarks.scale.rows dense 1e5 1e6 1e7
    python -m benchmarks.scale.rows sparse 1e5 1e6

Rows are written to files first; every size runs in a process of its own, so that peak memory is
its own. `memory` beside it is the same fit on the same rows in memory, where they are few enough.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse

from pseudolinear import MeasureClassifier
from pseudolinear.scale import ArrayParts, BatchParts, LocalEngine

COLUMNS = {"dense": 50, "sparse": 100_000}
NONZERO = 50
PIECE = 50_000
IN_MEMORY = {"dense": 1_000_000, "sparse": 100_000}  # rows up to which memory is tried as well


def piece(kind, number, n):
    """Return some rows, the same for the same number."""
    d, rng = COLUMNS[kind], np.random.default_rng(number)
    w = np.random.default_rng(1).normal(size=d)
    if kind == "dense":
        X = rng.normal(size=(n, d))
        return X, (2 * X @ w / np.sqrt(d) - 4 + rng.logistic(size=n) > 0).astype(np.int8)
    columns = np.sort((d * rng.random((n, NONZERO)) ** 3).astype(np.int32), axis=1)
    starts = np.arange(0, n * NONZERO + 1, NONZERO)
    X = sparse.csr_matrix((rng.random(n * NONZERO) + 0.1, columns.ravel(), starts), shape=(n, d))
    X.sum_duplicates()
    X = sparse.diags(1 / np.sqrt(np.asarray(X.multiply(X).sum(axis=1))[:, 0])) @ X
    return X.tocsr(), (3 * X @ w - 3 + rng.logistic(size=n) > 0).astype(np.int8)


def write(kind, n, folder):
    """Write rows to files."""
    y = []
    if kind == "dense":
        shape = (n, COLUMNS[kind])
        X = np.lib.format.open_memmap(folder / "X.npy", "w+", np.float64, shape)
    for start in range(0, n, PIECE):
        rows, classes = piece(kind, start, min(PIECE, n - start))
        y.append(classes)
        if kind == "dense":
            X[start : start + PIECE] = rows
        else:
            sparse.save_npz(folder / f"{start}.npz", rows, compressed=False)
    np.save(folder / "y.npy", np.concatenate(y))


def opened(kind, n, folder):
    """Return the rows in parts."""
    y = np.load(folder / "y.npy")
    if kind == "dense":
        return ArrayParts(np.load(folder / "X.npy", mmap_mode="r"), y)
    starts = range(0, n, PIECE)
    return BatchParts(
        lambda: ((sparse.load_npz(folder / f"{i}.npz"), y[i : i + PIECE]) for i in starts)
    )


def loaded(kind, n, folder):
    """Return the rows in memory."""
    y = np.load(folder / "y.npy")
    if kind == "dense":
        return np.load(folder / "X.npy"), y
    pieces = [sparse.load_npz(folder / f"{i}.npz") for i in range(0, n, PIECE)]
    return sparse.vstack(pieces, format="csr"), y


def one(kind, n, folder, how):
    """Fit once, and print the figure."""
    passes = {}
    reduce = LocalEngine.reduce

    def counted(self, stage, function, *args):
        passes[stage] = passes.get(stage, 0) + 1
        return reduce(self, stage, function, *args)

    LocalEngine.reduce = counted
    fresh = piece(kind, 10**9, PIECE)
    MeasureClassifier("linear", random_state=0).fit(
        ArrayParts(*(rows[:2000] for rows in fresh))
    )  # compiles
    passes.clear()
    data = loaded(kind, n, folder) if how == "memory" else (opened(kind, n, folder),)
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cpu, wall = time.process_time(), time.perf_counter()
    clf = MeasureClassifier("linear", random_state=0).fit(*data)
    figure = {
        "figure": f"rows_{kind}",
        "how": how,
        "rows": n,
        "columns": COLUMNS[kind],
        "cpu_seconds": round(time.process_time() - cpu, 1),
        "seconds": round(time.perf_counter() - wall, 1),
        "peak_mb": round((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) / 1024),
        "data_mb": round(sum(file.stat().st_size for file in folder.glob("*.np*")) / 2**20),
        "passes": passes,
        "f1_held_out": round(clf.best_score_, 4),
        "f1_test": round(clf.score(*fresh), 4),
    }
    print(json.dumps(figure), flush=True)
    return figure


def slope(figures):
    """Return the slope of CPU time against rows, both as logarithms."""
    rows, seconds = ([figure[name] for figure in figures] for name in ("rows", "cpu_seconds"))
    return round(float(np.polyfit(np.log(rows), np.log(seconds), 1)[0]), 3)


def main(kind, *sizes):
    figures = []
    for n in (int(float(size)) for size in sizes):
        with tempfile.TemporaryDirectory() as folder:
            write(kind, n, Path(folder))
            for how in ("parts", "memory") if n <= IN_MEMORY[kind] else ("parts",):
                command = [
                    sys.executable,
                    "-m",
                    "benchmarks.scale.rows",
                    "--one",
                    kind,
                    str(n),
                    folder,
                    how,
                ]
                text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                print(text, end="", flush=True)
                figures.append(json.loads(text))
    parts = [figure for figure in figures if figure["how"] == "parts"]
    if len(parts) > 1:
        print(json.dumps({"figure": f"rows_{kind}_slope", "slope": slope(parts)}))


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        _, _, kind, n, folder, how = sys.argv
        one(kind, int(n), Path(folder), how)
    else:
        main(*sys.argv[1:])
