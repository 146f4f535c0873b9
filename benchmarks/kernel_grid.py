"""The RBF grid of 13 C x 19 costs for each gamma against LIBSVM, one thread each.

Prints one JSON line per data set. Ours: CPU seconds of the Gram matrix and of the grid of three
labels, scaled to all, intercept, relative duality gap 1e-3. LIBSVM (scikit-learn's SVC, default
tolerance): a fixed sample of the same problems per gamma, scaled. Both are interleaved, gamma by
gamma. `objective_ratio` is the worst of our objective over that of LIBSVM run to 1e-6.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel

from benchmarks.peers import libsvm
from benchmarks.problems.grids import all_names, grid, labels_of, load, sample
from pseudolinear.learners import KernelLearner, Problem

KERNEL_ROWS = 3000  # rows of a data set at the most
LABELS = {"scene": [0, 2, 4], "yeast": [0, 5, 10]}


def objective(K: np.ndarray, y: np.ndarray, problem: Problem, coef: np.ndarray, b: float) -> float:
    f = K @ coef
    loss = np.maximum(0.0, 1.0 - np.where(y > 0, 1, -1) * (f + b))
    return 0.5 * coef @ f + problem.params["C"] * problem.class_costs[y] @ loss


def bench(name: str, exponents: range, n_peer: int) -> dict[str, Any]:
    X, Y = load(name)
    if sparse.issparse(X):
        X = X.toarray()
    X, Y = X[:KERNEL_ROWS], Y[:KERNEL_ROWS]
    labels = LABELS.get(name) or labels_of(name, Y, 3)
    problems = grid(labels)
    some = sample(problems, n_peer)
    scale = Y.shape[1] / len(labels)
    KernelLearner(gamma=1.0).fit_batch(X[:300], Y[:300], problems[:4])  # compiles
    ours, peer, gap, worst = [], [], 0.0, 0.0
    for exponent in exponents:
        gamma = 2.0**exponent
        learner = KernelLearner(gamma=gamma)
        start = time.process_time()
        models = learner.fit_batch(X, Y, problems)
        ours.append((time.process_time() - start) * scale)
        gap = max(gap, max(model.optimality for model in models))
        K, seconds = rbf_kernel(X, gamma=gamma), 0.0
        for p in some:
            y = Y[:, p.label]
            spent, *_ = libsvm.solve(X, y, p, gamma)
            seconds += spent
            _, coef, intercept = libsvm.solve(X, y, p, gamma, tol=1e-6)
            model = models[problems.index(p)]
            own = np.zeros(len(y))
            own[model.support] = model.dual_coef
            mine = objective(K, y, p, own, model.intercept)
            worst = max(worst, mine / objective(K, y, p, coef, intercept))
        peer.append(seconds / len(some) * len(problems) * scale)
    by_gamma = {f"2^{e}": round(b / a, 1) for e, a, b in zip(exponents, ours, peer, strict=True)}
    return {
        "figure": f"RBF grid, {name}",
        "gammas": len(exponents),
        "labels": len(labels),
        "of": Y.shape[1],
        "seconds": round(sum(ours), 1),
        "libsvm_seconds": round(sum(peer), 1),
        "ratio": round(sum(peer) / sum(ours), 1),
        "ratio_by_gamma": by_gamma,
        "worst_gap": float(f"{gap:.2g}"),
        "objective_ratio": round(worst, 5),
        "peer_problems_per_gamma": len(some),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(LABELS), help="or all")
    parser.add_argument("--step", type=int, default=1, help="step of the exponents of gamma")
    parser.add_argument("--peer", type=int, default=12, help="problems of the peer per gamma")
    args = parser.parse_args()
    for name in all_names() if args.names == ["all"] else args.names:
        print(json.dumps(bench(name, range(-6, 7, args.step), args.peer)), flush=True)


if __name__ == "__main__":
    main()
