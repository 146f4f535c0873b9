"""Size of a fitted default model, and the time to predict 1 and 10,000 rows, beside peers.

    python -m benchmarks.footprint

prints one JSON line per system on 5,000 rows of 50 numbers: kilobytes of its pickle (of ours
without the evidence, `slim()`), milliseconds of processor time for one row (the median of 50) and
for 10,000 rows.
"""

from __future__ import annotations

import json
import pickle
import time
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV

from pseudolinear import MeasureClassifier

SYSTEMS: dict[str, Any] = {
    "default": MeasureClassifier(random_state=0),
    "fast": MeasureClassifier(effort="fast", random_state=0),
    "linear": MeasureClassifier("linear", random_state=0),
    "best": MeasureClassifier(effort="best", random_state=0),
    "tuned logistic regression": TunedThresholdClassifierCV(LogisticRegression(), scoring="f1"),
    "tuned hist boosting": TunedThresholdClassifierCV(
        HistGradientBoostingClassifier(random_state=0), scoring="f1"
    ),
}


def milliseconds(predict: Any, X: np.ndarray, repeats: int) -> float:
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        predict(X)
        seconds.append(time.process_time() - start)
    return 1000 * float(np.median(seconds))


def main() -> None:
    X, y = make_classification(
        15_000, 50, n_informative=10, weights=[0.9], flip_y=0.02, random_state=0
    )
    for name, system in SYSTEMS.items():
        start = time.process_time()
        fitted = system.fit(X[:5000], y[:5000])
        seconds = time.process_time() - start
        kept = fitted.slim() if isinstance(fitted, MeasureClassifier) else fitted
        line = {
            "benchmark": "footprint", "system": name, "fit_cpu_seconds": round(seconds, 2),
            "kilobytes": round(len(pickle.dumps(kept)) / 1000),
            "one_row_ms": round(milliseconds(kept.predict, X[:1], 50), 2),
            "ten_thousand_rows_ms": round(milliseconds(kept.predict, X[5000:], 3), 1),
        }  # fmt: skip
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
