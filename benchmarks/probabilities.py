"""Whether predict_proba means what it says, on the official test rows of binary tables.

    python -m benchmarks.probabilities [--estimator auto]

prints one JSON line per data set and one with the means over all: the prevalence, the mean
probability, the Brier score and the log loss, in percent, of calibrated probabilities, of the
nearest ones that agree with predict (the default), of log-odds moved so that one half is the
threshold (the default before), and of scikit-learn's logistic regression on the same rows.
"""

from __future__ import annotations

import argparse
import json
import warnings
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

from benchmarks.problems.data import names, read_table
from pseudolinear import MeasureClassifier
from pseudolinear.features import Features, describe

MOST_CELLS = 500_000


def judge(y: np.ndarray, p: np.ndarray) -> dict[str, float]:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    figures = {"mean": p.mean(), "brier": brier_score_loss(y, p), "log_loss": log_loss(y, p)}
    return {name: round(100 * float(value), 2) for name, value in figures.items()}


def measure(name: str, estimator: str) -> dict[str, Any]:
    _, X, y, X_test, y_test, _ = read_table(name)
    clf = MeasureClassifier(estimator, random_state=0).fit(X, y)
    agreeing = clf.predict_proba(X_test)[:, 1]
    calibrated = clf.set_params(probabilities="calibrated").predict_proba(X_test)[:, 1]
    schema = describe(X)
    scaled = Features(schema).fit(schema.read(X), ["scaled"])
    plain = LogisticRegression(max_iter=1000).fit(scaled.encode(X)("scaled"), y)
    return {
        "dataset": name,
        "prevalence": round(100 * float(np.mean(y_test)), 2),
        "calibrated": judge(y_test, calibrated),
        "agreeing": judge(y_test, agreeing),
        "moved": judge(y_test, expit(clf.decision_function(X_test))),
        "logistic regression": judge(
            y_test, plain.predict_proba(scaled.encode(X_test)("scaled"))[:, 1]
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--estimator", default="auto")
    estimator = parser.parse_args().estimator
    warnings.simplefilter("ignore")
    rows = []
    for name in names("binary"):
        table = read_table(name)
        if not table.text and np.prod(table.X_train.shape) < MOST_CELLS:
            rows.append(measure(name, estimator))
            print(json.dumps({"benchmark": "probabilities", "estimator": estimator} | rows[-1]))
    ways = [key for key, value in rows[0].items() if isinstance(value, dict)]
    means = {
        way: {key: round(float(np.mean([r[way][key] for r in rows])), 2) for key in rows[0][way]}
        for way in ways
    }
    about = {"benchmark": "probabilities", "estimator": estimator, "datasets": len(rows)}
    prevalence = round(float(np.mean([row["prevalence"] for row in rows])), 2)
    print(json.dumps(about | {"prevalence": prevalence} | means))


if __name__ == "__main__":
    main()
