"""SVM-perf with the F1 loss on 20,000 rows of Adult, one solve per value of C, one thread.

Prints one JSON line per C: CPU seconds, rounds, and the relative duality gap that was reached.
`of_zero` is the objective relative to that of w = 0.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings

import numpy as np

from benchmarks.problems.grids import load
from pseudolinear.rivals import SVMPerf

N_ROWS = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tol", type=float, default=1e-2, help="relative duality gap")
    args = parser.parse_args()
    warnings.simplefilter("ignore")  # a missed tolerance is seen in the gap
    X, Y = load("adult")
    X, y = X[:N_ROWS], Y[:N_ROWS, 0]
    for C in 2.0 ** np.arange(-6, 7):
        start = time.process_time()
        svm = SVMPerf(C=C, tol=args.tol).fit(X, y)
        seconds = time.process_time() - start
        figure = {"figure": "SVM-perf, adult", "rows": len(y), "C": float(C)}
        figure |= {"seconds": round(seconds, 2), "rounds": svm.n_iter_}
        figure |= {"gap": float(f"{svm.gap_:.2g}")}
        figure |= {"of_zero": round(svm.objective_ / (C * len(y)), 4)}
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
