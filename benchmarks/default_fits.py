"""Default fits beside what people use: processor seconds, and macro-F1 on the test rows.

    python -m benchmarks.default_fits [yeast ...] [--peers PYTHON] [--seconds 300]

prints one JSON line per data set: of ours (``MeasureClassifier("linear")`` and the default) and of
every peer the time of fitting and predicting, and F1 in percent. `time_to` is the time of the
quickest of ours that reaches the peer's F1 less half a point, over the peer's; None where ours does
not reach it. LibMultiLabel and xCOLUMNs need other versions of what they rest on, so they run by
another PYTHON; a peer that takes more than ``--seconds`` is left out. Ours runs in a process of its
own like the others, compiled before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

from benchmarks.peers.exchange import ask
from benchmarks.problems.grids import read

SETS = (
    "adult", "htru2", "musk2", "yeastme2", "flags", "emotions", "scene", "yeast", "cal500",
    "langlog", "enron",
)  # fmt: skip
OURS = ("ours:linear", "ours:auto")
HERE = ("logistic_regression_cv", "tuned_threshold")
ELSEWHERE = ("libmultilabel:cost_sensitive", "libmultilabel:thresholding", "xcolumns")
TIE = 0.5  # points of F1


def f1(Y: np.ndarray, predicted: np.ndarray) -> float:
    """Return macro-F1 in percent, or F1 of a single label."""
    average = "macro" if Y.shape[1] > 1 else "binary"
    return 100 * float(f1_score(Y, predicted.reshape(Y.shape), average=average, zero_division=0))


def run(name: str, systems: dict[str, str], seconds: float) -> dict[str, Any]:
    """Let all systems fit one data set, one after the other."""
    (X, Y), (X_test, Y_test) = read(name, "train"), read(name, "test")
    Y, Y_test = Y.astype(np.int64), Y_test.astype(np.int64)
    line: dict[str, Any] = {"figure": f"default fits, {name}", "rows": len(Y)}
    line |= {"features": X.shape[1], "labels": Y.shape[1], "systems": {}}
    for system, python in systems.items():
        try:
            spent, predicted = ask(python, system, X, Y, X_test, seconds)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            line["systems"][system] = {"failed": type(error).__name__}
            continue
        result = {"seconds": round(spent, 2), "f1": round(f1(Y_test, predicted), 2)}
        line["systems"][system] = result
    ours = [line["systems"][system] for system in OURS if "f1" in line["systems"][system]]
    for system, result in line["systems"].items():
        if system not in OURS and "f1" in result:
            reached = [one["seconds"] for one in ours if one["f1"] >= result["f1"] - TIE]
            result["time_to"] = round(min(reached) / result["seconds"], 3) if reached else None
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=SETS)
    parser.add_argument("--peers", help="Python of the environment of LibMultiLabel and xCOLUMNs")
    parser.add_argument("--seconds", type=float, default=300.0, help="wall time of a system")
    args = parser.parse_args()
    systems = dict.fromkeys((*OURS, *HERE), sys.executable)
    systems |= dict.fromkeys(ELSEWHERE, args.peers) if args.peers else {}
    for name in args.names:
        print(json.dumps(run(name, systems, args.seconds)), flush=True)


if __name__ == "__main__":
    main()
