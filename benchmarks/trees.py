"""Two versions of the package side by side, to see whether the new one is slower.

``python -m benchmarks.trees OLD/src NEW/src [words ...]`` keeps one process per tree and lets them
take turns at the same fits, those whose names hold one of the words. A line per fit: processor
seconds of both (medians), and their ratio, old / new: below 1 the new tree is slower; `low` and
`high` are the quartiles of the ratios of single turns. Long ones take three turns, others nine.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

from benchmarks.problems import DATA

TURNS, FEW_TURNS, LONG = 9, 3, 2.0  # seconds
C_VALUES = {"C": [2.0**-4, 2.0**-1, 2.0**2, 2.0**5]}


def fit(name: str, params: dict[str, Any]) -> float:
    """Return the processor seconds of one fit, without reading the data."""
    from pseudolinear import LinearLearner, MeasureClassifier
    from pseudolinear.datasets import load_dataset

    data = load_dataset(name, DATA)
    options = dict(params)
    if "loss" in options:  # the grid, one split and no refit: next to nothing but the solvers
        options |= {"search": "grid", "cv": "holdout", "refit": False}
        options |= {"param_grid": {"C": [0.1, 10.0]}}
        options["estimator"] = LinearLearner(options.pop("loss"))
    options = {"estimator": LinearLearner(), "param_grid": C_VALUES, "random_state": 0} | options
    classifier = MeasureClassifier(**options)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        classifier.fit(data.X_train, data.Y_train)
    return time.process_time() - start


def solve(loss: str, name: str, label: int) -> float:
    """Return the processor seconds of the literature's grid of one label."""
    from benchmarks.problems.grids import grid, load
    from pseudolinear.learners import LinearLearner

    X, Y = load(name)
    start = time.process_time()
    LinearLearner(loss).fit_batch(X, Y, grid([label]))
    return time.process_time() - start


FITS: dict[str, Callable[[], float]] = {
    "linear, adult": partial(fit, "adult", {}),
    "linear, scene macro": partial(fit, "scene", {"measure": "f1_macro"}),
    "linear, yeast micro": partial(fit, "yeast", {"measure": "f1_micro"}),
    "linear, enron macro": partial(fit, "enron", {"measure": "f1_macro"}),
    **{
        f"engine, {loss}, {name}": partial(fit, name, {"loss": loss, "measure": measure})
        for loss in ("logistic", "squared_hinge", "hinge")
        for name, measure in (("adult", "f1"), ("scene", "f1_macro"))
    },
    **{  # the hinge's slowest
        f"grid, hinge, {name} {label}": partial(solve, "hinge", name, label)
        for name, label in (("siam500", 5), ("siam500", 10), ("rcv1sub", 10), ("rcv1sub", 70))
    },
}


def work() -> None:
    """Fit what is asked for, line by line."""
    for line in sys.stdin:
        print(FITS[line.strip()](), flush=True)


def start(source: str) -> subprocess.Popen[str]:
    """Start a process that sees one tree."""
    environment = os.environ | {
        "PYTHONPATH": str(Path(source).resolve()),
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "benchmarks.trees", "work"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)


def ask(process: subprocess.Popen[str], title: str) -> float:
    """Let a process fit, and return its seconds."""
    stdin: IO[str] = process.stdin  # type: ignore[assignment]
    stdout: IO[str] = process.stdout  # type: ignore[assignment]
    print(title, file=stdin, flush=True)
    return float(stdout.readline())


def main(old: str, new: str, *words: str) -> None:
    trees = [start(old), start(new)]
    for title in FITS:
        if words and not any(word in title for word in words):
            continue
        first = [ask(tree, title) for tree in trees]  # read the data, compile
        n_turns = FEW_TURNS if max(first) > LONG else TURNS
        turns = [[ask(tree, title) for tree in trees] for _ in range(n_turns)]
        before, after = (statistics.median(times) for times in zip(*turns, strict=True))
        low, ratio, high = statistics.quantiles([a / b for a, b in turns], n=4)
        figure = {"figure": f"trees, {title}", "old": before, "new": after, "ratio": ratio}
        print(json.dumps(figure | {"low": low, "high": high}), flush=True)


if __name__ == "__main__":
    work() if sys.argv[1:] == ["work"] else main(*sys.argv[1:])
