"""The full grid of 13 C x 19 costs against LIBLINEAR, one thread each.

Prints one JSON line per data set and loss. Ours: CPU seconds of the whole grid, free intercept,
relative duality gap 1e-3, in batches of the learner's size. LIBLINEAR: a fixed sample of the same
problems, constant feature 100, scaled up to the grid; logistic and squared hinge by the primal
solvers of liblinear-official at their default tolerance, the hinge by scikit-learn's copy of the
dual solver (the only one whose iterations can be raised), by 1,000 or else ``--peer-iter``
iterations until its objective is within 1e-2 of a certified bound. Both are interleaved and
repeated, medians count. `objective_ratio` is the worst of our objective over LIBLINEAR's,
both without the penalty of the intercept.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import warnings
from typing import Any

import numpy as np
from _problems import NAMES, grid, labels_of, load, sample
from liblinear import liblinear, liblinearutil
from scipy import sparse
from sklearn.svm import LinearSVC

from pseudolinear.learners import LinearLearner, Problem

SOLVERS = {"logistic": 0, "squared_hinge": 2}


def objective(X: Any, Y: np.ndarray, problem: Problem, loss: str, w: np.ndarray, b: float) -> float:
    y = Y[:, problem.label]
    m = np.where(y > 0, 1, -1) * (X @ w + b)
    losses = {
        "logistic": lambda: np.logaddexp(0, -m),
        "squared_hinge": lambda: np.maximum(0, 1 - m) ** 2,
        "hinge": lambda: np.maximum(0, 1 - m),
    }[loss]()
    return 0.5 * w @ w + problem.params["C"] * problem.class_costs[y] @ losses


def ours(learner: LinearLearner, X: Any, Y: np.ndarray, problems: list[Problem]) -> tuple:
    size, models = learner.batch_size(X), []
    start = time.process_time()
    for first in range(0, len(problems), size):
        models.extend(learner.fit_batch(X, Y, problems[first : first + size]))
    return time.process_time() - start, models


def official(built: dict, d: int, loss: str, problem: Problem) -> tuple[float, np.ndarray, float]:
    C, fn = problem.params["C"], problem.costs[0]
    options = f"-s {SOLVERS[loss]} -c {C!r} -B 100 -w1 {fn!r} -w-1 1 -q"
    parameter = liblinear.parameter(options)
    start = time.process_time()
    model = liblinearutil.train(built[problem.label], parameter)
    seconds = time.process_time() - start
    w = np.array(model.w[: d + 1]) * (1 if model.label[0] == 1 else -1)
    return seconds, w[:-1], 100 * w[-1]


def dual_hinge(X: Any, Y: np.ndarray, problem: Problem, bound: float, limits: list[int]) -> tuple:
    """Return seconds, weights, intercept, and whether LIBLINEAR came within 1e-2 of the bound."""
    y = Y[:, problem.label]
    costs = dict(enumerate(problem.class_costs))
    for limit in limits:
        svm = LinearSVC(
            loss="hinge", C=problem.params["C"], class_weight=costs, intercept_scaling=100.0,
            tol=1e-9, max_iter=limit, random_state=0,
        )  # fmt: skip
        start = time.process_time()
        svm.fit(X, y)
        seconds = time.process_time() - start
        w, b = svm.coef_[0], float(svm.intercept_[0])
        value = objective(X, Y, problem, "hinge", w, b) + 0.5 * (b / 100) ** 2
        if value * (1 - 1e-2) <= bound:
            return seconds, w, b, True
    return seconds, w, b, False


def bench(name: str, loss: str, n_peer: int, repeats: int, peer_iter: int) -> dict[str, Any]:
    X, Y = load(name)
    labels = labels_of(name, Y)
    problems = grid(labels)
    some = sample(problems, n_peer)
    numbers = [problems.index(p) for p in some]
    learner = LinearLearner(loss)
    learner.fit_batch(X[:300], Y[:300], problems[:8])  # compiles
    built = {
        k: liblinear.problem(np.where(Y[:, k] > 0, 1, -1), sparse.csr_matrix(X), bias=100)
        for k in {p.label for p in some}
        if loss != "hinge"
    }
    if loss == "hinge":
        literature = LinearLearner(loss, intercept_scaling=100.0, tol=1e-3)
        bounds = []
        for p, m in zip(some, literature.fit_batch(X, Y, some), strict=True):
            value = objective(X, Y, p, loss, m.coef, m.intercept) + 0.5 * (m.intercept / 100) ** 2
            bounds.append(value * (1 - m.optimality))
    our_seconds, peer_seconds, reached, ratios = [], [], 0, []
    for repeat in range(repeats):
        seconds, models = ours(learner, X, Y, problems)
        our_seconds.append(seconds)
        if loss == "hinge":
            limits = [1000, peer_iter]
            results = [dual_hinge(X, Y, p, b, limits) for p, b in zip(some, bounds, strict=True)]
            reached = sum(result[3] for result in results)
        else:
            results = [official(built, X.shape[1], loss, p) for p in some]
        peer_seconds.append(sum(result[0] for result in results) / len(some) * len(problems))
        if repeat == 0:
            for p, i, (_, w, b, *_) in zip(some, numbers, results, strict=True):
                mine = objective(X, Y, p, loss, models[i].coef, models[i].intercept)
                ratios.append(mine / objective(X, Y, p, loss, w, b))
    optimality = np.array([model.optimality for model in models])
    figure = {
        "figure": f"linear grid, {name}, {loss}",
        "labels": len(labels),
        "of": Y.shape[1],
        "problems": len(problems),
        "seconds": round(statistics.median(our_seconds), 2),
        "liblinear_seconds": round(statistics.median(peer_seconds), 1),
        "ratio": round(statistics.median(peer_seconds) / statistics.median(our_seconds), 1),
        "worst_gap": float(f"{optimality.max():.2g}"),
        "unconverged": int((optimality > learner.tol).sum()),
        "objective_ratio": round(max(ratios), 5),
        "peer_problems": len(some),
        "repeats": repeats,
    }
    if loss == "hinge":
        figure |= {"peer_within_1e-2": reached, "peer_iter": peer_iter}
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--loss", nargs="*", default=["logistic", "squared_hinge", "hinge"])
    parser.add_argument("--peer", type=int, default=40, help="sampled problems of the peer")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peer-iter", type=int, default=10_000, help="the peer's last limit")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in args.names:
        for loss in args.loss:
            figure = bench(name, loss, args.peer, args.repeats, args.peer_iter)
            print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
