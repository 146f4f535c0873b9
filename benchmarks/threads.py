"""What two jobs are worth: the same fit by one job and by two, interleaved.

Prints one JSON line per problem: wall seconds of one job and of two (the first call of a fresh
process, whose loops are compiled and cached, and the best of later ones), their ratios, and the
processor time of two jobs over that of one. A last line says what the machine allows: the loop of
the logistic loss on rows of their own, twice in one thread and once in each of two.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from pseudolinear import MeasureClassifier
from pseudolinear.learners.losses import get_loss

REPEATS = 5


def data(name: str) -> tuple[np.ndarray, np.ndarray, str]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 100))
    labels = {"binary": 1, "8 labels": 8}[name]
    scores = X @ rng.normal(size=(100, labels)) + 10 * rng.normal(size=(20_000, labels))
    Y = (scores > 15).astype(np.int8)
    return X, Y[:, 0] if labels == 1 else Y, "f1" if labels == 1 else "f1_macro"


def fit(X: np.ndarray, y: np.ndarray, measure: str, n_jobs: int) -> tuple[float, float]:
    """Return wall and processor seconds of a fit."""
    clf = MeasureClassifier("linear", measure=measure, n_jobs=n_jobs, random_state=0)
    wall, cpu = time.perf_counter(), time.process_time()
    clf.fit(X, y)
    return time.perf_counter() - wall, time.process_time() - cpu


def work(name: str, n_jobs: int) -> None:
    """Print the wall seconds of the first fit of this process."""
    print(fit(*data(name), n_jobs)[0])


def first(name: str, n_jobs: int) -> float:
    command = [sys.executable, "-m", "benchmarks.threads", name, str(n_jobs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout)


def machine() -> dict[str, Any]:
    """Time work that has nothing to share."""
    rng, lanes, ratios = np.random.default_rng(0), np.ones(24), []
    evaluate = get_loss("logistic").evaluate

    def rows() -> tuple[np.ndarray, ...]:
        V, S, out, R = rng.normal(size=(4, 20_000, 24))
        pos = (rng.random(V.shape) < 0.2).astype(np.int8)
        of_rows = np.ones(len(V)), np.zeros(len(V), np.intp), np.ones((1, 24))
        return V, S, lanes, lanes, pos, lanes, lanes, *of_rows, out, R, np.empty((4, 24))

    def passes(arrays: tuple[np.ndarray, ...]) -> None:
        for _ in range(60):
            evaluate(*arrays)

    both = rows(), rows()
    for _ in range(REPEATS + 1):
        start = time.perf_counter()
        list(map(passes, both))
        middle = time.perf_counter()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(passes, both))
        ratios.append((middle - start) / (time.perf_counter() - middle))
    found = statistics.median(ratios[1:])  # the first one compiled
    return {"figure": "what the machine allows two threads", "ratio": round(found, 2)}


def main() -> None:
    for name in ("binary", "8 labels"):
        rows = data(name)
        fit(*rows, 1), fit(*rows, 2)  # compile
        opening = {jobs: min(first(name, jobs) for _ in range(3)) for jobs in (1, 2)}
        turns = [[fit(*rows, jobs) for jobs in (1, 2)] for _ in range(REPEATS)]
        wall = [min(turn[i][0] for turn in turns) for i in range(2)]
        cpu = [min(turn[i][1] for turn in turns) for i in range(2)]
        figure: dict[str, Any] = {"figure": f"two jobs, 20,000 x 100, {name}"}
        figure |= {"one_job": round(wall[0], 2), "two_jobs": round(wall[1], 2)}
        figure |= {"ratio": round(wall[0] / wall[1], 2), "cpu_ratio": round(cpu[1] / cpu[0], 2)}
        figure |= {f"first_{jobs}": round(spent, 2) for jobs, spent in opening.items()}
        figure["first_ratio"] = round(opening[1] / opening[2], 2)
        print(json.dumps(figure), flush=True)
    print(json.dumps(machine()), flush=True)


if __name__ == "__main__":
    work(sys.argv[1], int(sys.argv[2])) if sys.argv[1:] else main()
