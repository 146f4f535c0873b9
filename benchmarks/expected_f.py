"""The prediction of largest expected F: the exact method, the sum of exponentials, the threshold.

Prints one JSON line per number of rows: seconds of both methods, the largest relative difference
of their curves beside the bound, and what the threshold F* / (1 + beta^2) loses.
"""

from __future__ import annotations

import json
import time

import numpy as np

from pseudolinear.rivals._expected_f import ExpectedF, maximize_expected_f

BETA = 1.0
EXACT_ROWS = (100, 1_000, 5_000, 20_000)
MORE_ROWS = (100_000, 1_000_000)


def timed(p: np.ndarray, method: str) -> tuple[float, ExpectedF]:
    start = time.perf_counter()
    best = maximize_expected_f(p, BETA, method=method)
    return time.perf_counter() - start, best


def threshold_loss(p: np.ndarray, best: ExpectedF) -> float:
    """Say what the threshold F* / (1 + beta^2) on the probabilities loses in expected F."""
    n_positive = int((p >= best.value / (1.0 + BETA**2)).sum())
    return best.value - float(best.values[n_positive])


def main() -> None:
    maximize_expected_f([0.5], BETA, method="exact")  # compiles
    for n in EXACT_ROWS + MORE_ROWS:
        p = np.random.default_rng(0).beta(0.2, 2.0, size=n)
        seconds, best = timed(p, "approximate")
        figure = {
            "figure": f"expected F, {n:,} rows",
            "n": n,
            "seconds": round(seconds, 4),
            "error_bound": float(f"{best.error:.2g}"),
            "threshold_loss": float(f"{threshold_loss(p, best):.2g}"),
        }
        if n in EXACT_ROWS:
            seconds, exact = timed(p, "exact")
            error = np.abs(best.values[1:] / exact.values[1:] - 1.0).max()
            figure |= {"exact_seconds": round(seconds, 4), "error": float(f"{error:.2g}")}
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
