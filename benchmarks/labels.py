"""F1 and processor time on multilabel and multiclass sets: ours, and learners tuned label by label.

    python -m benchmarks.labels [--systems default,linear,...] [--data flags,yeast,...] [--seeds 1]

prints one JSON line per set, system, average and seed: F1 in percent on the official test rows, and
processor seconds of the fit. The peers are what scikit-learn offers: a tuned threshold for every
label; of several classes, the classifier as it is, since scikit-learn tunes no class thresholds.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler

from benchmarks.problems.data import read_set
from pseudolinear import MeasureClassifier

SETS = "flags,emotions,yeast,scene,natscene,steelfaults,annthyroid,splice"
AVERAGES = ("macro", "micro")


class Tuned:
    """One classifier with a tuned threshold per label."""

    def __init__(self, classifier: Any, seed: int) -> None:
        self.classifier, self.seed = classifier, seed

    def fit(self, X: Any, Y: np.ndarray) -> Tuned:
        """Fit every label, or all classes."""
        if Y.ndim == 1:
            self.fitted = [OneVsRestClassifier(self.classifier).fit(X, Y)]
        else:
            tuned = TunedThresholdClassifierCV(
                self.classifier, scoring="f1", random_state=self.seed
            )
            self.fitted = [clone(tuned).fit(X, y) for y in Y.T]
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict labels or classes."""
        predicted = [one.predict(X) for one in self.fitted]
        return predicted[0] if len(predicted) == 1 else np.stack(predicted, axis=1)


def dense(X: Any) -> np.ndarray:
    return X.toarray() if sparse.issparse(X) else X


def systems(average: str, seed: int) -> dict[str, Any]:
    ours = {"measure": f"f1_{average}", "random_state": seed}
    boosting = HistGradientBoostingClassifier(random_state=seed)
    logistic = make_pipeline(MaxAbsScaler(), LogisticRegression(max_iter=2000))
    return {
        "default": MeasureClassifier(**ours),
        "linear": MeasureClassifier("linear", **ours),
        "best": MeasureClassifier(effort="best", **ours),
        "hist_boosting": Tuned(
            make_pipeline(FunctionTransformer(dense, accept_sparse=True), boosting), seed
        ),
        "logistic": Tuned(logistic, seed),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--systems", default="default,linear,hist_boosting,logistic")
    parser.add_argument("--data", default=SETS)
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in options.data.split(","):
        X, Y, X_test, Y_test = read_set(name)
        for seed in range(options.seeds):
            peers: dict[str, tuple[np.ndarray, float]] = {}  # they do not depend on the average
            for average in AVERAGES if Y.ndim == 2 else AVERAGES[:1]:
                for one in options.systems.split(","):
                    if one not in peers:
                        start = time.process_time()
                        fitted = systems(average, seed)[one].fit(X, Y)
                        seconds = time.process_time() - start
                        result = fitted.predict(X_test), seconds
                        if isinstance(fitted, Tuned):
                            peers[one] = result
                    predicted, seconds = peers.get(one, result)
                    value = 100 * f1_score(Y_test, predicted, average=average, zero_division=0)
                    line = {
                        "benchmark": "labels", "data": name, "system": one, "average": average,
                        "seed": seed, "f1": round(float(value), 2),
                        "cpu_seconds": round(seconds, 2),
                    }  # fmt: skip
                    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
