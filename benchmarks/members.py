"""What became the default, and what it was compared with, on training rows alone.

    python -m benchmarks.members [--splits 2] [--rows 6000]

prints one JSON line per configuration: F1 in percent on a quarter of the training rows that took no
part, mean over binary tables and splits, with the paired difference to the default, its standard
error, and processor seconds in sum. Tables with more training rows than `--rows` are left out.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections import defaultdict
from typing import Any

import numpy as np
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split

from benchmarks.problems.data import names, read_table
from pseudolinear import MeasureClassifier

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "default (linear, boosting, lifted)": {},
    "default, largest value": {"selection": "largest_value"},
    "fast (linear, lifted)": {"effort": "fast"},
    "linear": {"estimator": "linear"},
    "linear, largest value": {"estimator": "linear", "selection": "largest_value"},
    "lifted": {"estimator": "lifted"},
    "lifted, largest value": {"estimator": "lifted", "selection": "largest_value"},
    "splines": {"estimator": "splines"},
    "boosting": {"estimator": "boosting"},
    "boosting, largest value": {"estimator": "boosting", "selection": "largest_value"},
    "linear, boosting": {"estimator": ["linear", "boosting"]},
    "boosting, lifted": {"estimator": ["boosting", "lifted"]},
    "linear, boosting, lifted, splines": {"estimator": ["linear", "boosting", "lifted", "splines"]},
    "linear, boosting, lifted, slow boosting": {
        "estimator": ["linear", "boosting", "lifted", "slow_boosting"]
    },
    "linear, boosting, lifted, forest": {"estimator": ["linear", "boosting", "lifted", "forest"]},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--rows", type=int, default=6000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    values, seconds = defaultdict(list), defaultdict(float)
    for name in names("binary"):
        table = read_table(name)
        if table.text or len(table.y_train) > options.rows:
            continue
        for seed in range(options.splits):
            X, X_test, y, y_test = train_test_split(
                table.X_train, table.y_train, test_size=0.25, stratify=table.y_train,
                random_state=seed,
            )  # fmt: skip
            for configuration, params in CONFIGURATIONS.items():
                start = time.process_time()
                classifier = MeasureClassifier(random_state=seed, **params).fit(X, y)
                seconds[configuration] += time.process_time() - start
                values[configuration].append(100 * f1_score(y_test, classifier.predict(X_test)))
    default = np.array(values[next(iter(CONFIGURATIONS))])
    for configuration, own in values.items():
        gap = np.array(own) - default
        line = {
            "benchmark": "members", "configuration": configuration, "fits": len(own),
            "f1": round(float(np.mean(own)), 2), "minus_default": round(float(gap.mean()), 2),
            "standard_error": round(float(gap.std(ddof=1) / np.sqrt(len(gap))), 2),
            "cpu_seconds": round(seconds[configuration], 1),
        }  # fmt: skip
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
