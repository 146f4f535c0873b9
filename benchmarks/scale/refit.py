"""Going on: `retrain` on more rows against a new fit, and what a checkpoint costs and saves.

``python -m benchmarks.scale.refit [set ...] [linear] [auto]`` prints one JSON line per data set and
figure. A classifier is fitted on nine tenths of the training rows; then all of them are there. CPU
seconds are medians of three rounds, in each of which all ways come one after the other: `fit`;
`retrain`; from nothing (`retrain_cold`), also to a duality gap of 1e-6 (`retrain_exact`).
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_svmlight_file

from benchmarks.problems import DATA
from pseudolinear import MeasureClassifier
from pseudolinear.datasets import load_dataset
from pseudolinear.learners import LinearLearner

SETS = ("adult", "htru2", "shoppers", "scene", "yeast")
ROUNDS = 3
WARM = LinearLearner.started


def read(name: str) -> tuple[Any, Any, Any, Any]:
    """Return the training and the test rows with their classes or labels."""
    if name in ("htru2", "shoppers"):
        import lzma

        parts = []
        for part in ("train", "test"):
            with lzma.open(DATA / name / f"{part}.svm.xz") as file:
                X, y = load_svmlight_file(file)
            parts += [X.toarray(), (y > y.min()).astype(int)]
        width = min(parts[0].shape[1], parts[2].shape[1])
        return parts[0][:, :width], parts[1], parts[2][:, :width], parts[3]
    data = load_dataset(name, DATA)
    Y, Y_test = (np.asarray(one) for one in (data.Y_train, data.Y_test))
    if Y.ndim == 2 and Y.shape[1] == 1:
        Y, Y_test = Y.ravel(), Y_test.ravel()
    return data.X_train, Y, data.X_test, Y_test


def timed(make: Any) -> tuple[float, Any]:
    start = time.process_time()
    made = make()
    return time.process_time() - start, made


def cold(classifier: MeasureClassifier, X: Any, y: Any, tol: float) -> MeasureClassifier:
    """Retrain, every model from nothing, to a tolerance."""

    def unstarted(self: LinearLearner, problems: Any, models: Any) -> LinearLearner:
        return clone(self).set_params(tol=tol)

    LinearLearner.started = unstarted  # type: ignore[method-assign]
    try:
        return classifier.retrain(X, y)
    finally:
        LinearLearner.started = WARM  # type: ignore[method-assign]


def compare(name: str, estimator: str) -> dict[str, Any]:
    X, y, X_test, y_test = read(name)
    measure = "f1" if y.ndim == 1 else "f1_macro"
    n = X.shape[0] * 9 // 10
    order = np.random.RandomState(0).permutation(X.shape[0])
    X, y = X[order], y[order]

    def new() -> MeasureClassifier:
        return MeasureClassifier(estimator, measure=measure, random_state=0)

    old = new().fit(X[:n], y[:n])
    ways = {
        "fit": lambda: new().fit(X, y),
        "retrain": lambda: old.retrain(X, y),
        "retrain_cold": lambda: cold(old, X, y, 1e-3),
        "retrain_exact": lambda: cold(old, X, y, 1e-6),
    }
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    made = {}
    for _ in range(ROUNDS):
        for way, make in ways.items():
            spent, made[way] = timed(make)
            seconds[way].append(spent)
    figures: dict[str, Any] = {"benchmark": "refit", "set": name, "estimator": estimator}
    figures |= {"rows": X.shape[0], "features": X.shape[1], "measure": measure}
    for way, clf in made.items():
        figures[f"{way}_cpu_seconds"] = round(median(seconds[way]), 3)
        figures[f"{way}_test"] = round(clf.score(X_test, y_test), 4)
        figures[f"{way}_validated"] = round(clf.best_score_, 4)
    figures["old_test"] = round(old.score(X_test, y_test), 4)
    figures["times_faster"] = round(median(seconds["fit"]) / median(seconds["retrain"]), 2)
    return figures


def checkpoint(name: str, estimator: str) -> dict[str, Any]:
    X, y, *_ = read(name)
    measure = "f1" if y.ndim == 1 else "f1_macro"
    spent: dict[str, list[float]] = {"without": [], "with": [], "again": []}
    clf = MeasureClassifier(estimator, measure=measure, random_state=0)
    for _ in range(ROUNDS):
        spent["without"].append(timed(lambda: clf.fit(X, y))[0])
        with TemporaryDirectory() as folder:
            for way in ("with", "again"):
                spent[way].append(timed(partial(clf.fit, X, y, checkpoint=folder))[0])
            files = list(Path(folder).iterdir())
            size = sum(one.stat().st_size for one in files)
    figures = {"benchmark": "checkpoint", "set": name, "estimator": estimator}
    figures |= {f"{way}_cpu_seconds": round(median(own), 3) for way, own in spent.items()}
    return figures | {"files": len(files), "megabytes": round(size / 1e6, 3)}


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    estimators = [name for name in names if name in ("linear", "auto")] or ["linear", "auto"]
    for name in [name for name in names if name not in estimators] or SETS:
        for estimator in estimators:
            for figure in (compare, checkpoint):
                print(json.dumps(figure(name, estimator)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
