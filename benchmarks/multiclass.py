"""Default fits of multiclass problems against scikit-learn's LogisticRegressionCV, one thread each.

    python -m benchmarks.multiclass [--data splice,atis] [--rows 20000] [--repeat 5]

prints one JSON line per data set and measure: CPU seconds of ours and of the peer (10 values of C,
the same three folds, chosen by the same measure), their ratio, and macro-F1 and micro-F1 without
the default class of both on the test rows. Fits are interleaved and repeated, medians count; data
sets with more training rows than ``--rows`` are cut to so many, drawn with seed 0, and fitted once.
"""

from __future__ import annotations

import argparse
import json
import lzma
import statistics
import time
import warnings
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_svmlight_files
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from benchmarks.problems import DATA
from pseudolinear import FBeta, MeasureClassifier

NAMES = ("splice", "steelfaults", "annthyroid", "atis", "wnut17")
MEASURES = ("macro", "micro")
DEFAULT_CLASS = 0  # the code of the default class in all data sets


def read(name: str) -> tuple[Any, np.ndarray, Any, np.ndarray]:
    """Return training rows with their classes, and test rows with theirs; dense if mostly so."""
    folder = DATA / name
    with lzma.open(folder / "train.svm.xz") as train, lzma.open(folder / "test.svm.xz") as test:
        X, y, X_test, y_test = load_svmlight_files([train, test])
    if 2 * X.nnz > np.prod(X.shape):
        X, X_test = X.toarray(), X_test.toarray()
    return X, y.astype(int), X_test, y_test.astype(int)


def f1(y: np.ndarray, predicted: np.ndarray, average: str, others: list[int]) -> float:
    """Return macro-F1 over all classes, or micro-F1 over all but the default class."""
    labels = others if average == "micro" else None
    return float(f1_score(y, predicted, labels=labels, average=average, zero_division=0))


def systems(average: str, y: np.ndarray, splits: Any) -> dict[str, Any]:
    """Return ours and the peer for a measure."""
    others = [k for k in np.unique(y) if k != DEFAULT_CLASS]
    measure = FBeta(average=average, default_class=DEFAULT_CLASS if average == "micro" else None)

    def score(model: Any, X: Any, y: np.ndarray) -> float:
        return f1(y, model.predict(X), average, others)

    return {
        "ours": MeasureClassifier("linear", measure=measure, cv=splits, random_state=0),
        "peer": LogisticRegressionCV(Cs=10, cv=splits, scoring=score),
    }


def fit(system: Any, X: Any, y: np.ndarray) -> tuple[float, Any]:
    """Return CPU seconds and the fitted system."""
    start = time.process_time()
    fitted = clone(system).fit(X, y)
    return time.process_time() - start, fitted


def run(name: str, average: str, rows: int, repeat: int) -> dict[str, Any]:
    """Fit both systems in turn and return what to print."""
    X, y, X_test, y_test = read(name)
    n_rows, large = len(y), len(y) > rows
    if large:
        keep = np.sort(np.random.RandomState(0).permutation(n_rows)[:rows])
        X, y = X[keep], y[keep]
    splits = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    both = systems(average, y, splits)
    fit(systems(average, y, 3)["ours"], X[:1000], y[:1000])  # compiles
    seconds: dict[str, list[float]] = {key: [] for key in both}
    fitted: dict[str, Any] = {}
    for _ in range(1 if large else repeat):
        for key, system in both.items():
            spent, fitted[key] = fit(system, X, y)
            seconds[key].append(spent)
    line: dict[str, Any] = {
        "figure": f"multiclass, {name}, {average}", "rows": len(y), "of_rows": n_rows,
        "features": X.shape[1], "classes": len(np.unique(y)),
    }  # fmt: skip
    for key, times in seconds.items():
        line[f"{key}_cpu_s"] = round(statistics.median(times), 3)
    line["ratio"] = round(line["ours_cpu_s"] / line["peer_cpu_s"], 2)
    others = [k for k in np.unique(y) if k != DEFAULT_CLASS]
    for key, system in fitted.items():
        predicted = system.predict(X_test)
        for kind in MEASURES:
            line[f"{key}_{kind}_f1"] = round(f1(y_test, predicted, kind, others), 4)
    return line


def main() -> None:
    """Print one line per data set and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=",".join(NAMES))
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    warnings.simplefilter("ignore")  # the peer stops at 100 iterations; rare classes miss folds
    for name in args.data.split(","):
        for average in MEASURES:
            print(json.dumps(run(name, average, args.rows, args.repeat)), flush=True)


if __name__ == "__main__":
    main()
