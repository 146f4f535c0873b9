"""How time grows with rows and labels, and what memory a batch takes.

Prints one JSON line per figure: the slope of time in a log-log plot, and the peak memory beyond the
data in units of (rows + features) x batch x 8 bytes.
"""

from __future__ import annotations

import json
import statistics
import time
import tracemalloc

import numpy as np

from pseudolinear.learners import LabelProblem, LinearLearner

LEVELS = np.arange(1, 20) / 10
REPEATS = 3


def problems(n_labels: int) -> list[LabelProblem]:
    return [LabelProblem(k, ((2 - t) / t, 1.0)) for k in range(n_labels) for t in LEVELS]


def data(n_rows: int, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 20))
    scores = X @ rng.normal(size=(20, n_labels)) + 3 * rng.normal(size=(n_rows, n_labels))
    return X, (scores > 5).astype(np.int8)


def seconds(learner: LinearLearner, X: np.ndarray, Y: np.ndarray, repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        learner.fit_batch(X, Y, problems(Y.shape[1]))
        times.append(time.process_time() - start)
    return statistics.median(times)


def slope(sizes: list[int], times: list[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def main() -> None:
    for loss in ("logistic", "squared_hinge", "hinge"):
        learner = LinearLearner(loss)
        seconds(learner, *data(1000, 1), repeats=1)  # compiles
        rows = [10_000, 100_000, 1_000_000]
        times = [seconds(learner, *data(n, 1), repeats=REPEATS if n < 10**6 else 1) for n in rows]
        figure = {"figure": f"time against rows, {loss}", "rows": rows}
        figure |= {"seconds": np.round(times, 3).tolist(), "slope": round(slope(rows, times), 2)}
        print(json.dumps(figure), flush=True)
        labels = [4, 16, 64]
        times = [seconds(learner, *data(2000, k), repeats=REPEATS) for k in labels]
        figure = {"figure": f"time against labels, {loss}", "labels": labels}
        figure |= {"seconds": np.round(times, 3).tolist(), "slope": round(slope(labels, times), 2)}
        print(json.dumps(figure), flush=True)
        X, Y = data(100_000, 1)
        tracemalloc.start()
        learner.fit_batch(X, Y, problems(1))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        unit = sum(X.shape) * len(LEVELS) * 8
        figure = {"figure": f"peak memory beyond the data, {loss}", "megabytes": peak >> 20}
        print(json.dumps(figure | {"multiple": round(peak / unit, 2)}), flush=True)


if __name__ == "__main__":
    main()
