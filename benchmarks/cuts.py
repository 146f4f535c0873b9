"""What cutting costs: curves of many columns and folds, and a fit's time outside of its solver.

    python -m benchmarks.cuts [data ...]

Prints a line of JSON for the curves of 1,000 labels x 16 candidates x 3 folds of 10,000 rows, from
random scores in batches as a sweep has them, and one for the default linear fit of each data set:
processor seconds in all and in the solver, of the repetition that took least, and the
share of the rest.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from typing import Any

import numpy as np

from benchmarks.problems.grids import read
from pseudolinear import MeasureClassifier
from pseudolinear.errors import fold_curves
from pseudolinear.learners import LinearLearner

SETS = ("cal500", "langlog", "enron", "yeast", "scene", "adult", "siam500", "bibtex")
MOST_LABELS = 40  # of bibtex, whose 159 labels would take minutes
REPEATS = 2  # after one that compiles
N_LABELS, N_CANDIDATES, N_FOLDS, N_ROWS, BATCH = 1000, 16, 3, 10_000, 64


def cut() -> dict[str, Any]:
    """Time the curves of all columns, of each fold and of all together."""
    rng = np.random.default_rng(0)
    sizes = [len(part) for part in np.array_split(np.arange(N_ROWS), N_FOLDS)]
    owner, seconds, n_cuts = np.repeat(np.arange(BATCH), N_CANDIDATES), 0.0, 0
    for first in range(-BATCH, N_LABELS, BATCH):  # the first batch compiles, and does not count
        n_labels = min(BATCH, N_LABELS - max(first, 0))
        truth = rng.random((n_labels, N_ROWS)) < rng.uniform(0.01, 0.2, (n_labels, 1))
        own = owner[: n_labels * N_CANDIDATES]
        scores = rng.normal(size=(len(own), N_ROWS)) + truth[own]
        began = time.process_time()
        curves = fold_curves(scores, truth, own, sizes)
        if first >= 0:
            seconds += time.process_time() - began
            n_cuts += sum(len(some.fn) for some in curves)
    return {
        "figure": "curves", "labels": N_LABELS, "candidates": N_CANDIDATES, "folds": N_FOLDS,
        "rows": N_ROWS,
        "seconds": round(seconds, 2), "cuts": n_cuts,
    }  # fmt: skip


def fit(name: str) -> dict[str, Any]:
    """Time the default linear fit, and the solver within it."""
    X, Y = read(name, "train")
    several = Y.shape[1] > 1
    y = Y[:, :MOST_LABELS] if name == "bibtex" else Y if several else Y[:, 0]
    clf = MeasureClassifier("linear", measure="f1_macro" if several else "f1", random_state=0)
    best = (np.inf, 0.0)
    for _ in range(REPEATS + 1):
        in_solver[0] = 0.0
        began = time.process_time()
        clf.fit(X, y)
        best = min(best, (time.process_time() - began, in_solver[0]))
    total, solver = best
    return {
        "figure": f"share, {name}", "rows": X.shape[0], "features": X.shape[1],
        "labels": y.size // len(y),
        "seconds": round(total, 3), "solver_seconds": round(solver, 3),
        "rest": round(1 - solver / total, 3),
    }  # fmt: skip


in_solver = [0.0]


def clocked(self: LinearLearner, X: Any, batch: Any, solve: Any = LinearLearner._solve) -> Any:
    """Solve a batch, and add up how long that takes."""
    began = time.process_time()
    found = solve(self, X, batch)
    in_solver[0] += time.process_time() - began
    return found


def main(names: list[str]) -> None:
    """Print the lines."""
    warnings.simplefilter("ignore")
    if not names:
        print(json.dumps(cut()), flush=True)
    LinearLearner._solve = clocked  # type: ignore[method-assign]
    for name in names or SETS:
        print(json.dumps(fit(name)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
