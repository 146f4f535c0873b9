"""What rows cost on average where an error costs as much as the row says: ways to decide.

A bad loan that is granted costs its amount, a good one that is refused 800. On random splits of two
tables, prints one JSON line per table and way: the mean cost of a test row, and how much that is
more than with costs by row, with its standard error over the splits. Then how often the intervals
of evaluate hold the mean cost of all rows.
"""

from __future__ import annotations

import json
import time
import warnings

import numpy as np
import pandas as pd
import sklearn
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import StratifiedShuffleSplit, TunedThresholdClassifierCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks.problems.data import read_table
from pseudolinear import ExpectedCost, MeasureClassifier, evaluate

AMOUNTS = {"german": "amount", "lendingclub": "funded_amnt"}
REFUSED = 800.0  # cost of a good loan that is refused
N_SPLITS = 10


def ours(measure, X, y, new, seed, weight=None, estimator="auto", **params):
    clf = MeasureClassifier(estimator, measure=measure, random_state=seed, **params)
    return clf.fit(X, y, sample_weight=weight), new


def predicted(fitted):
    clf, new = fitted
    return clf.predict(new) == 1


def by_bayes(X, y, new, amount, seed):
    """Decide by calibrated probabilities and the costs of the row."""
    clf, _ = ours("accuracy", X, y, new, seed, probabilities="calibrated")
    p = clf.predict_proba(new)[:, 1]
    return p * new[amount].to_numpy() > (1 - p) * REFUSED


def by_tuned_threshold(X, y, new, amount):
    """Scikit-learn's: one threshold, tuned with the amounts as metadata of the scorer."""

    def gain(y_true, y_pred, amount):
        return -np.where(y_true, np.where(y_pred, 0, amount), np.where(y_pred, REFUSED, 0)).mean()

    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_include=object)),
        (StandardScaler(), make_column_selector(dtype_exclude=object)),
    )
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_scorer(gain).set_score_request(amount=True)
        model = make_pipeline(columns, LogisticRegression(max_iter=2000))
        tuned = TunedThresholdClassifierCV(model, scoring=scorer, cv=5)
        tuned.fit(X, y, amount=X[amount].to_numpy())
        return tuned.predict(new) == 1


def ways(X, y, new, amount, seed):
    """Yield the name of each way, and which test rows it refuses."""
    column = X[amount].to_numpy(float)
    stakes = np.where(y == 1, column, REFUSED)
    mean = ExpectedCost(fn=column[y == 1].mean(), fp=REFUSED)
    row = ExpectedCost(fn=amount, fp=REFUSED)
    yield "costs by row", predicted(ours(row, X, y, new, seed))
    yield "costs by row, linear", predicted(ours(row, X, y, new, seed, estimator="linear"))
    yield (
        "training weighted by what is at stake",
        predicted(ours("accuracy", X, y, new, seed, weight=stakes / stakes.mean())),
    )
    yield "calibrated probabilities, Bayes' rule", by_bayes(X, y, new, amount, seed)
    yield "fixed mean costs", predicted(ours(mean, X, y, new, seed))
    yield "f1", predicted(ours("f1", X, y, new, seed))
    yield "TunedThresholdClassifierCV", by_tuned_threshold(X, y, new, amount)
    yield "all granted", np.zeros(len(new), dtype=bool)
    yield "all refused", np.ones(len(new), dtype=bool)


def compare(name):
    table, amount = read_table(name), AMOUNTS[name]
    X = pd.concat([table.X_train, table.X_test], ignore_index=True)
    y = np.concatenate([table.y_train, table.y_test])
    found: dict[str, list[float]] = {}
    seconds: dict[str, float] = {}
    splits = StratifiedShuffleSplit(N_SPLITS, test_size=0.25, random_state=0).split(X, y)
    for seed, (train, test) in enumerate(splits):
        start, new = time.process_time(), X.iloc[test]
        for way, pred in ways(X.iloc[train], y[train], new, amount, seed):
            cost = np.where(y[test] == 1, ~pred * new[amount], pred * REFUSED)
            found.setdefault(way, []).append(float(cost.mean()))
            seconds[way] = seconds.get(way, 0.0) + time.process_time() - start
            start = time.process_time()
    base = np.array(found["costs by row"])
    for way, costs in found.items():
        more = np.array(costs) - base
        line = {
            "figure": f"mean cost of a test row, {name}, {way}",
            "cost": round(float(np.mean(costs)), 1),
            "more": round(float(more.mean()), 1),
            "standard_error": round(float(more.std(ddof=1) / np.sqrt(N_SPLITS)), 1),
            "seconds": round(seconds[way] / N_SPLITS, 1),
        }
        print(json.dumps(line), flush=True)


def coverage(n_rows, repeats=500):
    """Draw rows with amounts of a long tail; count the intervals that hold the mean cost."""
    rng, held = np.random.default_rng(0), 0
    amount_mean = float(np.exp(5 + 0.5))
    true_cost = 0.1 * 0.3 * amount_mean + 0.9 * 0.05 * 20.0
    for _ in range(repeats):
        y, amount = rng.random(n_rows) < 0.1, rng.lognormal(5, 1, n_rows)
        pred = np.where(y, rng.random(n_rows) >= 0.3, rng.random(n_rows) < 0.05)
        low, high = evaluate(y, pred, ExpectedCost(fn=amount, fp=20)).interval
        held += low <= -true_cost <= high
    line = {"figure": f"coverage of 95 % intervals, {n_rows} rows", "share": held / repeats}
    print(json.dumps(line), flush=True)


def main() -> None:
    warnings.simplefilter("ignore")
    for n_rows in (200, 1000, 5000):
        coverage(n_rows)
    for name in AMOUNTS:
        compare(name)


if __name__ == "__main__":
    main()
