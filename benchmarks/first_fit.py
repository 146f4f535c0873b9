"""What the first use costs: importing the package, and the first fit of a fresh process.

Prints one JSON line per figure, processor seconds, each the median of fresh processes.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile

REPEATS = 5
FIT = """
import time
import numpy as np
from pseudolinear import MeasureClassifier
rng = np.random.default_rng(0)
X = rng.normal(size=(300, 10))
y = X[:, 0] + rng.normal(size=300) > 1
start = time.process_time()
MeasureClassifier({estimator}, random_state=0).fit(X, y)
first = time.process_time() - start
start = time.process_time()
MeasureClassifier({estimator}, random_state=0).fit(X, y)
print(first - (time.process_time() - start))
"""
IMPORT = "import time; s = time.process_time(); import {module}; print(time.process_time() - s)"


def run(code: str, cache: str) -> float:
    env = os.environ | {"NUMBA_CACHE_DIR": cache}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        modules = "sklearn", "pseudolinear"
        times: dict[str, list[float]] = {module: [] for module in modules}
        for _ in range(REPEATS):
            for module in modules:
                times[module].append(run(IMPORT.format(module=module), cache))
        sklearn, ours = (statistics.median(times[module]) for module in modules)
        compiled = sum(name.endswith(".nbc") for _, _, names in os.walk(cache) for name in names)
        figure = {"figure": "import", "seconds": round(ours, 2), "sklearn": round(sklearn, 2)}
        figure |= {"ratio": round(ours / sklearn, 2), "compiled_by_import": compiled}
        print(json.dumps(figure), flush=True)
    for loss in ("logistic", "squared_hinge", "hinge"):
        estimator = f"__import__('pseudolinear').LinearLearner('{loss}')"
        code = FIT.format(estimator=estimator)
        cold, warm = [], []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(run(code, cache))
                warm.append(run(code, cache))
        figure = {"figure": f"compiling in the first fit, {loss}"}
        figure |= {"cold_seconds": round(statistics.median(cold), 2)}
        print(json.dumps(figure | {"warm_seconds": round(statistics.median(warm), 2)}), flush=True)


if __name__ == "__main__":
    main()
