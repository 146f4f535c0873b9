"""Time, memory and F1 of many labels on sparse rows, beside what people use.

    python -m benchmarks.scale.labels [--rows 20000] [--labels 100 1000] [--systems ours_macro ...]

prints one JSON line per number of labels and system: seconds of processor time and peak memory of
fitting, milliseconds to predict a row, and macro- and micro-F1 on 10,000 test rows. Rows are those
of `_zipf.py`: 50,000 features, 50 words a row, labels of Zipf frequencies. Every system runs in a
process of its own. LibMultiLabel runs where it is installed; --python
names the interpreter that has it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.problems.zipf import make_zipf

N_TEST = 10_000
Predict = Callable[[Any], Any]


def ours(X: Any, Y: Any, measure: str) -> Predict:
    from pseudolinear import MeasureClassifier

    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X, Y)
    return clf.predict


def one_vs_rest(X: Any, Y: Any, model: Any) -> Predict:
    from sklearn.multiclass import OneVsRestClassifier

    return OneVsRestClassifier(model).fit(X, Y.astype(np.int64)).predict


def liblinear(X: Any, Y: Any) -> Predict:
    from sklearn.linear_model import LogisticRegression

    return one_vs_rest(X, Y, LogisticRegression(solver="liblinear", C=4.0))


def sgd(X: Any, Y: Any) -> Predict:
    from sklearn.linear_model import SGDClassifier

    return one_vs_rest(X, Y, SGDClassifier(loss="log_loss", random_state=0))


def libmultilabel(X: Any, Y: Any, how: str) -> Predict:
    import libmultilabel.linear as linear

    def predict(rows: Any) -> Any:
        scores = linear.predict_values(model, rows)
        return sparse.csr_matrix(scores > 0)

    train = {
        "1vsrest": linear.train_1vsrest,
        "thresholding": linear.train_thresholding,
        "tree": linear.train_tree,
    }[how]
    model = train(sparse.csr_matrix(Y), X, "-s 2 -m 1 -q")
    if how != "tree":
        return predict

    def from_tree(rows: Any) -> Any:  # its scores are probabilities
        return sparse.csr_matrix(linear.predict_values(model, rows) > 0.5)

    return from_tree


SYSTEMS: dict[str, Callable[[Any, Any], Predict]] = {
    "ours_macro": lambda X, Y: ours(X, Y, "f1_macro"),
    "ours_micro": lambda X, Y: ours(X, Y, "f1_micro"),
    "sklearn_liblinear": liblinear,
    "sklearn_sgd": sgd,
    "libmultilabel_1vsrest": lambda X, Y: libmultilabel(X, Y, "1vsrest"),
    "libmultilabel_thresholding": lambda X, Y: libmultilabel(X, Y, "thresholding"),
    "libmultilabel_tree": lambda X, Y: libmultilabel(X, Y, "tree"),
}


def f1(Y: Any, predicted: Any) -> dict[str, float]:
    """Return both averages, by counts of sparse matrices."""
    true, flagged = (sparse.csr_matrix(one, dtype=np.float64) for one in (Y, predicted))
    hits = np.asarray(true.multiply(flagged).sum(axis=0)).ravel()
    total = np.asarray(true.sum(axis=0) + flagged.sum(axis=0)).ravel()
    macro = np.divide(2 * hits, total, out=np.zeros_like(hits), where=total > 0).mean()
    return {"macro_f1": round(float(macro), 4), "micro_f1": round(2 * hits.sum() / total.sum(), 4)}


def seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def run(system: str, n_rows: int, n_labels: int) -> dict[str, Any]:
    """Measure one system in this process."""
    warnings.simplefilter("ignore")
    X, Y = make_zipf(n_rows + N_TEST, n_labels)
    X_test, Y_test, X, Y = X[n_rows:], Y[n_rows:], X[:n_rows], Y[:n_rows]
    if system.startswith("ours"):  # compiled loops are cached; loading them is not fitting
        ours(*make_zipf(300, 1000, 500), "f1_macro" if "macro" in system else "f1_micro")
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, seconds()
    predict = SYSTEMS[system](X, Y)
    fitted, peak = seconds() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    start = seconds()
    predicted = predict(X_test)
    return {
        "system": system,
        "rows": n_rows,
        "labels": n_labels,
        "fit_cpu_s": round(fitted, 1),
        "peak_mb_beyond_start": round(peak / 1024),
        "predict_ms_a_row": round((seconds() - start) / N_TEST * 1e3, 3),
        **f1(Y_test, predicted),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--labels", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--limit", type=float, default=1800.0, help="seconds of a system")
    parser.add_argument("--here", action="store_true", help="in this process")
    given = parser.parse_args()
    if given.here:
        print(json.dumps(run(given.systems[0], given.rows, given.labels[0])))
        return
    one_thread = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    for n_labels in given.labels:
        for system in given.systems:
            python = given.python if system.startswith("libmultilabel") else sys.executable
            call = [
                python,
                "-m",
                "benchmarks.scale.labels",
                "--here",
                "--systems",
                system,
                "--rows",
                str(given.rows),
            ]
            call += ["--labels", str(n_labels)]
            start = time.monotonic()
            try:
                done = subprocess.run(
                    call, env=os.environ | one_thread, text=True,
                    capture_output=True, timeout=given.limit, check=True,
                )  # fmt: skip
                print(done.stdout.strip().splitlines()[-1], flush=True)
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
                reason = (getattr(error, "stderr", "") or "timeout").strip().splitlines()[-1]
                failed = {"system": system, "rows": given.rows, "labels": n_labels}
                failed |= {"failed": str(reason)[:200], "after_s": round(time.monotonic() - start)}
                print(json.dumps(failed), flush=True)


if __name__ == "__main__":
    main()
