"""Measured F1 of the default, the portfolio, the full grid and the peers, on untouched test rows.

    python -m benchmarks.selection --peers PYTHON --runner RUN_PEERS [--data scene,yeast,...]

prints one JSON line per system, data set, measure and seed: F1 in percent with its bootstrap
standard error over the test rows, processor seconds of the fit, and solves. The peers run from
their own packages in an environment of their own (PYTHON) through a runner script that prints one
JSON line per system; without both only our own figures are printed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
import warnings
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

from benchmarks.problems import DATA
from benchmarks.problems.grids import read
from pseudolinear import Grid, LinearLearner, MeasureClassifier

FULL = {"C": [2.0**i for i in range(-6, 7)]}
SYSTEMS: dict[str, dict[str, Any]] = {
    "default": {},
    "linear": {"estimator": LinearLearner(), "param_grid": {"C": [2.0**i for i in (-4, -1, 2, 5)]}},
    "full grid": {"estimator": LinearLearner(), "search": Grid(), "param_grid": FULL},
    "best": {"effort": "best"},
}
PEERS = (
    "sklearn_tuned_threshold,libmultilabel_thresholding_lr,libmultilabel_cost_sensitive_lr,"
    "libmultilabel_cost_sensitive_micro_lr,xcolumns_fw_macro,xcolumns_fw_micro"
)
SVM_PEERS = (
    "sklearn_tuned_threshold_svm,libmultilabel_thresholding_svm,libmultilabel_cost_sensitive_svm,"
    "libmultilabel_cost_sensitive_micro_svm,xcolumns_fw_macro,xcolumns_fw_micro"
)


def bootstrap(Y: np.ndarray, predicted: np.ndarray, average: str, n: int = 200) -> float:
    """Return the standard error of F1 in percent, over draws of test rows."""
    rng = np.random.RandomState(0)
    hits, totals = Y * predicted, Y + predicted
    values = []
    for _ in range(n):
        weight = rng.multinomial(len(Y), np.full(len(Y), 1 / len(Y)))
        hit, total = weight @ hits, weight @ totals
        if average == "micro":
            values.append(2 * hit.sum() / total.sum())
        else:
            values.append(np.mean(2 * hit / np.maximum(total, 1)))
    return float(100 * np.std(values))


def run(name: str, system: str, measure: str, seed: int) -> dict[str, Any]:
    """Fit one of our systems and evaluate it on the test rows."""
    (X, Y), (X_test, Y_test) = read(name, "train"), read(name, "test")
    y = Y[:, 0] if measure == "f1" else Y
    clf = MeasureClassifier(measure=measure, random_state=seed, **SYSTEMS[system])
    start, cpu = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(X, y)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    predicted = clf.predict(X_test).reshape(Y_test.shape)
    average = "micro" if measure == "f1_micro" else "macro"
    value = f1_score(Y_test, predicted, average=average, zero_division=0)
    if measure == "f1":
        value = f1_score(Y_test[:, 0], predicted[:, 0])
    n_folds = 3
    return {
        "benchmark": "selection",
        "system": system,
        "data": name,
        "measure": measure,
        "seed": seed,
        "f1": round(100 * float(value), 2),
        "standard_error": round(bootstrap(Y_test, predicted, average), 2),
        "cpu_seconds": round(cpu, 2),
        "seconds": round(seconds, 2),
        "solves": len(clf.sweep_) * n_folds + Y.shape[1],
        "gap": round(100 * clf.certificate_["cone"].gap, 2),
    }


def run_peers(python: str, runner: str, name: str) -> None:
    """Run the peers in their own environment and print their lines."""
    files = [str(DATA / name / f"{part}.svm.xz") for part in ("train", "test")]
    systems = SVM_PEERS if name == "rcv1sub" else PEERS
    command = [python, runner, "--train", files[0], "--test", files[1], "--name", name]
    done = subprocess.run([*command, "--systems", systems], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            print(
                json.dumps({"benchmark": "selection", "peer": True} | json.loads(line)), flush=True
            )


def main() -> None:
    """Run everything that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="adult,scene,yeast,enron,siam500,rcv1sub")
    parser.add_argument("--systems", default="default,auto,full grid")
    parser.add_argument("--measures", default="f1_macro,f1_micro")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--peers", help="Python of the peers' environment")
    parser.add_argument("--runner", help="script that runs the peers")
    args = parser.parse_args()
    MeasureClassifier("linear").fit([[0.0], [1.0], [0.0], [1.0]] * 3, [0, 1] * 6)  # compile
    for name in args.data.split(","):
        binary = read(name, "train")[1].shape[1] == 1
        measures = ["f1"] if binary else args.measures.split(",")
        for seed in range(args.seeds):
            for system in args.systems.split(","):
                for measure in measures:
                    print(json.dumps(run(name, system, measure, seed)), flush=True)
        if args.peers and args.runner:
            run_peers(args.peers, args.runner, name)


if __name__ == "__main__":
    main()
