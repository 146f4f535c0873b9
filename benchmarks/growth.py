"""How time grows with rows, features, labels, classes and folds, and what memory a batch takes.

Prints one JSON line per figure: the slope of time in a log-log plot, of the engine alone (rows,
features and labels, 19 costs each) or of a whole fit (classes, folds), and the peak memory of the
engine beyond the data in units of (rows + features) x batch x 8 bytes.
"""

from __future__ import annotations

import json
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pseudolinear import MeasureClassifier
from pseudolinear.learners import LabelProblem, LinearLearner

LEVELS = np.arange(1, 20) / 10
REPEATS = 3
LONG = 5.0  # seconds from which a fit is not repeated


def problems(n_labels: int) -> list[LabelProblem]:
    return [LabelProblem(k, ((2 - t) / t, 1.0)) for k in range(n_labels) for t in LEVELS]


def data(n_rows: int, n_labels: int, n_features: int = 20) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features))
    weights = rng.normal(size=(n_features, n_labels)) * np.sqrt(20 / n_features)
    scores = X @ weights + 3 * rng.normal(size=(n_rows, n_labels))
    return X, (scores > 5).astype(np.int8)


def seconds(work: Callable[..., Any], *args: Any) -> float:
    times: list[float] = []
    while len(times) < REPEATS and sum(times) < LONG:
        start = time.process_time()
        work(*args)
        times.append(time.process_time() - start)
    return statistics.median(times)


def tell(what: str, name: str, sizes: Sequence[int], times: Sequence[float]) -> None:
    slope = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    figure = {"figure": f"time against {what}, {name}", what: list(sizes)}
    figure |= {"seconds": np.round(times, 3).tolist(), "slope": round(slope, 2)}
    print(json.dumps(figure), flush=True)


def engine(loss: str) -> None:
    """Tell of batches of one loss."""
    learner = LinearLearner(loss)

    def fit(X: np.ndarray, Y: np.ndarray) -> None:
        learner.fit_batch(X, Y, problems(Y.shape[1]))

    fit(*data(1000, 1))  # compiles
    rows, features, labels = [10_000, 100_000, 1_000_000], [25, 100, 400], [4, 16, 64]
    tell("rows", loss, rows, [seconds(fit, *data(n, 1)) for n in rows])
    tell("features", loss, features, [seconds(fit, *data(5000, 1, d)) for d in features])
    tell("labels", loss, labels, [seconds(fit, *data(2000, k)) for k in labels])
    X, Y = data(100_000, 1)
    tracemalloc.start()
    fit(X, Y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    unit = sum(X.shape) * len(LEVELS) * 8
    figure = {"figure": f"peak memory beyond the data, {loss}", "megabytes": peak >> 20}
    print(json.dumps(figure | {"multiple": round(peak / unit, 2)}), flush=True)


def fits() -> None:
    """Tell of whole fits of the linear learner."""

    def fit(X: np.ndarray, y: np.ndarray, cv: int = 3) -> None:
        measure = "f1" if y.max() == 1 else "f1_macro"
        MeasureClassifier("linear", measure=measure, cv=cv, random_state=0).fit(X, y)

    classes, folds = [4, 8, 16, 32], [2, 4, 8, 16]
    X, scores = data(5000, 1)[0], np.random.default_rng(1).normal(size=(20, 32))
    noise = np.random.default_rng(2).gumbel(size=(5000, 32))
    drawn = {k: (X @ scores[:, :k] + noise[:, :k]).argmax(axis=1) for k in classes}
    fit(X[:500], drawn[4][:500])  # compiles
    tell("classes", "linear fit", classes, [seconds(fit, X, drawn[k]) for k in classes])
    X, Y = data(20_000, 1)
    tell("folds", "linear fit", folds, [seconds(fit, X, Y[:, 0], k) for k in folds])


def main() -> None:
    for loss in ("logistic", "squared_hinge", "hinge"):
        engine(loss)
    fits()


if __name__ == "__main__":
    main()
