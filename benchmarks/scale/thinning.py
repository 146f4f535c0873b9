"""What the plan of many labels loses against trying everything at every label.

    python -m benchmarks.scale.thinning [names of data sets]

prints one JSON line per data set and measure: F1 on the test rows of the plan that thins out, of
the same engine with all settings at every label, and of the way that fewer than 1,000 labels go;
with the problems per label and the seconds of processor time of each. The sets have fewer labels
than the plan is for, so its sample of 40 labels is a larger share than it would be of a thousand.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from typing import Any

import numpy as np

from benchmarks.problems.data import read_set
from pseudolinear import MeasureClassifier
from pseudolinear.extreme import _fit, _routing

SETS = ("cal500", "enron", "langlog", "stackexchess", "ohsumed", "corel5k", "bibtex", "rcv1sub")


def run(X: Any, Y: Any, X_test: Any, Y_test: Any, measure: str, way: str) -> dict[str, float]:
    clf = MeasureClassifier("linear", measure=measure, random_state=0)
    many, fit = _routing.MANY_LABELS, _fit.sample_labels
    _routing.MANY_LABELS = 10**9 if way == "few" else 1
    if way == "all":
        _fit.sample_labels = lambda n_positive, seed: np.arange(len(n_positive))
    start = time.process_time()
    try:
        clf.fit(X, Y)
    finally:
        _routing.MANY_LABELS, _fit.sample_labels = many, fit
    seconds = time.process_time() - start
    found = {"f1": clf.score(X_test, Y_test), "seconds": seconds}
    if way != "few":
        found["problems"] = clf.many_labels_.n_problems / Y.shape[1]
        found["kept"] = clf.many_labels_.truncation.kept
    return found


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    for name in names or SETS:
        parts = read_set(name)
        for measure in ("f1_macro", "f1_micro"):
            line: dict[str, Any] = {"data": name, "labels": parts[1].shape[1], "measure": measure}
            for way in ("thin", "all", "few"):
                found = run(*parts, measure, way)
                line |= {f"{way}_{key}": round(value, 4) for key, value in found.items()}
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
