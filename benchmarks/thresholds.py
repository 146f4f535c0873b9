"""The exact best threshold of ten million scores against one argsort of them.

Prints one JSON line per figure: seconds of both, interleaved in one run, and their ratio.
"""

from __future__ import annotations

import json
import statistics
import time

import numpy as np

from pseudolinear import best_threshold

N_SCORES = 10_000_000
REPEATS = 5


def seconds(function, *args) -> float:
    start = time.perf_counter()
    function(*args)
    return time.perf_counter() - start


def main() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(N_SCORES) < 0.05
    score = rng.normal(size=N_SCORES) + y
    weight = rng.uniform(0.5, 2.0, size=N_SCORES)
    start = time.perf_counter()
    best_threshold(y[:100], score[:100])
    compiling = time.perf_counter() - start
    for name, args in {"unweighted": (), "weighted": (weight,)}.items():
        ours, argsort = [], []
        for _ in range(REPEATS):
            ours.append(seconds(best_threshold, y, score, "f1", *args))
            argsort.append(seconds(np.argsort, score))
        figure = {
            "figure": f"best_threshold, {N_SCORES:,} scores, {name}",
            "seconds": round(statistics.median(ours), 3),
            "argsort_seconds": round(statistics.median(argsort), 3),
            "ratio": round(statistics.median(ours) / statistics.median(argsort), 2),
            "first_call_seconds": round(compiling, 2),
        }
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
