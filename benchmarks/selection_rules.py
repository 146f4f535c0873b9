"""Which selection generalises: rules compared on a third of the training rows that chose nothing.

    python -m benchmarks.selection_rules [--data yeast,scene,...] [--seeds 3]

prints one JSON line per data set, measure and rule: mean F1 in percent over the seeds, its spread,
and the mean difference to the default. The official test rows are not read.
"""

from __future__ import annotations

import argparse
import json
import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.problems.grids import read
from pseudolinear import Grid, IterativeKFold, LinearLearner, MeasureClassifier

LOGISTIC = {"estimator": LinearLearner(), "param_grid": None}
LINEAR = LOGISTIC | {"param_grid": {"C": [2.0**-4, 2.0**-1, 2.0**2, 2.0**5]}}
RULES: dict[str, dict[str, Any]] = {
    "default": {},
    "no shrinkage": {"selection": "largest_value"},
    "macro and micro together": {"selection": "both"},
    "5 folds": {"cv": 5},
    "one third held out, no refit": {"cv": "holdout", "refit": False, "selection": "largest_value"},
    "threshold alone": LOGISTIC | {"cost_sensitive": False},
    "19 levels, C = 1": LOGISTIC | {"search": Grid()},
    "4 levels, C = 1": LOGISTIC,
}


def main() -> None:
    """Fit every rule on two thirds of the training rows and score it on the last third."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="adult,scene,yeast,enron,siam500,bibtex")
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in args.data.split(","):
        X, Y = read(name, "train")
        binary = Y.shape[1] == 1
        for measure in ["f1"] if binary else ["f1_macro", "f1_micro"]:
            found: dict[str, list[float]] = {rule: [] for rule in RULES}
            for seed in range(args.seeds):
                kind = StratifiedKFold if binary else IterativeKFold
                options = {"shuffle": True} if binary else {}
                folds = kind(3, random_state=seed, **options)
                y = Y[:, 0] if binary else Y
                train, test = next(iter(folds.split(X, y)))
                for rule, params in RULES.items():
                    clf = MeasureClassifier(measure=measure, random_state=seed, **(LINEAR | params))
                    value = clf.fit(X[train], y[train]).score(X[test], y[test])
                    found[rule].append(100 * value)
            for rule, values in found.items():
                line = {
                    "benchmark": "selection_rules",
                    "data": name,
                    "measure": measure,
                    "rule": rule,
                    "f1": round(float(np.mean(values)), 2),
                    "spread": round(float(np.std(values)), 2),
                    "difference": round(float(np.mean(values) - np.mean(found["default"])), 2),
                }
                print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
