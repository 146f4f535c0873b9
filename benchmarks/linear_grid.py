"""The full grid of 13 C x 19 costs against LIBLINEAR, one thread each.

Prints one JSON line per data set and loss. Ours: CPU seconds of the whole grid, free intercept,
relative duality gap 1e-3, in batches of the learner's size. LIBLINEAR: a fixed sample of the same
problems, constant feature 100, scaled up to the grid; logistic and squared hinge by the primal
solvers of liblinear-official at their default tolerance, and again (`equal_seconds`) at the loosest
power of ten that brings the objective within 1e-3 of ours; the hinge by scikit-learn's copy of the
dual solver (the only one whose iterations can be raised), by 1,000 or else ``--peer-iter``
iterations until its objective is within 1e-2 of a certified bound. Both are interleaved and
repeated, medians count. `objective_ratio` is the worst of our objective over LIBLINEAR's at the
default tolerance, `peer_excess` the worst of theirs over ours, less one, all without the penalty of
the intercept. Of the smooth losses, `iterations` is the mean of ours over the problems, and
`look_seconds` the time of one product with the rows, one of the loss and one product with the
transpose for every problem: whatever certifies a gap at least once has to do that.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
import warnings
from functools import partial
from typing import Any

import numpy as np

from benchmarks.peers import liblinear
from benchmarks.problems.grids import NAMES, all_names, grid, labels_of, load, sample
from pseudolinear.learners import LinearLearner, Problem
from pseudolinear.learners.losses import get_loss
from pseudolinear.learners.solvers._block_design import design_of
from pseudolinear.learners.solvers._design import aligned

LOOKS = 20


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


def look_seconds(X: Any, y: np.ndarray, loss: str, n_problems: int) -> float:
    """Time scores, losses and gradients of all problems, with what width and precision is best."""
    design, _ = design_of(X)
    (n, d), evaluate, found = design.shape, get_loss(loss).evaluate, []
    rng = np.random.default_rng(0)
    for dtype, lanes in itertools.product((np.float64, np.float32), (24, 64)):
        W, G = (aligned((d, lanes)) for _ in range(2))
        V, S, R, Vnew = (aligned((n, lanes), dtype) for _ in range(4))
        W[:], S[:], one = rng.normal(size=W.shape) / np.sqrt(d), 0.0, np.ones(lanes)
        pos = np.repeat(y[:, None], lanes, axis=1)
        rows = one, one, pos, one, one, np.ones(n), np.zeros(n, np.intp), np.ones((1, lanes))
        for _ in range(LOOKS + 1):  # the first one compiles
            start = time.process_time()
            design.times(W, V)
            evaluate(V, S, *rows, Vnew, R, np.empty((4, lanes)))
            design.transpose_times(R, G)
            found.append((time.process_time() - start) * n_problems / lanes)
    return min(found)


def bench(name: str, loss: str, args: argparse.Namespace) -> dict[str, Any]:
    X, Y = load(name)
    labels = labels_of(name, Y, args.labels)
    problems = grid(labels)
    some = sample(problems, args.peer)
    numbers = [problems.index(p) for p in some]
    learner = LinearLearner(loss)
    learner.fit_batch(X, Y, problems[:8])  # compiles
    built = {k: liblinear.read(X, Y[:, k]) for k in {p.label for p in some} if loss != "hinge"}
    if loss == "hinge":
        literature = LinearLearner(loss, intercept_scaling=100.0, tol=1e-3)
        bounds = []
        for p, m in zip(some, literature.fit_batch(X, Y, some), strict=True):
            value = objective(X, Y, p, loss, m.coef, m.intercept) + 0.5 * (m.intercept / 100) ** 2
            bounds.append(value * (1 - m.optimality))
    our_seconds, peer_seconds, equal_seconds, reached, ratios = [], [], [], 0, []
    for repeat in range(args.repeats):
        seconds, models = ours(learner, X, Y, problems)
        our_seconds.append(seconds)
        if loss == "hinge":
            results = [
                liblinear.solve_hinge(
                    X, Y[:, p.label], p, bound, [1000, args.peer_iter],
                    partial(objective, X, Y, p, loss),
                )
                for p, bound in zip(some, bounds, strict=True)
            ]  # fmt: skip
            reached = sum(result.close for result in results)
        else:
            pairs = []
            for p, i in zip(some, numbers, strict=True):
                value = partial(objective, X, Y, p, loss)
                wanted = (1 + learner.tol) * value(models[i].coef, models[i].intercept)
                pairs.append(liblinear.solve_as_well(built[p.label], loss, p, wanted, value))
            results, equals = zip(*pairs, strict=True)
            equal_seconds.append(sum(one.seconds for one in equals) / len(some) * len(problems))
        peer_seconds.append(sum(result.seconds for result in results) / len(some) * len(problems))
        if repeat == 0:
            for p, i, solved in zip(some, numbers, results, strict=True):
                mine = objective(X, Y, p, loss, models[i].coef, models[i].intercept)
                theirs = objective(X, Y, p, loss, solved.coef, solved.intercept)
                ratios.append(mine / theirs)
    optimality = np.array([model.optimality for model in models])
    figure = {
        "figure": f"linear grid, {name}, {loss}",
        "rows": X.shape[0],
        "features": X.shape[1],
        "labels": len(labels),
        "of": Y.shape[1],
        "problems": len(problems),
        "seconds": float(f"{statistics.median(our_seconds):.3g}"),
        "liblinear_seconds": float(f"{statistics.median(peer_seconds):.3g}"),
        "ratio": round(statistics.median(peer_seconds) / statistics.median(our_seconds), 1),
        "worst_gap": float(f"{optimality.max():.2g}"),
        "unconverged": int((optimality > learner.tol).sum()),
        "objective_ratio": round(max(ratios), 5),
        "peer_problems": len(some),
        "repeats": args.repeats,
    }
    if loss == "hinge":
        figure |= {"peer_within_1e-2": reached, "peer_iter": args.peer_iter}
    else:
        equal = statistics.median(equal_seconds)
        figure |= {"equal_seconds": float(f"{equal:.3g}")}
        figure |= {"equal_ratio": round(equal / statistics.median(our_seconds), 1)}
        figure |= {"peer_excess": float(f"{1 / min(ratios) - 1:.2g}")}
        figure |= {"iterations": round(float(np.mean([model.n_iter for model in models])), 2)}
        look = look_seconds(X, Y[:, labels[0]], loss, len(problems))
        figure |= {"look_seconds": float(f"{look:.3g}")}
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES, help="or all")
    parser.add_argument("--labels", type=int, help="labels of a data set at the most")
    parser.add_argument("--loss", nargs="*", default=["logistic", "squared_hinge", "hinge"])
    parser.add_argument("--peer", type=int, default=40, help="sampled problems of the peer")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peer-iter", type=int, default=10_000, help="the peer's last limit")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in all_names() if args.names == ["all"] else args.names:
        for loss in args.loss:
            print(json.dumps(bench(name, loss, args)), flush=True)


if __name__ == "__main__":
    main()
