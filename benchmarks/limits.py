"""What the squared hinge waits for on text: iterations, and what of them is the certificate's.

    python -m benchmarks.limits [data ...]

Prints one JSON line per data set, for one label and the literature's grid without mixtures of
solutions: the condition of the Hessian at the largest C and equal costs, the iterations that the
bound of plain conjugate gradients allows for it, and the mean iterations at that C until the
objective is within 1e-3 of the optimum and until a dual point proves it, of which the solver can
only know the second; the same over the whole grid; and what factors of Hessians take of the time.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds

import pseudolinear.learners.solvers._exact as exact
import pseudolinear.learners.solvers._precondition as precondition
import pseudolinear.learners.solvers._smooth as smooth
from benchmarks.linear_grid import objective
from benchmarks.problems.grids import grid, labels_of, load
from pseudolinear.learners import LinearLearner

SETS = ("smsspam", "atis", "ohsumed", "20ng", "enron", "siam500")
TOL, OPTIMUM = 1e-3, 1e-6
seen: dict[int, list[tuple[int, float]]] = {}
in_factors = [0.0]


def watched(measure: Any) -> Any:
    """Keep the objectives that `measure` finds, by problem and iteration."""

    def watch(batch: Any) -> None:
        measure(batch)
        for lane in np.flatnonzero(batch.alive):
            problem = int(batch.chains[lane].problems[batch.position[lane]])
            found = int(batch.iterations[lane]), float(batch.objective[lane])
            seen.setdefault(problem, []).append(found)

    return watch


def timed(work: Any) -> Any:
    """Count the time of a function as that of factors."""

    def call(*args: Any, **kwargs: Any) -> Any:
        start = time.process_time()
        try:
            return work(*args, **kwargs)
        finally:
            in_factors[0] += time.process_time() - start

    return call


def bench(name: str) -> dict[str, Any]:
    X, Y = load(name)
    problems = grid(labels_of(name, Y, 3)[:1])
    C = np.array([problem.params["C"] for problem in problems])
    loss = "squared_hinge"

    def value(problem: Any, model: Any) -> float:
        return objective(X, Y, problem, loss, model.coef, model.intercept)

    best = LinearLearner(loss, tol=OPTIMUM).fit_batch(X, Y, problems)
    optima = [value(*pair) for pair in zip(problems, best, strict=True)]
    seen.clear()
    in_factors[0], start = 0.0, time.process_time()
    models = LinearLearner(loss, tol=TOL).fit_batch(X, Y, problems)
    seconds = time.process_time() - start
    certified = np.array([model.n_iter for model in models])
    reached = np.array(
        [
            min((n for n, found in seen[k] if found <= (1 + TOL) * optimum), default=certified[k])
            for k, optimum in enumerate(optima)
        ]
    )
    largest = np.flatnonzero(C.max() == C)
    equal = min(largest, key=lambda k: abs(np.ptp(problems[k].class_costs)))
    y = Y[:, problems[equal].label]
    margin = np.where(y > 0, 1, -1) * (X @ best[equal].coef + best[equal].intercept)
    root = np.sqrt(2 * C[equal] * problems[equal].class_costs[y] * (margin < 1))
    weighted = sparse.diags_array(root) @ X if sparse.issparse(X) else root[:, None] * X
    condition = 1 + svds(weighted, 1, return_singular_vectors=False, rng=0)[0] ** 2
    return {
        "figure": f"limits, {name}",
        "condition": float(f"{condition:.3g}"),
        "conjugate_gradients": round(0.5 * np.sqrt(condition) * np.log(2 / np.sqrt(TOL))),
        "reached_at_largest": round(float(reached[largest].mean()), 1),
        "certified_at_largest": round(float(certified[largest].mean()), 1),
        "reached": int(reached.sum()),
        "certified": int(certified.sum()),
        "seconds": round(seconds, 2),
        "share_of_factors": round(in_factors[0] / seconds, 2),
    }


def main() -> None:
    warnings.simplefilter("ignore")
    smooth.measure = watched(smooth.measure)
    smooth.MIXTURE_FEATURES = (1 << 30, 1 << 30)  # none: every problem is solved by iterations,
    smooth.special_method = lambda *_: None  # and these are of the primal method
    for module, names in (
        (exact, ("feature_solver", "newton_point")),
        (precondition, ("feature_solver", "row_solver")),
    ):
        for name in names:
            setattr(module, name, timed(getattr(module, name)))
    for name in sys.argv[1:] or SETS:
        print(json.dumps(bench(name)), flush=True)


if __name__ == "__main__":
    main()
